#pragma once
#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "libfem/device/phases.hpp"

namespace invar {

/// Records which threads have read and written each number of a team's memory during a phase.
class MemoryWatch {
 public:
  explicit MemoryWatch(int size) : values_(size, 0.0), known_(size, false), writer_(size, nobody), reader_(size, nobody) {}

  void begin_team() { std::fill(known_.begin(), known_.end(), false); }
  void begin_phase() {
    std::fill(writer_.begin(), writer_.end(), nobody);
    std::fill(reader_.begin(), reader_.end(), nobody);
  }
  double read(int place, int thread) {
    if (!inside(place)) return 0;
    if (!known_[place]) complain("reads before anything is written", place, thread);
    if (writer_[place] != nobody && writer_[place] != thread) complain("reads what another thread writes", place, thread);
    if (reader_[place] != nobody && reader_[place] != thread) reader_[place] = several;
    else reader_[place] = thread;
    return values_[place];
  }
  void write(int place, int thread, double value) {
    if (!inside(place)) return;
    if (writer_[place] != nobody && writer_[place] != thread) complain("writes where another thread writes", place, thread);
    if (reader_[place] != nobody && reader_[place] != thread) complain("writes what another thread reads", place, thread);
    writer_[place] = thread;
    known_[place] = true;
    values_[place] = value;
  }
  /// One line per kind of conflict.
  const std::set<std::string>& conflicts() const { return conflicts_; }

 private:
  static constexpr int nobody = -1, several = -2;

  bool inside(int place) {
    if (place >= 0 && place < static_cast<int>(values_.size())) return true;
    complain("is outside of the team's memory", place, 0);
    return false;
  }
  void complain(const char* what, int place, int thread) {
    if (conflicts_.size() < 8)
      conflicts_.insert("thread " + std::to_string(thread) + " " + what + " (place " + std::to_string(place) + ")");
  }

  std::vector<double> values_;
  std::vector<char> known_;
  std::vector<int> writer_, reader_;
  std::set<std::string> conflicts_;
};

/// A team's memory as seen by one thread on the host, with or without recording.
struct HostMemory {
  double* data;
  MemoryWatch* watch;  // nullptr: no recording
  int thread;

  double read(int place) const { return watch ? watch->read(place, thread) : data[place]; }
  void write(int place, double value) const {
    if (watch) watch->write(place, thread, value);
    else data[place] = value;
  }
};

/// Runs a kernel as loops.
template <class Kernel>
void run_on_host(const Kernel& kernel, MemoryWatch* watch = nullptr, std::mt19937* random = nullptr) {
  std::vector<double> shared(kernel.shared_size());
  std::vector<int> order(kernel.threads());
  std::iota(order.begin(), order.end(), 0);
  for (int team = 0; team < kernel.teams(); ++team) {
    if (watch) watch->begin_team();
    static_for<Kernel::phase_count>([&](auto p) {
      if (watch) watch->begin_phase();
      if (random) std::shuffle(order.begin(), order.end(), *random);
      for (const int thread : order) kernel.template phase<p>(team, thread, HostMemory{shared.data(), watch, thread});
    });
  }
}

/// The same with the threads of each phase in an order drawn from `seed`. Returns the data races: conflicting accesses to the
/// same number by different threads in one phase, and reads of numbers that were never written. Results are bitwise equal to
/// those of `run_on_host`.
template <class Kernel>
std::set<std::string> run_watched(const Kernel& kernel, unsigned seed) {
  MemoryWatch watch(kernel.shared_size());
  std::mt19937 random(seed);
  run_on_host(kernel, &watch, &random);
  return watch.conflicts();
}

}  // namespace invar
