#pragma once
#include <type_traits>

#include "libfem/math/eigen_symmetric.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

namespace detail {

/// Arguments closer than this fraction of the distance from their mean to the nearest singularity of f use Taylor series, others
/// difference quotients. Truncated terms are below 1e-15 of the sum for powers between −12 and 12.
inline constexpr double taylor_gap = 0.05;

template <class F, class S>
INVAR_INLINE S taylor_radius(const F& f, const S& x) {
  if constexpr (requires { f.radius(x); }) return f.radius(x);
  else return abs(x);
}

INVAR_INLINE constexpr double reciprocal_factorial(int n) {
  double r = 1;
  for (int i = 2; i <= n; ++i) r /= i;
  return r;
}

/// f′[a, b] = (f′(a) − f′(b))/(a − b), f″(a) where a = b; a and b carry no derivatives.
/// Close arguments: Σ_k f⁽²ᵏ⁺²⁾(m) h²ᵏ/(2k+1)! with m = (a + b)/2, h = (a − b)/2.
template <class F, class S>
INVAR_OUTLINE auto divided_difference(const F& f, const S& a, const S& b) {
  if constexpr (requires { f.divided_difference(a, b); }) {
    return f.divided_difference(a, b);
  } else {
    const S m = 0.5 * (a + b), h = 0.5 * (a - b);
    const auto close = abs(h) < 0.5 * taylor_gap * taylor_radius(f, m);
    using R = decltype(f.derivative(1, a));
    R direct{}, series{};
    if (!all(close))
      direct = (f.derivative(1, a) - f.derivative(1, b)) / select(close, S(1.0), S(a - b));
    if (any(close)) {
      S power(1.0);
      for (int k = 0; k < 7; ++k, power = power * (h * h))
        series += f.derivative(2 * k + 2, m) * (power * reciprocal_factorial(2 * k + 1));
    }
    return select(close, series, direct);
  }
}

/// f′[a, b, c], the second divided difference, for any coincidence of the arguments.
/// Close arguments: Σ_k f⁽ᵏ⁺³⁾(m) H_k/(k+2)!, m their mean and H_k the complete homogeneous
/// symmetric polynomials of the distances from it.
template <class F, class S>
INVAR_OUTLINE S divided_difference(const F& f, const S& a, const S& b, const S& c) {
  const S low = min(a, min(b, c)), high = max(a, max(b, c));
  const S middle = max(min(a, b), min(max(a, b), c));
  const S m = (low + middle + high) * (1.0 / 3.0);
  const auto close = high - low < taylor_gap * taylor_radius(f, m);
  S direct(0.0), series(0.0);
  if (!all(close))
    direct = (divided_difference(f, high, middle) - divided_difference(f, middle, low)) /
             select(close, S(1.0), S(high - low));
  if (any(close)) {
    const S x = low - m, y = middle - m, z = high - m;
    const S e2 = x * y + y * z + z * x, e3 = x * y * z;
    S h[3] = {S(1.0), S(0.0), -e2};  // H_k, H_{k+1}, H_{k+2}
    for (int k = 0; k < 12; ++k) {
      series += f.derivative(k + 3, m) * (h[0] * reciprocal_factorial(k + 2));
      const S next = e3 * h[0] - e2 * h[1];
      h[0] = h[1], h[1] = h[2], h[2] = next;
    }
  }
  return select(close, series, direct);
}

template <class T>
INVAR_INLINE scalar_of_t<T>& innermost(T& x) {
  if constexpr (dual_depth_v<T> == 0)
    return x;
  else
    return innermost(x.value);
}

/// f⁽ᵏ⁾(x) of a Dual by the chain rule from derivatives at its value, level by level, if f's own parameters carry no derivatives: f is
/// evaluated for plain numbers a few times instead of for all components of the Dual.
template <class F, class T>
INVAR_INLINE auto lifted_derivative(const F& f, int k, const T& x) {
  if constexpr (dual_depth_v<T> > 0) {
    using V = std::remove_cvref_t<decltype(x.value)>;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(f.derivative(k, x.value))>, V>)
      return chain(x, V(lifted_derivative(f, k, x.value)), V(lifted_derivative(f, k + 1, x.value)));
    else
      return f.derivative(k, x);
  } else {
    return f.derivative(k, x);
  }
}

