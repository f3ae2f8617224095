#pragma once
#include "libadjoint/optimize/search_run.hpp"
#include "libadjoint/optimize/stateful_optimizer.hpp"

namespace invar {

/// State of the method between iterations.
struct LevenbergMarquardtState : SearchState {
  double value_start = 0;  // J at the start
  double radius = 1e4;     // of the trust region
  int idle = 0;            // consecutive steps that have not changed J
  Eigen::VectorXd idle_move;  // Δθ of the last of them; empty: none
  Eigen::VectorXd rho;     // [m] at the iterate
  Eigen::MatrixXd drho;    // [m × n_shared]
  int held_back = 0;       // 1: the radius is below 1 since trials were rejected

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    SearchState::fields(s, a);
    a(s.value_start), a(s.radius), a(s.idle), a(s.idle_move), a(s.rho), a(s.drho);
    a.newer(s.held_back);
  }
  bool consistent() const { return drho.rows() == rho.size() && drho.cols() == theta.size() && (idle_move.size() == 0 || idle_move.size() == theta.size()); }
};

/// Trust-region Levenberg–Marquardt method with bounds (Ceres Solver, dense QR) for a LeastSquaresFunctional with few variables, all
/// shared. Every rank runs the same iteration with rank 0's residuals. A residual evaluation is followed by the Jacobian at the same point
/// or by none, so a functional that caches its last state solves each point once.
/// Active set: a variable at a bound is fixed while its gradient points outwards, because Ceres alone only clips steps that leave the box.
/// Step limits: no step changes a variable by more than LeastSquaresFunctional::largest_steps, a decade for logarithmic variables. Without
/// the limit a variable with little influence would jump by tens of decades, to where it has none. The other variables take their full
/// steps.
/// Gradient tolerance: it applies to the cosine of the angle between the residual and each free column of the Jacobian, which is
/// scale-invariant (Moré 1978, as in MINPACK); or, where the data can be fitted exactly, to the norm of the residual relative to the start.
/// Idle steps: the run also ends after three consecutive steps, accepted or not, that each change J by at most 1e-9 J. Such a change has no
/// statistical significance (a step of √(1e-9 (m − n)) standard errors) and may be due to errors of the states: in directions that the data
/// do not determine, steps would continue for ever. The final message names the variables that still move.
/// Ceres is called again for every step with the present trust-region radius. Its only other state is a scaling of the variables, which
/// does not influence the steps.
class LevenbergMarquardt final : public StatefulOptimizer<LevenbergMarquardtState> {
 public:
  explicit LevenbergMarquardt(OptimizerOptions options) : StatefulOptimizer(std::move(options)) {}
  /// Throws std::invalid_argument if the functional is no LeastSquaresFunctional, has local variables, or has terms that are no squares.
  OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) override;
};

}  // namespace invar
