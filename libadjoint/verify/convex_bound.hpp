#pragma once
#include <cmath>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// What a point of a convex problem guarantees: no admissible point has an objective below `bound`.
struct ConvexBound {
  Evaluation evaluation;  // of value and gradients; not ok where there is no bound, with the reason
  double value = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
  double multiplier = 0;  // of the constraint, where the bound is highest

  /// (J − bound)/|J|: the duality gap.
  double gap() const { return (value - bound) / (value != 0 ? std::abs(value) : 1); }
};

/// The bound from the tangent plane of a convex objective, which lies below it: J(y) ≥ J(θ) + g·(y − θ), minimised over
/// the finite bounds of y and at most one inequality that is affine in it. By Lagrange's dual, which any multiplier λ ≥
/// 0 makes a bound: J + Σ_j min over y_j of (g_j + λ a_j)(y_j − θ_j) − λ s with the slack s, concave and piecewise
/// linear in λ, maximised by bisection. (It is the gap of Frank and Wolfe, An algorithm for quadratic programming,
/// 1956; for compliance of a sheet of variable thickness the dual bound in the energies of cells.) Whether the problem
/// is convex the caller has to know. Collective; costs one evaluation with gradients.
ConvexBound convex_bound(ReducedFunctional& functional, const DesignVector& theta);

}  // namespace invar
