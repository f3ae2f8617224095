#pragma once
#include "libfem/math/dual.hpp"

/// Elementary functions of Dual. Conventions where a derivative does not exist:
///   abs at 0, floor at integers: derivative 0;
///   min, max on a tie: those of the first argument;
///   hypot and atan2 at (0, 0): derivative 0, of every order;
///   sqrt, cbrt and pow at 0, asin and acos at ±1: where the derivative is infinite it saturates at
///   a huge finite number, so that a zero tangent stays zero and any other one cannot be missed;
///   pow(x, y) with y carrying derivatives: the one in y is 0 where x ≤ 0.
namespace invar {

namespace detail {

/// Replaces an argument of exactly 0 in singular derivatives; its −2.5th power, which occurs in third derivatives of
/// the square root, is finite.
inline constexpr double tiny_argument = 1e-100;
inline constexpr double tiny_root = 1e-50;

template <class T>
INVAR_INLINE T away_from_zero(const T& x, double tiny) {
  return select(key_of(x) == 0, T(real_of_t<T>(tiny)), x);
}
/// 1/x, and 0 without derivatives where x is 0.
template <class T>
INVAR_INLINE T inverse_or_zero(const T& x) {
  const auto zero = key_of(x) == 0;
  return select(zero, T(real_of_t<T>(0)), T(real_of_t<T>(1) / select(zero, T(real_of_t<T>(1)), x)));
}

}  // namespace detail

template <class T, int N>
INVAR_INLINE Dual<T, N> sqrt(const Dual<T, N>& x) {
  const T root = sqrt(x.value);
  return detail::chain(x, root,
                       T(real_of_t<T>(0.5) / detail::away_from_zero(root, detail::tiny_root)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> cbrt(const Dual<T, N>& x) {
  const T root = cbrt(x.value);
  const T safe = detail::away_from_zero(root, 1e-33);
  return detail::chain(x, root, T(real_of_t<T>(1) / (real_of_t<T>(3) * safe * safe)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> exp(const Dual<T, N>& x) {
  const T e = exp(x.value);
  return detail::chain(x, e, e);
}
template <class T, int N>
INVAR_INLINE Dual<T, N> expm1(const Dual<T, N>& x) {
  return detail::chain(x, T(expm1(x.value)), T(exp(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> log(const Dual<T, N>& x) {
  return detail::chain(x, T(log(x.value)), T(real_of_t<T>(1) / x.value));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> log1p(const Dual<T, N>& x) {
  return detail::chain(x, T(log1p(x.value)), T(real_of_t<T>(1) / (real_of_t<T>(1) + x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> sin(const Dual<T, N>& x) {
  return detail::chain(x, T(sin(x.value)), T(cos(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> cos(const Dual<T, N>& x) {
  return detail::chain(x, T(cos(x.value)), T(-sin(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> tan(const Dual<T, N>& x) {
  const T t = tan(x.value);
  return detail::chain(x, t, T(real_of_t<T>(1) + t * t));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> sinh(const Dual<T, N>& x) {
  return detail::chain(x, T(sinh(x.value)), T(cosh(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> cosh(const Dual<T, N>& x) {
  return detail::chain(x, T(cosh(x.value)), T(sinh(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> tanh(const Dual<T, N>& x) {
  const T t = tanh(x.value);
  return detail::chain(x, t, T((real_of_t<T>(1) - t) * (real_of_t<T>(1) + t)));
}

namespace detail {
/// asin′(x) = 1/√(1 − x²)
template <class T>
INVAR_INLINE T asin_derivative(const T& x) {
  const T root = sqrt(T((real_of_t<T>(1) - x) * (real_of_t<T>(1) + x)));
  return real_of_t<T>(1) / away_from_zero(root, tiny_root);
}
}  // namespace detail

template <class T, int N>
INVAR_INLINE Dual<T, N> asin(const Dual<T, N>& x) {
  return detail::chain(x, T(asin(x.value)), detail::asin_derivative(x.value));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> acos(const Dual<T, N>& x) {
  return detail::chain(x, T(acos(x.value)), T(-detail::asin_derivative(x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> atan(const Dual<T, N>& x) {
  return detail::chain(x, T(atan(x.value)),
                       T(real_of_t<T>(1) / (real_of_t<T>(1) + x.value * x.value)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T inverse = detail::inverse_or_zero(T(x.value * x.value + y.value * y.value));
  return detail::chain(y, x, T(atan2(y.value, x.value)), T(x.value * inverse),
                       T(-(y.value * inverse)));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> hypot(const Dual<T, N>& a, const Dual<T, N>& b) {
  const T h = hypot(a.value, b.value);
  const T inverse = detail::inverse_or_zero(h);
  return detail::chain(a, b, h, T(a.value * inverse), T(b.value * inverse));
}

template <class T, int N>
INVAR_INLINE Dual<T, N> abs(const Dual<T, N>& x) {
  const auto key = key_of(x);
  return select(key < 0, -x, select(key == 0, Dual<T, N>(real_of_t<T>(0)), x));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> floor(const Dual<T, N>& x) {
  return Dual<T, N>(floor(value_of(x)));
}

// ---- powers -------------------------------------------------------------------------------------

namespace detail {

/// y·x^(y−1), also for x = 0; general but expensive.
template <class T, class S>
INVAR_OUTLINE T pow_derivative_at_zero(const T& x, const S& y) {
  const T base = away_from_zero(x, tiny_argument);
  const auto one = real_of_t<T>(1);
  const T by_limit = y * pow(base, S(y - one));
  const T at_zero = y * pow(x, S(y - one));
  const auto finite = key_of(y) >= 1;
  const T d = select(finite, at_zero, by_limit);
  return select(key_of(y) == 0, T(real_of_t<T>(0)), d);
}

/// ∂(x^y)/∂x from f = x^y.
template <class T, class S>
INVAR_INLINE T pow_derivative(const T& x, const S& y, const T& f) {
  if (any(key_of(x) == 0)) [[unlikely]]
    return pow_derivative_at_zero(x, y);
  return f * y / x;
}

/// log x where x > 0, else 0.
template <class T>
INVAR_INLINE T log_or_zero(const T& x) {
  const auto positive = key_of(x) > 0;
  return select(positive, T(log(select(positive, x, T(real_of_t<T>(1))))), T(real_of_t<T>(0)));
}

}  // namespace detail

template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> pow(const Dual<T, N>& x, const S& exponent) {
  const auto y = detail::passive<T>(exponent);
  const T f = pow(x.value, y);
  return detail::chain(x, f, detail::pow_derivative(x.value, y, f));
}
template <class T, int N>
INVAR_INLINE Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& y) {
  const T f = pow(x.value, y.value);
  return detail::chain(x, y, f, detail::pow_derivative(x.value, y.value, f),
                       T(f * detail::log_or_zero(x.value)));
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> pow(const S& base, const Dual<T, N>& y) {
  const T x = detail::passive<T>(base);
  const T f = pow(x, y.value);
  return detail::chain(y, f, T(f * detail::log_or_zero(x)));
}

// ---- two arguments, one of them passive ---------------------------------------------------------

template <class T, int N>
INVAR_INLINE Dual<T, N> min(const Dual<T, N>& a, const Dual<T, N>& b) {
  return select(b < a, b, a);
}
template <class T, int N>
INVAR_INLINE Dual<T, N> max(const Dual<T, N>& a, const Dual<T, N>& b) {
  return select(a < b, b, a);
}
template <class T, int N>
INVAR_INLINE Dual<T, N> fma(const Dual<T, N>& a, const Dual<T, N>& b, const Dual<T, N>& c) {
  return a * b + c;
}

#define INVAR_DUAL_MIXED(f)                                                 \
  template <class T, int N, PassiveFor<T, N> S>                             \
  INVAR_INLINE Dual<T, N> f(const Dual<T, N>& a, const S& b) {              \
    return f(a, Dual<T, N>(b));                                             \
  }                                                                         \
  template <class T, int N, PassiveFor<T, N> S>                             \
  INVAR_INLINE Dual<T, N> f(const S& a, const Dual<T, N>& b) {              \
    return f(Dual<T, N>(a), b);                                             \
  }
INVAR_DUAL_MIXED(min)
INVAR_DUAL_MIXED(max)
INVAR_DUAL_MIXED(hypot)
INVAR_DUAL_MIXED(atan2)
#undef INVAR_DUAL_MIXED

}  // namespace invar
