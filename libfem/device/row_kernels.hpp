#pragma once
#include <cmath>

#include "libfem/device/phases.hpp"

namespace invar {

/// y_i = Σ_j a_ij x_j, Σ_j |a_ij|, or the largest |a_ij| (NaN is kept) of a matrix in compressed rows. The sums of the
/// `share` threads of a row are added in order, so that results are bitwise reproducible. With `place`, a_ij = values[place[k]] in place of values[k]: the
/// transposed matrix of a symmetric pattern.
struct RowReduction {
  static constexpr int phase_count = 2;
  enum class Of { product, magnitudes, largest };
  Of of = Of::product;
  int n = 0, share = 16;  // share: divides most_threads; fewer for short rows
  const int *start = nullptr, *column = nullptr, *place = nullptr;
  const double *values = nullptr, *x = nullptr;
  double* y = nullptr;

  INVAR_HD int threads() const { return most_threads; }
  INVAR_HD int teams() const { return (n + rows_of_team() - 1) / rows_of_team(); }
  INVAR_HD int shared_size() const { return most_threads; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    const int row = team * rows_of_team() + thread / share, lane = thread % share;
    if (row >= n) return;
    if constexpr (P == 0) {
      double s = 0;
      for (int k = start[row] + lane; k < start[row + 1]; k += share) {
        const double a = values[place ? place[k] : k];
        s = together(s, of == Of::product ? a * x[column[k]] : std::abs(a));
      }
      memory.write(thread, s);
    } else if (lane == 0) {
      double s = memory.read(thread);
      for (int l = 1; l < share; ++l) s = together(s, memory.read(thread + l));
      y[row] = s;
    }
  }

 private:
  INVAR_HD int rows_of_team() const { return most_threads / share; }
  INVAR_HD double together(double s, double v) const {
    if (of != Of::largest) return s + v;
    return !(s == s) || v <= s ? s : v;
  }
};

}  // namespace invar
