#pragma once
#include "libadjoint/path/path_system.hpp"
#include "libadjoint/static_case.hpp"
#include "libadjoint/trim_number.hpp"

namespace invar {

/// Definition of a trim: the control α to determine and the condition c(u; d, α) = c₀ for it.
struct Trim {
  ProcessTerm quantity;        // c
  double target = 0;
  double scale = 1;            // typical size of c: c is met to 1e-11 of it, or to round-off
  int number = -1;             // position of the control α
  double largest_step = 5;     // largest change of α in one correction, in its unit
  std::string path;            // name of α in messages
  std::optional<PolarNumbers> polar = {};  // two controls that are functions of α
};

/// A steady case in which a control α is determined such that a quantity has a given value, for example the angle of attack of an airfoil
/// for a given lift:
///   r(u; d, α) = 0,   c(u; d, α) = c₀.
/// α is an unknown of every run; the first guess is the last solution. If a state is available, Newton's method for the bordered system
/// (`PathSystem`) finds u and α together, at about the cost of one state. An outer Newton iteration in α follows: it solves r = 0 for a
/// given α and uses dc/dα from the tangent. It starts from the result of the bordered solve, or from α alone if there is no state or that
/// solve fails, and it alone decides about convergence. Derivatives include α(d), dα/dd = −(dc/dd)/(dc/dα). Observables see the α that was
/// found. The control's own value is only a start and does not influence the result.
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
  /// ∂D/∂α at the present controls.
  Controls movement() const { return number_.movement_at(*given_.controls); }
  /// Solves for u and α together from the last state and `number`; replaces both on success.
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
  std::shared_ptr<LinearSolver> solver_;  // solver of the states
  LoadSteppingOptions stepping_;
  /// The bordered system and its solver; created on first use.
  struct Together {
    Together(const std::shared_ptr<Residual>& residual, UnknownNumber& number, const std::shared_ptr<Observable>& c, const LinearSolverOptions& options)
        : solver(residual->comm(), options), system(residual, number, c, solver) {}
    LinearSolver solver;
    PathSystem system;
  };
  std::unique_ptr<Together> together_;
  std::optional<double> found_;
  double slope_ = 0;
  bool has_slope_ = false;  // slope_ belongs to the present states
};

}  // namespace invar
