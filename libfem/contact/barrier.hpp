#pragma once
#include "libfem/math/dual_functions.hpp"

namespace invar {

// Barrier of contact in physical units (Li et al. 2023): potential b(d) = −d̂ (z − 1)² ln z [m], z = d/d̂, for
// 0 < d < d̂, and 0 for d ≥ d̂; twice continuously differentiable at d̂. The energy per surface area is κ b [J/m²], the pressure −κ
// b′ [Pa], with the stiffness κ [Pa]. T, H: numbers, duals, packs; d > 0.

/// b [m]
template <class T, class H>
INVAR_INLINE auto barrier(const T& d, const H& d_hat) {
  using R = decltype(d / d_hat);
  const R z = d / d_hat, gap = (d - d_hat) / d_hat;
  const R inside = -(d_hat * (gap * gap)) * log(z);
  return select(z < 1, inside, R(0));
}

/// −b′ = 2 (z − 1) ln z + (z − 1)²/z [1], the ratio of pressure to stiffness.
template <class T, class H>
INVAR_INLINE auto barrier_pressure(const T& d, const H& d_hat) {
  using R = decltype(d / d_hat);
  const R z = d / d_hat, gap = (d - d_hat) / d_hat;
  const R inside = gap * (2 * log(z) + gap / z);
  return select(z < 1, inside, R(0));
}

}  // namespace invar
