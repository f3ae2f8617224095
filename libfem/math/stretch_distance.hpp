#pragma once
#include "libfem/math/scalar.hpp"

namespace invar {

/// f(x) = (λ − 1)² of a Green strain x with stretch λ = √(1 + 2x), accurate to round-off near 0. Has the interface
/// required by `trace_of_function`.
struct StretchDistance {
  /// f⁽ᵏ⁾(x), k ≥ 0:  f′ = 2 (λ − 1)/λ, then −2 λ⁽ᵏ⁾ with λ⁽ᵏ⁾ = 1·(−1)·(−3)… λ^(1 − 2k).
  template <class T>
  INVAR_INLINE T derivative(int k, const T& x) const {
    const T square = 1.0 + 2.0 * x, stretch = sqrt(square), excess = 2.0 * x / (1.0 + stretch);
    if (k == 0) return excess * excess;
    if (k == 1) return 2.0 * excess / stretch;
    T d = 2.0 / (stretch * square);  // k = 2
    for (int j = 2; j < k; ++j) d = d * (double(1 - 2 * j) / square);
    return d;
  }
  /// f′[a, b] = (f′(a) − f′(b))/(a − b), f″(a) where a = b.
  template <class T>
  INVAR_INLINE T divided_difference(const T& a, const T& b) const {
    const T la = sqrt(T(1.0 + 2.0 * a)), lb = sqrt(T(1.0 + 2.0 * b));
    return 4.0 / (la * lb * (la + lb));
  }
  /// Distance from x to the nearest singularity of f.
  template <class T>
  INVAR_INLINE T radius(const T& x) const {
    return 0.5 + x;
  }
};

}  // namespace invar
