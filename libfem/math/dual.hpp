#pragma once
#include "libfem/math/simd.hpp"

namespace invar {

template <class T, int N>
struct Dual;

namespace detail {

/// Number of scalars in a T.
template <class T>
inline constexpr int scalar_count = sizeof(T) / sizeof(scalar_of_t<T>);
/// Duals with at most this many scalars are unrolled into registers. Larger ones stay loops in functions; unrolled they
/// would take minutes to compile and overflow the instruction cache.
inline constexpr int max_unrolled = 20;

template <class T, int N, class F>
INVAR_OUTLINE Dual<T, N> make_nested_dual(const T& value, const F& grad) {
  Dual<T, N> r;
  r.value = value;
  for (int i = 0; i < N; ++i) r.grad[i] = grad(i);
  return r;
}
/// The dual with this value and the derivatives grad(0) … grad(N − 1).
template <class T, int N, class F>
INVAR_INLINE Dual<T, N> make_dual(const T& value, const F& grad) {
  if constexpr ((N + 1) * scalar_count<T> > max_unrolled) {
    return make_nested_dual<T, N>(value, grad);
  } else {
    Dual<T, N> r;
    r.value = value;
    INVAR_UNROLL
    for (int i = 0; i < N; ++i) r.grad[i] = grad(i);
    return r;
  }
}

template <class T, int N, class F>
INVAR_OUTLINE void update_nested(Dual<T, N>& a, F f, const Dual<T, N>& b) {
  f(a.value, b.value);
  for (int i = 0; i < N; ++i) f(a.grad[i], b.grad[i]);
}
/// f(entry of a, entry of b) for the value and every derivative.
template <class T, int N, class F>
INVAR_INLINE Dual<T, N>& update(Dual<T, N>& a, F f, const Dual<T, N>& b) {
  if constexpr ((N + 1) * scalar_count<T> > max_unrolled) {
    update_nested(a, f, b);
  } else {
    f(a.value, b.value);
    INVAR_UNROLL
    for (int i = 0; i < N; ++i) f(a.grad[i], b.grad[i]);
  }
  return a;
}

}  // namespace detail

/// A value and its derivatives along N directions (forward mode). T is double, a Simd pack, std::complex<double> or
/// again a Dual; each level adds one order of differentiation.
/// A number, a T, or any type below T converts to a Dual without derivatives; products with such passive factors are
/// formed without conversion. Comparisons use the innermost value (complex: its real part) and return a bool or a Mask.
/// `Dual x;` is uninitialised, `Dual x{}` is zero.
template <class T, int N>
struct Dual {
  static_assert(N >= 1);
  T value;
  T grad[N];

  Dual() = default;
  template <class S>
    requires(!std::is_same_v<S, Dual> && std::is_convertible_v<S, T>)
  INVAR_INLINE Dual(const S& s) : value(s), grad{} {}

  /// The independent variable of direction i.
  static INVAR_INLINE Dual variable(const T& value, int i) {
    Dual r(value);
    r.grad[i] = T(real_of_t<T>(1));
    return r;
  }

  INVAR_INLINE Dual& operator+=(const Dual& b) {
    return detail::update(*this, [](auto& x, const auto& y) { x += y; }, b);
  }
  INVAR_INLINE Dual& operator-=(const Dual& b) {
    return detail::update(*this, [](auto& x, const auto& y) { x -= y; }, b);
  }
  template <class S>
  INVAR_INLINE Dual& operator+=(const S& b) { return value += b, *this; }
  template <class S>
  INVAR_INLINE Dual& operator-=(const S& b) { return value -= b, *this; }
  template <class S>
  INVAR_INLINE Dual& operator*=(const S& b) { return *this = *this * b; }
  template <class S>
  INVAR_INLINE Dual& operator/=(const S& b) { return *this = *this / b; }

