#pragma once
#include <array>

#include "libfem/math/near_zero.hpp"

namespace invar {

/// f(x) = Σ_i factor_i ((1 + 2x)^power_i − 1 − power_i ln(1 + 2x)) of a Green strain x with squared stretch 1 + 2x. f
/// and f′ vanish at x = 0, and are accurate to round-off near it. Summed over the principal strains of a
/// volume-preserving deformation, the logarithms cancel, and Σ f is Σ factor (λ^(2 power) − 1) without its cancelling
/// linear terms. Factors and powers may carry derivatives.
template <class E, int capacity>
struct StrainPowerSum {
  std::array<E, capacity> factor, power;
  int count = capacity;  // number of terms in use

  /// f⁽ᵏ⁾(x), k ≥ 0:  2ᵏ (1 + 2x)⁻ᵏ Σ_i factor_i a [c_k + d_k ((1 + 2x)^a − 1)],  a = power_i,
  /// d_k = (a − 1) … (a − k + 1),  c_k = d_k + (−1)ᵏ (k − 1)!
  template <class T>
  INVAR_INLINE auto derivative(int k, const T& x) const {
    const T logarithm = log1p(T(2.0 * x));
    const T scale = k == 0 ? T(1.0) : T(2.0 / (1.0 + 2.0 * x));
    T outer = scale;
    double factorial = -1;  // (−1)ᵏ (k − 1)!
    for (int j = 1; j < k; ++j) outer = outer * scale, factorial *= -j;
    auto sum = term(k, 0, logarithm, factorial);
    for (int i = 1; i < count; ++i) sum += term(k, i, logarithm, factorial);
    return outer * sum;
  }
  /// Distance from x to the nearest singularity of f.
  template <class T>
  INVAR_INLINE T radius(const T& x) const {
    return 0.5 + x;
  }
  /// The same function without the derivatives of its parameters.
  friend INVAR_INLINE auto value_of(const StrainPowerSum& f) {
    using invar::value_of;
    StrainPowerSum<scalar_of_t<E>, capacity> plain;
    plain.count = f.count;
    for (int i = 0; i < f.count; ++i) plain.factor[i] = value_of(f.factor[i]), plain.power[i] = value_of(f.power[i]);
    return plain;
  }

 private:
  template <class T>
  INVAR_INLINE auto term(int k, int i, const T& logarithm, double factorial) const {
    using R = std::remove_cvref_t<decltype(logarithm * power[i])>;
    const R exponent = logarithm * power[i];
    if (k == 0) return R(factor[i] * expm1mx(exponent));
    E d(1.0);
    for (int j = 1; j < k; ++j) d = d * (power[i] - real_of_t<E>(j));
    return R(factor[i] * power[i] * ((d + factorial) + d * expm1(exponent)));
  }
};

}  // namespace invar
