#pragma once
#include "libfem/device/one_by_one.hpp"
#include "libfem/math/static_for.hpp"

namespace invar {

/// target[t.place + c] += Σ_k values[from[k] · stride + offset + t.component + c] over the rows k of the list t.list, for all targets t
/// and c < t.count: sums of cell contributions to nodes and matrix entries in the order of the lists, so that they are bitwise
/// reproducible. For OneByOne: entry t · most + c is number c of target t.
struct PlaceSum {
  struct alignas(16) Target {
    int place, component, count, list;
  };
  int most = 1;                        // largest count
  const Target* targets = nullptr;
  const int* start = nullptr;          // [list + 1]
  const int* from = nullptr;           // row of `values`
  const double* values = nullptr;      // [row][stride]
  int stride = 1, offset = 0;          // offset: of the first number in a row
  double* target = nullptr;

  INVAR_HD void at(int i) const {
    const Target t = targets[i / most];
    const int c = i % most;
    if (c >= t.count) return;
    constexpr int at_once = 4;  // rows that are asked for before the first is added
    const double* const first = values + offset + t.component + c;
    const int end = start[t.list + 1];
    double sum = 0;
    for (int k = start[t.list]; k < end; k += at_once) {
      double v[at_once];
      static_for<at_once>([&](auto j) { v[j] = first[std::size_t(from[k + j < end ? k + j : end - 1]) * stride]; });
      static_for<at_once>([&](auto j) {
        if (k + j < end) sum += v[j];
      });
    }
    target[t.place + c] += sum;
  }
};

}  // namespace invar
