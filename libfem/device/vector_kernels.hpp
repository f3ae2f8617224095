#pragma once
#include <cmath>

#include "libfem/device/phases.hpp"

namespace invar {

/// z_i = a x_i + b y_i + c z_i, or x_i y_i, x_i / y_i, |x_i|, √|x_i|, 1 / x_i (0 where x_i is), one thread per entry. x and y may be null (zero),
/// and may be z; a factor that is zero leaves its vector unread.
struct VectorMap {
  static constexpr int phase_count = 1;
  enum class Of { combination, product, quotient, magnitude, root, reciprocal };
  Of of = Of::combination;
  int n = 0;
  double a = 0, b = 0, c = 0, shift = 0;  // shift: added to a combination
  const double *x = nullptr, *y = nullptr;
  double* z = nullptr;

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n + 127) / 128; }
  INVAR_HD int shared_size() const { return 0; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread;
    if (i >= n) return;
    switch (of) {
      case Of::combination: z[i] = term(a, x, i) + term(b, y, i) + term(c, z, i) + shift; break;
      case Of::product: z[i] = x[i] * y[i]; break;
      case Of::quotient: z[i] = x[i] / y[i]; break;
      case Of::magnitude: z[i] = std::abs(x[i]); break;
      case Of::root: z[i] = std::sqrt(std::abs(x[i])); break;
      case Of::reciprocal: z[i] = x[i] != 0 ? 1 / x[i] : 0.0; break;
    }
  }

 private:
  INVAR_HD static double term(double factor, const double* v, int i) { return v && factor != 0 ? factor * v[i] : 0.0; }
};

/// On the rows r = rows[k]: y_r = a x_r + b y_r, y_k = x_r, or y_r = x_k; one thread per row. A factor that is zero leaves its vector unread.
struct RowMap {
  static constexpr int phase_count = 1;
  enum class Of { combination, read, write };
  Of of = Of::combination;
  int n = 0;
  const int* rows = nullptr;  // [n]
  double a = 0, b = 0;
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n + 127) / 128; }
  INVAR_HD int shared_size() const { return 0; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int k = team * 128 + thread;
    if (k >= n) return;
    const int r = rows[k];
    switch (of) {
      case Of::combination: y[r] = (a != 0 ? a * x[r] : 0.0) + (b != 0 ? b * y[r] : 0.0); break;
      case Of::read: y[k] = x[r]; break;
      case Of::write: y[r] = x[k]; break;
    }
  }
};

/// out[team] = Σ x_i y_i, Σ |x_i|, the largest |x_i| or |x_i − y_i|, or the largest or smallest x_i over a fixed part of the entries; the
/// final reduction, in order, is bitwise reproducible.
struct VectorReduction {
  static constexpr int phase_count = 2, share = 32;  // entries of a thread
  enum class Of { product, magnitudes, largest_magnitude, largest_difference, largest, smallest };
  Of of = Of::product;
  int n = 0;
  const double *x = nullptr, *y = nullptr;
  double* out = nullptr;  // [teams]

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n + 128 * share - 1) / (128 * share); }
  INVAR_HD int shared_size() const { return 128; }

  INVAR_HD double neutral() const { return of == Of::largest ? -HUGE_VAL : of == Of::smallest ? HUGE_VAL : 0.0; }
  /// Keeps NaN.
  INVAR_HD double together(double s, double v) const {
    if (of == Of::product || of == Of::magnitudes) return s + v;
    if (!(s == s)) return s;
    return of == Of::smallest ? (v >= s ? s : v) : (v <= s ? s : v);
  }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    if constexpr (P == 0) {
      double s = neutral();
      for (int j = 0; j < share; ++j) {
        const int i = (team * 128 + thread) * share + j;
        if (i < n) s = together(s, number(i));
      }
      memory.write(thread, s);
    } else if (thread == 0) {
      double s = memory.read(0);
      for (int t = 1; t < 128; ++t) s = together(s, memory.read(t));
      out[team] = s;
    }
  }

 private:
  INVAR_HD double number(int i) const {
    switch (of) {
      case Of::product: return x[i] * y[i];
      case Of::magnitudes:
      case Of::largest_magnitude: return std::abs(x[i]);
      case Of::largest_difference: return std::abs(x[i] - y[i]);
      default: return x[i];
    }
  }
};

}  // namespace invar