  friend INVAR_INLINE Dual select(const mask_of_t<T>& m, const Dual& a, const Dual& b) {
    return detail::make_dual<T, N>(select(m, a.value, b.value), [&](int i) {
      return select(m, a.grad[i], b.grad[i]);
    });
  }
};

template <class T, int N>
struct dual_depth<Dual<T, N>> : std::integral_constant<int, dual_depth<T>::value + 1> {};
template <class T, int N>
struct scalar_of<Dual<T, N>> : scalar_of<T> {};
template <class T, int N>
struct real_of<Dual<T, N>> : real_of<T> {};
template <class T, int N>
struct mask_of<Dual<T, N>> : mask_of<T> {};

/// S carries no derivatives of the level of Dual<T, N>: a number, a T, or any type below T.
template <class S, class T, int N>
concept PassiveFor = !std::is_same_v<S, Dual<T, N>> && std::is_convertible_v<S, T>;

template <class T, int N>
INVAR_INLINE auto value_of(const Dual<T, N>& x) {
  return value_of(x.value);
}
template <class T, int N>
INVAR_INLINE auto key_of(const Dual<T, N>& x) {
  return key_of(x.value);
}
/// Sum over the lanes of the value and of every derivative.
template <class T, int N>
INVAR_INLINE auto reduce_sum(const Dual<T, N>& x) {
  Dual<decltype(reduce_sum(x.value)), N> r;
  r.value = reduce_sum(x.value);
  for (int i = 0; i < N; ++i) r.grad[i] = reduce_sum(x.grad[i]);
  return r;
}

namespace detail {

/// Converts a passive factor for multiplication with T: numbers become T's real type.
template <class T, class S>
INVAR_INLINE auto passive(const S& s) {
  if constexpr (Real<S>)
    return static_cast<real_of_t<T>>(s);
  else
    return s;
}

/// f(x) from f and f′ at x.value.
template <class T, int N>
INVAR_INLINE Dual<T, N> chain(const Dual<T, N>& x, const T& f, const T& df) {
  return make_dual<T, N>(f, [&](int i) { return df * x.grad[i]; });
}

/// a·x + b·y without intermediate duals.
template <class T>
INVAR_INLINE T sum_of_products(const T& a, const T& x, const T& b, const T& y) {
  return a * x + b * y;
}
template <class T, int N>
INVAR_INLINE Dual<T, N> sum_of_products(const Dual<T, N>& a, const Dual<T, N>& x,
                                        const Dual<T, N>& b, const Dual<T, N>& y) {
  return make_dual<T, N>(sum_of_products(a.value, x.value, b.value, y.value), [&](int i) {
    return sum_of_products(a.value, x.grad[i], a.grad[i], x.value) +
           sum_of_products(b.value, y.grad[i], b.grad[i], y.value);
  });
}

/// f(x, y) from f and its two derivatives.
template <class T, int N>
INVAR_INLINE Dual<T, N> chain(const Dual<T, N>& x, const Dual<T, N>& y, const T& f, const T& fx,
                              const T& fy) {
  return make_dual<T, N>(f, [&](int i) {
    return sum_of_products(fx, x.grad[i], fy, y.grad[i]);
  });
}

}  // namespace detail

// ---- arithmetic ---------------------------------------------------------------------------------

template <class T, int N>
INVAR_INLINE Dual<T, N> operator+(const Dual<T, N>& a) {
  return a;
}
template <class T, int N>
INVAR_INLINE Dual<T, N> operator-(const Dual<T, N>& a) {
  return detail::make_dual<T, N>(-a.value, [&](int i) { return -a.grad[i]; });
}
template <class T, int N>
INVAR_INLINE Dual<T, N> operator+(const Dual<T, N>& a, const Dual<T, N>& b) {
  return detail::make_dual<T, N>(a.value + b.value,
                                 [&](int i) { return a.grad[i] + b.grad[i]; });
}
template <class T, int N>
INVAR_INLINE Dual<T, N> operator-(const Dual<T, N>& a, const Dual<T, N>& b) {
  return detail::make_dual<T, N>(a.value - b.value,
                                 [&](int i) { return a.grad[i] - b.grad[i]; });
}
template <class T, int N>
INVAR_INLINE Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b) {
  return detail::chain(a, b, T(a.value * b.value), b.value, a.value);
}
template <class T, int N>
INVAR_INLINE Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b) {
  const T inverse = real_of_t<T>(1) / b.value;
  const T q = a.value * inverse;
  return detail::make_dual<T, N>(
      q, [&](int i) { return (a.grad[i] - q * b.grad[i]) * inverse; });
}

template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator+(const Dual<T, N>& a, const S& b) {
  Dual<T, N> r = a;
  r.value = a.value + detail::passive<T>(b);
  return r;
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator+(const S& a, const Dual<T, N>& b) {
  return b + a;
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator-(const Dual<T, N>& a, const S& b) {
  Dual<T, N> r = a;
  r.value = a.value - detail::passive<T>(b);
  return r;
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator-(const S& a, const Dual<T, N>& b) {
  Dual<T, N> r = -b;
  r.value = detail::passive<T>(a) - b.value;
  return r;
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator*(const Dual<T, N>& a, const S& b) {
  const auto s = detail::passive<T>(b);
  return detail::make_dual<T, N>(a.value * s, [&](int i) { return a.grad[i] * s; });
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator*(const S& a, const Dual<T, N>& b) {
  return b * a;
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator/(const Dual<T, N>& a, const S& b) {
  return a * (real_of_t<T>(1) / detail::passive<T>(b));
}
template <class T, int N, PassiveFor<T, N> S>
INVAR_INLINE Dual<T, N> operator/(const S& a, const Dual<T, N>& b) {
  const T inverse = real_of_t<T>(1) / b.value;
  const T q = detail::passive<T>(a) * inverse;
  return detail::chain(b, q, T(-(q * inverse)));
}

// ---- comparisons of the value ------------------------------------------------------------------

#define INVAR_DUAL_COMPARISON(op)                                                            \
  template <class T, int N>                                                                  \
  INVAR_INLINE mask_of_t<T> operator op(const Dual<T, N>& a, const Dual<T, N>& b) {          \
    return key_of(a) op key_of(b);                                                           \
  }                                                                                          \
  template <class T, int N, PassiveFor<T, N> S>                                              \
  INVAR_INLINE mask_of_t<T> operator op(const Dual<T, N>& a, const S& b) {                   \
    return key_of(a) op key_of(b);                                                           \
  }                                                                                          \
  template <class T, int N, PassiveFor<T, N> S>                                              \
  INVAR_INLINE mask_of_t<T> operator op(const S& a, const Dual<T, N>& b) {                   \
    return key_of(a) op key_of(b);                                                           \
  }
INVAR_DUAL_COMPARISON(<)
INVAR_DUAL_COMPARISON(>)
INVAR_DUAL_COMPARISON(<=)
INVAR_DUAL_COMPARISON(>=)
INVAR_DUAL_COMPARISON(==)
INVAR_DUAL_COMPARISON(!=)
#undef INVAR_DUAL_COMPARISON

}  // namespace invar

#include "libfem/math/dual_functions.hpp"
