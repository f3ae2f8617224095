#pragma once
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// Trust-region Levenberg–Marquardt with bounds (Ceres Solver, dense QR) for a
/// LeastSquaresFunctional whose variables are all shared and few. Every rank runs the same
/// iteration on rank 0's residuals. A residual evaluation is followed by the Jacobian at the same
/// point or by none, so a functional that keeps its last state solves each point once.
///
/// Variables at a bound that the gradient pushes outwards are frozen until it pulls them back
/// (active set), because Ceres by itself only clips a step that leaves the box.
///
/// The gradient tolerance holds for the cosine between the residual and every free column of the
/// Jacobian, which no scaling changes (Moré 1978, as in MINPACK), or, where the data can be met
/// exactly, for the norm of the residual over that of the start.
class LevenbergMarquardt final : public Optimizer {
 public:
  explicit LevenbergMarquardt(OptimizerOptions options) : options_(std::move(options)) {}
  /// Throws std::invalid_argument when the functional is no LeastSquaresFunctional, has local
  /// variables, or has terms that are not squares.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;

 private:
  OptimizerOptions options_;
};

}  // namespace invar
