#pragma once
#include <limits>

#include "libfem/math/tensor.hpp"

/// Functions with cancellation near 0, evaluated without it: the relative error is a few units of round-off at every
/// argument, also for every derivative. T is a number, a pack, or a Dual of these.
namespace invar {

/// log(1 + x) of a complex number, for complex steps; not more accurate near 0 than std::log.
template <class R>
INVAR_INLINE std::complex<R> log1p(const std::complex<R>& x) {
  return log(R(1) + x);
}
template <class R>
INVAR_INLINE std::complex<R> expm1(const std::complex<R>& x) {
  return exp(x) - R(1);
}
template <class R>
INVAR_INLINE std::complex<R> cbrt(const std::complex<R>& x) {
  return pow(x, R(1) / 3);
}

/// log(1 + x) − x.
template <class T>
  requires(dual_depth_v<T> == 0)
INVAR_INLINE T log1pmx(const T& x) {
  // log(1 + x) = 2 artanh y = 2 (y + y³/3 + y⁵/5 + …) with y = x/(2 + x), and 2 y − x = −x y
  const T y = x / (2.0 + x), z = y * y;
  const T series = 1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 +
                   z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21)))))))));
  const auto near = key_of(y) < 0.15 && key_of(y) > -0.15;
  return select(near, T(2.0 * (y * z) * series - x * y), T(log1p(x) - x));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> log1pmx(const Dual<T, N>& x) {
  return detail::chain(x, T(log1pmx(x.value)), T(-x.value / (real_of_t<T>(1) + x.value)));
}

/// exp(x) − 1 − x.
template <class T>
  requires(dual_depth_v<T> == 0)
INVAR_INLINE T expm1mx(const T& x) {
  const T series = 1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0 * (1.0 + x / 7.0 * (1.0 + x / 8.0 *
                   (1.0 + x / 9.0 * (1.0 + x / 10.0 * (1.0 + x / 11.0 * (1.0 + x / 12.0 * (1.0 + x / 13.0 *
                   (1.0 + x / 14.0)))))))))));
  const auto near = key_of(x) < 0.4 && key_of(x) > -0.4;
  return select(near, T(0.5 * x * x * series), T(expm1(x) - x));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> expm1mx(const Dual<T, N>& x) {
  return detail::chain(x, T(expm1mx(x.value)), T(expm1(x.value)));
}

/// (exp(x) − 1)/x, 1 at x = 0.
template <class T>
INVAR_INLINE T expm1_by_x(const T& x) {
  const auto near = key_of(x) < 0.7 && key_of(x) > -0.7;
  const T v = select(near, x, T(0.0)), w = select(near, T(1.0), x);
  T series = 1.0 + v * (1.0 / 19);
  for (int k = 18; k >= 2; --k) series = 1.0 + v * (1.0 / k) * series;
  return select(near, series, T(expm1(w) / w));
}

/// ∛(1 + x) − 1; NaN where x < −1.
template <class T>
  requires(dual_depth_v<T> == 0)
INVAR_INLINE T cbrt1pm1(const T& x) {
  const T s = cbrt(T(1.0 + x));
  return select(key_of(x) < -1.0, T(std::numeric_limits<double>::quiet_NaN()), T(x / (1.0 + s * (1.0 + s))));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> cbrt1pm1(const Dual<T, N>& x) {
  const T t = cbrt1pm1(x.value), s = real_of_t<T>(1) + t;
  return detail::chain(x, t, T(real_of_t<T>(1) / (real_of_t<T>(3) * s * s)));
}

/// det(I + H) − 1, N = 2, 3: tr H + tr cof H + det H.
template <class T, int N>
INVAR_INLINE T det1pm1(const Matrix<T, N, N>& H) {
  if constexpr (N == 2) {
    return trace(H) + det(H);
  } else {
    const Matrix<T, 3, 3> cof = cofactor(H);
    return trace(H) + (trace(cof) + (H(0, 0) * cof(0, 0) + H(0, 1) * cof(0, 1) + H(0, 2) * cof(0, 2)));
  }
}

/// Whether x is 0 in every lane, with every derivative.
template <class T>
  requires(dual_depth_v<T> == 0)
INVAR_INLINE bool vanishes(const T& x) {
  return all(x == real_of_t<T>(0));
}
template <class T, int N>
INVAR_INLINE bool vanishes(const Dual<T, N>& x) {
  bool zero = vanishes(x.value);
  for (int i = 0; i < N; ++i) zero = zero && vanishes(x.grad[i]);
  return zero;
}

}  // namespace invar
