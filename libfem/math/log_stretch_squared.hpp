#pragma once
#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"

namespace invar {

/// f(x) = ¼ ln²(1 + 2x) = (ln λ)² of a Green strain x with squared stretch λ² = 1 + 2x. f and f′ vanish at x = 0, and are
/// accurate to round-off near it.
struct LogStretchSquared {
  /// f⁽ᵏ⁾(x), k ≥ 0: ½ (−1)ᵏ⁻¹ (k − 1)! 2ᵏ (1 + 2x)⁻ᵏ (ln(1 + 2x) − 1 − ½ − … − 1/(k − 1)).
  template <class T>
  INVAR_INLINE T derivative(int k, const T& x) const {
    const T logarithm = log1p(T(2.0 * x));
    if (k == 0) return 0.25 * logarithm * logarithm;
    const T scale = 2.0 / (1.0 + 2.0 * x);
    T outer = 0.5 * scale;
    double harmonic = 0;
    for (int j = 1; j < k; ++j) outer = outer * (scale * -j), harmonic += 1.0 / j;
    return outer * (logarithm - harmonic);
  }
  /// Distance from x to the nearest singularity of f.
  template <class T>
  INVAR_INLINE T radius(const T& x) const {
    return 0.5 + x;
  }
};

}  // namespace invar
