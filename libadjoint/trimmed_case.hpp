#pragma once
#include "libadjoint/path/path_system.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/trim_number.hpp"

namespace invar {

/// What a number of the controls is found by.
struct Trim {
  ProcessTerm quantity;        // c
  double target = 0;
  double scale = 1;            // typical size of c: it is met to 1e-11 of that, or to what rounding leaves
  int number = -1;             // the control that is found
  double largest_step = 5;     // most that one correction changes it by, in its unit
  std::string path;            // as messages name it
  std::optional<PolarNumbers> polar = {};  // that follow from it
};

/// A steady case in which a number is found such that a quantity has a given value, as an airfoil's angle of attack for
/// its lift:
///   r(u; d, α) = 0,   c(u; d, α) = c₀.
/// α is an unknown of every run, which begins with the last one found. From a state at hand Newton's method finds u and
/// α at once, which costs about as much as one state (`PathSystem`). What it finds is the start of Newton's method in α
/// around the solutions of r = 0, with dc/dα by the tangent, which begins there without such a state and by itself where
/// the first fails, and which alone decides what is a solution. Derivatives are those of the whole: what depends on d also depends on α(d), dα/dd =
/// −(dc/dd)/(dc/dα). What is observed sees the number that was found. The value of the control itself is a start and
/// has no influence.
class TrimmedCase final : public StaticCase {
 public:
  TrimmedCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver, std::vector<double> times,
              double start, LoadSteppingOptions options, Trim trim);

  using Case::run;
  ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) override;
  void save(StateWriter& out) const override;
  void restore(StateReader& in) override;
  SolveReport quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                std::vector<double>& derivatives) override;
  SolveReport gradients(std::span<const Seed> seeds) override;
  SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot, Eigen::VectorXd& value_dot) override;
  SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) override;

 private:
  /// How the controls move with α.
  Controls movement() const { return number_.movement_at(*given_.controls); }
  /// u and α at d from the last state and `number`, both replaced where that succeeds.
  bool find_together(const Controls& d, double& number, ProcessReport& total);
  /// dc/dα
  SolveReport find_slope();
  /// α̇ along a direction of the other controls.
  SolveReport rate_along(const Controls& direction, double& number_dot);
  double along(const Controls& movement, const Controls& d_bar) const { return TrimNumber::along(movement, d_bar, residual_->comm()); }
  /// direction + α̇ ∂d/∂α
  Controls moved(const Controls& direction, double number_dot) const;

  Trim trim_;
  TrimNumber number_;
  std::shared_ptr<LinearSolver> solver_;  // of the states
  LoadSteppingOptions stepping_;
  /// The equations of both; made when they are first needed.
  struct Together {
    Together(const std::shared_ptr<Residual>& residual, UnknownNumber& number, const std::shared_ptr<Observable>& c, const LinearSolverOptions& options)
        : solver(residual->comm(), options), system(residual, number, c, solver) {}
    LinearSolver solver;
    PathSystem system;
  };
  std::unique_ptr<Together> together_;
  std::optional<double> found_;
  double slope_ = 0;
  bool has_slope_ = false;  // at the present states
};

}  // namespace invar
