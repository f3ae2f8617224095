#pragma once
#include <cmath>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// A lower bound of a convex problem: no admissible point has an objective below `bound`.
struct ConvexBound {
  Evaluation evaluation;  // evaluation of value and gradients; not ok, with the reason, if there is no bound
  double value = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
  double multiplier = 0;  // Lagrange multiplier of the constraint that maximises the bound

  /// (J − bound)/|J|: the duality gap.
  double gap() const { return (value - bound) / (value != 0 ? std::abs(value) : 1); }
};

/// Bound from the tangent plane of a convex objective: J(y) ≥ J(θ) + g·(y − θ), minimised over the finite bounds of y
/// and at most one inequality constraint that is affine in y. By Lagrangian duality every multiplier λ ≥ 0 gives a
/// bound, J + Σ_j min over y_j of (g_j + λ a_j)(y_j − θ_j) − λ s with the slack s; it is concave and piecewise linear
/// in λ and maximised by bisection. (This is the gap of Frank and Wolfe, An algorithm for quadratic programming, 1956;
/// for the compliance of a sheet of variable thickness it is the dual bound in terms of cell energies.) Convexity is
/// not checked. Collective; costs one evaluation with gradients.
ConvexBound convex_bound(ReducedFunctional& functional, const DesignVector& theta);

}  // namespace invar
