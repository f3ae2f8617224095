#pragma once
#include "libfem/device/phases.hpp"

namespace invar {

/// target[t.place + c] += Σ_k values[from[k] · stride + offset + t.component + c] over the rows k of the list t.list, for all targets t
/// and c < t.count: sums of cell contributions to nodes and matrix entries in the order of the lists, so that they are bitwise
/// reproducible. One thread per number.
struct PlaceSum {
  struct alignas(16) Target {
    int place, component, count, list;
  };
  static constexpr int phase_count = 1;
  int n_targets = 0, most = 1;         // most: largest count
  const Target* targets = nullptr;
  const int* start = nullptr;          // [list + 1]
  const int* from = nullptr;           // row of `values`
  const double* values = nullptr;      // [row][stride]
  int stride = 1, offset = 0;          // offset: of the first number in a row
  double* target = nullptr;

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n_targets * most + 127) / 128; }
  INVAR_HD int shared_size() const { return 0; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread, c = i % most;
    if (i / most >= n_targets) return;
    const Target t = targets[i / most];
    if (c >= t.count) return;
    double sum = 0;
    for (int k = start[t.list]; k < start[t.list + 1]; ++k) sum += values[std::size_t(from[k]) * stride + offset + t.component + c];
    target[t.place + c] += sum;
  }
};

}  // namespace invar