/// f(x) likewise; three times in a trace, compiled once.
template <class F, class T>
INVAR_OUTLINE T lifted_value(const F& f, const T& x) {
  return lifted_derivative(f, 0, x);
}

/// f without the derivatives of its parameters; f itself if it has none.
template <class F>
INVAR_INLINE auto plain_function(const F& f) {
  if constexpr (requires { value_of(f); })
    return value_of(f);
  else
    return f;
}

}  // namespace detail

/// tr f(C) of a symmetric 3 × 3 matrix, with exact derivatives up to the third order, also where
/// eigenvalues coincide. T is a scalar, a pack, or a Dual of these of at most three levels.
///
/// F offers `derivative(k, x)`, the k-th derivative of f at x, for x a T and a plain scalar; `radius(x)`, the distance
/// from x to where f has no derivatives, unless that is |x|; `value_of(f)` where its own parameters carry derivatives
/// (see StrainPowerSum); and `divided_difference(a, b)` where f′[a, b] has a closed form (see StretchNetwork).
///
/// Method. Let V be the eigenvectors of the values of C, without derivatives. Vᵀ C V = D + E with
/// D = diag(d_i), whose values are the eigenvalues λ_i, and E off the diagonal, whose values are
/// zero: E is nilpotent. The Dyson expansion of tr f about D (f commutes with similarity) is
///   tr f(D + E) = Σ_i f(d_i) + Σ_{i<j} e_ij² f′[d_i, d_j] + 2 e_12 e_23 e_31 f′[d_1, d_2, d_3] + …
/// and products of four nilpotents vanish at three levels, so nothing is left out. The factor e_ij²
/// is of second order, so its divided difference is needed to the first only:
///   f′[d_i, d_j] = f′[λ_i, λ_j] + (d_i − λ_i) f′[λ_i, λ_i, λ_j] + (d_j − λ_j) f′[λ_i, λ_j, λ_j].
template <class T, class F>
INVAR_HD T trace_of_function(const Matrix<T, 3, 3>& C, const F& f) {
  constexpr int depth = dual_depth_v<T>;
  static_assert(depth <= 3, "exact for at most three levels of Dual");
  using S = scalar_of_t<T>;
  const auto [lambda, V] = eigen_symmetric(value_of(C));
  if constexpr (depth == 0) {
    return f.derivative(0, lambda[0]) + f.derivative(0, lambda[1]) + f.derivative(0, lambda[2]);
  } else {
    const auto plain = detail::plain_function(f);
    const auto CV = matmul(C, V);
    Matrix<T, 3, 3> D;  // Vᵀ C V, the upper triangle
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        D(i, j) = CV(0, j) * V(0, i) + CV(1, j) * V(1, i) + CV(2, j) * V(2, i);
        detail::innermost(D(i, j)) = i == j ? lambda[i] : S(0.0);
      }
    T r = detail::lifted_value(f, D(0, 0)) + detail::lifted_value(f, D(1, 1)) + detail::lifted_value(f, D(2, 2));
    if constexpr (depth >= 2)
      for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j) {
          const S a = lambda[i], b = lambda[j];
          const T e2 = D(i, j) * D(i, j);
          if constexpr (depth == 2)
            r += e2 * detail::divided_difference(plain, a, b);
          else
            r += e2 * (detail::divided_difference(f, a, b) +
                       (D(i, i) - a) * detail::divided_difference(plain, a, a, b) +
                       (D(j, j) - b) * detail::divided_difference(plain, a, b, b));
        }
    if constexpr (depth >= 3)
      r += D(0, 1) * D(1, 2) * D(0, 2) *
           (2.0 * detail::divided_difference(plain, lambda[0], lambda[1], lambda[2]));
    return r;
  }
}

}  // namespace invar
