#pragma once
#include "libfem/math/dual.hpp"

namespace invar {

/// f(x) = x^exponent. The exponent may be a number or carry derivatives itself.
template <class E>
struct PowerFunction {
  E exponent;

  /// f⁽ᵏ⁾(x), k ≥ 0.
  template <class T>
  INVAR_INLINE auto derivative(int k, const T& x) const {
    auto r = pow(x, E(exponent - real_of_t<E>(k)));
    for (int j = 0; j < k; ++j) r = r * (exponent - real_of_t<E>(j));
    return r;
  }
  /// The same function without the derivatives of its exponent.
  friend INVAR_INLINE auto value_of(const PowerFunction& f) {
    using invar::value_of;
    return PowerFunction<scalar_of_t<E>>{value_of(f.exponent)};
  }
};
template <class E>
PowerFunction(E) -> PowerFunction<E>;

}  // namespace invar
