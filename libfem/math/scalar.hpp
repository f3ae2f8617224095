#pragma once
#include <cmath>
#include <complex>
#include <type_traits>

#include "libfem/math/host_device.hpp"

/// Operations that generic kernels require of a scalar, here for the built-in types float, double, long double and
/// std::complex. Simd and Dual provide their own overloads, so that the unqualified `sqrt(x)`, `select(m, a, b)`,
/// `any(m)`, `value_of(x)` … work for every type.
namespace invar {

using std::abs, std::sqrt, std::cbrt, std::exp, std::expm1, std::log, std::log1p, std::pow;
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2;
using std::sinh, std::cosh, std::tanh, std::floor, std::hypot, std::fma;

template <class T>
struct is_complex : std::false_type {};
template <class R>
struct is_complex<std::complex<R>> : std::true_type {};

template <class T>
concept Real = std::is_arithmetic_v<T>;
template <class T>
concept BuiltIn = Real<T> || is_complex<T>::value;

/// Number of dual levels: 0 for scalars and packs.
template <class T>
struct dual_depth : std::integral_constant<int, 0> {};
/// The scalar or pack below all dual levels.
template <class T>
struct scalar_of {
  using type = T;
};
/// The real type below everything: double for Dual<Simd<double, 8>, 9> and for complex<double>.
template <class T>
struct real_of {
  using type = T;
};
template <class R>
struct real_of<std::complex<R>> {
  using type = R;
};
/// The type of a comparison: bool, or one bool per lane.
template <class T>
struct mask_of {
  using type = bool;
};
template <class T>
inline constexpr int dual_depth_v = dual_depth<T>::value;
template <class T>
using scalar_of_t = typename scalar_of<T>::type;
template <class T>
using real_of_t = typename real_of<T>::type;
template <class T>
using mask_of_t = typename mask_of<T>::type;

/// The value without its derivatives.
template <BuiltIn T>
INVAR_INLINE T value_of(const T& x) {
  return x;
}
/// The value used in comparisons; for complex numbers the real part (complex step).
template <Real T>
INVAR_INLINE T key_of(T x) {
  return x;
}
template <class R>
INVAR_INLINE R key_of(const std::complex<R>& x) {
  return x.real();
}

INVAR_INLINE bool any(bool m) { return m; }
INVAR_INLINE bool all(bool m) { return m; }
template <BuiltIn T>
INVAR_INLINE T reduce_sum(const T& x) {
  return x;
}
/// a where m holds, else b; lane by lane where m is a Mask.
template <class T>
INVAR_INLINE T select(bool m, const T& a, const T& b) {
  return m ? a : b;
}
template <Real A, Real B>
INVAR_INLINE std::common_type_t<A, B> select(bool m, A a, B b) {
  return m ? a : b;
}
/// On a tie, min and max are the first argument, with its derivatives.
template <Real A, Real B>
INVAR_INLINE std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <Real A, Real B>
INVAR_INLINE std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}

}  // namespace invar
