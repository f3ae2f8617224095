#pragma once
#include "libfem/device/phases.hpp"

namespace invar {

/// A kernel in phases with one thread per entry and nothing shared: Entry is a plain struct whose at(i) says what the thread of entry i does.
template <class Entry>
struct OneByOne {
  static constexpr int phase_count = 1;
  int n;  // entries
  Entry entry;

  INVAR_HD int threads() const { return most_threads; }
  INVAR_HD int teams() const { return (n + most_threads - 1) / most_threads; }
  INVAR_HD int shared_size() const { return 0; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * most_threads + thread;
    if (i < n) entry.at(i);
  }
};
template <class Entry>
OneByOne(int, Entry) -> OneByOne<Entry>;

}  // namespace invar
