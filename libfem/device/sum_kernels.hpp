#pragma once
#include <cmath>

#include "libfem/device/phases.hpp"

namespace invar {

/// target[index[t] + c] += Σ_k values[from[k] · stride + component[t] + c] for start[t] ≤ k < start[t + 1] and c < count[t]:
/// sums of cell contributions to nodes, dofs and matrix entries in the order of the list, so that they are bitwise
/// reproducible. One thread per number.
struct PlaceSum {
  static constexpr int phase_count = 1;
  int n_targets = 0, most = 1;         // most: largest count
  const int* index = nullptr;          // [target]
  const int* component = nullptr;      // [target]
  const int* count = nullptr;          // [target]
  const int* start = nullptr;          // [target + 1]
  const int* from = nullptr;           // row of `values`
  const double* values = nullptr;      // [row][stride]
  int stride = 1, offset = 0;          // offset: of the first number in a row
  double* target = nullptr;

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n_targets * most + 127) / 128; }
  INVAR_HD int shared_size() const { return 0; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread, t = i / most, c = i % most;
    if (t >= n_targets || c >= count[t]) return;
    double sum = 0;
    for (int k = start[t]; k < start[t + 1]; ++k) sum += values[std::size_t(from[k]) * stride + offset + component[t] + c];
    target[index[t] + c] += sum;
  }
};

/// out[team] = sum or minimum of values[from[k] · stride + offset] over a fixed part of the list, so that the final reduction
/// is bitwise equal on every device.
struct ListReduction {
  static constexpr int phase_count = 2;
  static constexpr int share = 32;     // entries of a thread
  int n = 0;
  const int* from = nullptr;           // nullptr: k itself
  const double* values = nullptr;
  int stride = 1, offset = 0;
  bool least = false;
  double* out = nullptr;               // [teams]

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n + 128 * share - 1) / (128 * share); }
  INVAR_HD int shared_size() const { return 128; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    if constexpr (P == 0) {
      double sum = least ? HUGE_VAL : 0;
      for (int j = 0; j < share; ++j) {
        const int k = (team * 128 + thread) * share + j;
        if (k < n) add(sum, values[std::size_t(from ? from[k] : k) * stride + offset]);
      }
      memory.write(thread, sum);
    } else if (thread == 0) {
      double sum = memory.read(0);
      for (int t = 1; t < 128; ++t) add(sum, memory.read(t));
      out[team] = sum;
    }
  }

 private:
  INVAR_HD void add(double& sum, double v) const {
    if (!least) sum += v;
    else if (sum == sum && !(v >= sum)) sum = v;  // NaN is kept
  }
};

}  // namespace invar
