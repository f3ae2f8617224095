#pragma once
#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// What the method keeps of its iterates.
struct LevenbergMarquardtState : SearchState {
  double value_start = 0;  // J at the start
  double radius = 1e4;     // of the trust region
  int idle = 0;            // steps in a row that have left J as it is
  Eigen::VectorXd idle_move;  // Δθ of the last of them; empty: none
  Eigen::VectorXd rho;     // [m] at the iterate
  Eigen::MatrixXd drho;    // [m × n_shared]

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.value_start), a(s.radius), a(s.idle), a(s.idle_move), a(s.rho), a(s.drho);
  }
  bool consistent() const { return drho.rows() == rho.size() && drho.cols() == theta.size() && (idle_move.size() == 0 || idle_move.size() == theta.size()); }
};

/// Trust-region Levenberg–Marquardt with bounds (Ceres Solver, dense QR) for a
/// LeastSquaresFunctional whose variables are all shared and few. Every rank runs the same
/// iteration on rank 0's residuals. A residual evaluation is followed by the Jacobian at the same
/// point or by none, so a functional that keeps its last state solves each point once.
///
/// Variables at a bound that the gradient pushes outwards are frozen until it pulls them back
/// (active set), because Ceres by itself only clips a step that leaves the box.
///
/// No step changes a variable by more than LeastSquaresFunctional::largest_steps says, for logarithmic ones a decade: a
/// variable on which the residuals hardly depend yet would leap by tens of decades, to where they do not depend on it
/// at all. The other variables take their steps in full.
///
/// The gradient tolerance holds for the cosine between the residual and every free column of the
/// Jacobian, which no scaling changes (Moré 1978, as in MINPACK), or, where the data can be met
/// exactly, for the norm of the residual over that of the start.
///
/// It ends, too, where three steps in a row, accepted or not, change J by at most 1e-9 of it each. Such a change is nothing to
/// statistics (a step of √(1e-9 (m − n)) standard errors), and may be all that errors of the states leave of J: where the data do not tell a
/// number, steps along it go on for ever at the same J. The reason names the variables that still move.
///
/// Ceres is called anew for every step and handed the trust region's radius: all else it would know is
/// a scaling of the variables, to which its steps are indifferent.
class LevenbergMarquardt final : public StatefulOptimizer<LevenbergMarquardtState> {
 public:
  explicit LevenbergMarquardt(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument when the functional is no LeastSquaresFunctional, has local
  /// variables, or has terms that are not squares.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
