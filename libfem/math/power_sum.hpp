#pragma once
#include <array>

#include "libfem/math/power_function.hpp"

namespace invar {

/// f(x) = Σ_i factor_i x^exponent_i; both may carry derivatives.
template <class E, int terms>
struct PowerSum {
  std::array<E, terms> factor;
  std::array<PowerFunction<E>, terms> power;

  /// f⁽ᵏ⁾(x), k ≥ 0.
  template <class T>
  INVAR_INLINE auto derivative(int k, const T& x) const {
    auto r = factor[0] * power[0].derivative(k, x);
    for (int i = 1; i < terms; ++i) r += factor[i] * power[i].derivative(k, x);
    return r;
  }
  /// The same function without the derivatives of its parameters.
  friend INVAR_INLINE auto value_of(const PowerSum& f) {
    using invar::value_of;
    PowerSum<scalar_of_t<E>, terms> plain;
    for (int i = 0; i < terms; ++i) plain.factor[i] = value_of(f.factor[i]), plain.power[i] = value_of(f.power[i]);
    return plain;
  }
};

}  // namespace invar
