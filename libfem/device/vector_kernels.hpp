#pragma once
#include <cmath>

#include "libfem/device/one_by_one.hpp"
#include "libfem/math/static_for.hpp"

namespace invar {

/// z_i = a x_i + b y_i + c z_i, or x_i y_i, x_i / y_i, |x_i|, √|x_i|, 1 / x_i (0 where x_i is). x and y may be null (zero), and may be z; a
/// factor that is zero leaves its vector unread. For OneByOne.
struct VectorMap {
  enum class Of { combination, product, quotient, magnitude, root, reciprocal };
  Of of = Of::combination;
  double a = 0, b = 0, c = 0, shift = 0;  // shift: added to a combination
  const double *x = nullptr, *y = nullptr;
  double* z = nullptr;

  INVAR_HD void at(int i) const {
    switch (of) {
      case Of::combination: z[i] = term(a, x, i) + term(b, y, i) + term(c, z, i) + shift; break;
      case Of::product: z[i] = x[i] * y[i]; break;
      case Of::quotient: z[i] = y[i] != 0 ? x[i] / y[i] : 0.0; break;
      case Of::magnitude: z[i] = std::abs(x[i]); break;
      case Of::root: z[i] = std::sqrt(std::abs(x[i])); break;
      case Of::reciprocal: z[i] = x[i] != 0 ? 1 / x[i] : 0.0; break;
    }
  }

 private:
  INVAR_HD static double term(double factor, const double* v, int i) { return v && factor != 0 ? factor * v[i] : 0.0; }
};

/// On the rows r = rows[k]: y_r = a x_r + b y_r, y_k = x_r, or y_r = x_k. A factor that is zero leaves its vector unread. For
/// OneByOne, the entries being the rows k.
struct RowUpdate {
  enum class Of { combination, read, write };
  Of of = Of::combination;
  const int* rows = nullptr;
  double a = 0, b = 0;
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD void at(int k) const {
    const int r = rows[k];
    switch (of) {
      case Of::combination: y[r] = (a != 0 ? a * x[r] : 0.0) + (b != 0 ? b * y[r] : 0.0); break;
      case Of::read: y[k] = x[r]; break;
      case Of::write: y[r] = x[k]; break;
    }
  }
};

inline constexpr int most_vectors = 8;  // that one kernel reads besides y

/// y += Σ_k a_k x_k over k < count, in this order. For OneByOne.
struct VectorSum {
  int count = 0;
  double a[most_vectors] = {};
  const double* x[most_vectors] = {};
  double* y = nullptr;

  INVAR_HD void at(int i) const {
    double s = y[i];
    static_for<most_vectors>([&](auto k) {
      if (k < count) s += a[k] * x[k][i];
    });
    y[i] = s;
  }
};

/// out[k][team] = Σ x_k,i y_i over k < count, in the order of VectorReduction.
struct VectorDots {
  static constexpr int phase_count = 3, share = 32;  // entries of a thread
  int n = 0, count = 0;
  const double* x[most_vectors] = {};
  const double* y = nullptr;
  double* out = nullptr;  // [most_vectors][teams]

  INVAR_HD int threads() const { return most_threads; }
  INVAR_HD int teams() const { return (n + most_threads * share - 1) / (most_threads * share); }
  INVAR_HD int shared_size() const { return most_vectors * most_threads + most_threads; }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    constexpr int groups = most_threads / most_vectors;
    if constexpr (P == 0) {
      double s[most_vectors] = {};
      INVAR_UNROLL_BY(4)
      for (int j = 0; j < share; ++j) {
        const int i = (team * share + j) * most_threads + thread;
        if (i >= n) break;
        const double y_i = y[i];
        static_for<most_vectors>([&](auto k) {
          if (k < count) s[k] += x[k][i] * y_i;
        });
      }
      static_for<most_vectors>([&](auto k) { memory.write(k * most_threads + thread, s[k]); });
    } else if constexpr (P == 1) {
      double s = 0;
      for (int t = thread % groups; t < most_threads; t += groups) s += memory.read(thread / groups * most_threads + t);
      memory.write(most_vectors * most_threads + thread, s);
    } else if (thread < count) {
      double s = 0;
      for (int t = 0; t < groups; ++t) s += memory.read(most_vectors * most_threads + thread * groups + t);
      out[thread * teams() + team] = s;
    }
  }
};

/// out[team] = Σ x_i, Σ x_i y_i, Σ |x_i|, the largest |x_i| or |x_i − y_i|, or the largest or smallest x_i over a fixed part of the entries, of
/// which neighbouring threads read neighbouring ones; the final reduction, in order, is bitwise reproducible (`reduce.hpp`).
struct VectorReduction {
  static constexpr int phase_count = 3, share = 32;  // entries of a thread
  enum class Of { sum, product, magnitudes, largest_magnitude, largest_difference, largest, smallest };
  Of of = Of::product;
  int n = 0;
  const double *x = nullptr, *y = nullptr;
  int stride = 1;         // of x and y
  double* out = nullptr;  // [teams]

  INVAR_HD int threads() const { return most_threads; }
  INVAR_HD int teams() const { return (n + most_threads * share - 1) / (most_threads * share); }
  INVAR_HD int shared_size() const { return most_threads + groups; }

  INVAR_HD double neutral() const { return of == Of::largest ? -HUGE_VAL : of == Of::smallest ? HUGE_VAL : 0.0; }
  /// Keeps NaN.
  INVAR_HD double together(double s, double v) const {
    if (of == Of::sum || of == Of::product || of == Of::magnitudes) return s + v;
    if (!(s == s)) return s;
    return of == Of::smallest ? (v >= s ? s : v) : (v <= s ? s : v);
  }

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory& memory) const {
    double s = neutral();
    if constexpr (P == 0) {
      constexpr int at_once = 8;  // entries that are asked for before the first is used
      for (int j = 0; j < share; j += at_once) {
        double v[at_once];
        const int first = (team * share + j) * most_threads + thread;
        static_for<at_once>([&](auto k) {
          const int i = first + k * most_threads;
          v[k] = entry(std::size_t(i < n ? i : n - 1) * stride);
        });
        static_for<at_once>([&](auto k) {
          if (first + k * most_threads < n) s = together(s, v[k]);
        });
      }
      memory.write(thread, s);
    } else if constexpr (P == 1) {
      if (thread >= groups) return;
      for (int t = thread; t < most_threads; t += groups) s = together(s, memory.read(t));
      memory.write(most_threads + thread, s);
    } else if (thread == 0) {
      for (int t = 0; t < groups; ++t) s = together(s, memory.read(most_threads + t));
      out[team] = s;
    }
  }

 private:
  static constexpr int groups = 16;  // of threads, whose results are put together at the same time

  INVAR_HD double entry(std::size_t i) const {
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
