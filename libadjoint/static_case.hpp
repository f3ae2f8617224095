#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/limit_point.hpp"
#include "libadjoint/linearization.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libadjoint/solve/pseudo_time_newton.hpp"

namespace invar {

class SharedSolves;

struct LoadSteppingOptions {
  /// Strategy where Newton's method fails from the state at rest, as far as the equation supports it.
  enum class Continuation {
    automatic,    // all strategies, the cheaper one first
    pseudo_time,  // pseudo-transient continuation at once (`PseudoTime`)
    easier,       // a sequence of easier equations (`Capabilities::continuation`)
    none
  };

  NewtonOptions newton;
  Continuation continuation = Continuation::automatic;
  int max_cuts = 8;         // largest number of times that a load step is halved
  bool warm_start = false;  // start from the states of the last successful run
  std::string continued = "the continuation parameter";  // name of the quantity that continuation scales, for reports
};

/// An experiment without time: equilibria at a sequence of load parameters. All states are kept. Equilibria depend on the
/// controls only, not on each other, so each has its own adjoint.
class StaticCase : public Case {
 public:
  StaticCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
             std::vector<double> times, double start, LoadSteppingOptions options);

  Vec state(int step) const { return states_[step]; }
  /// Largest load norm ‖r‖ of the last run.
  double force_scale() const { return force_scale_; }

  /// Writes an initial guess of the state at time t if no earlier run has one. Returns false if there is none. Without this
  /// function the guess is the state at rest. The monitor observes its solves.
  std::function<bool(const Controls& d, double t, Vec u, const std::shared_ptr<SolveMonitor>& monitor)> guess;

  /// States and adjoints are solved together with those of other cases from now on, as far as that succeeds. Each is accepted only if it
  /// satisfies this case's own equation.
  void share_solves(std::shared_ptr<SharedSolves> shared) { shared_ = std::move(shared); }
  double derivative_error() const override;

  using Case::run;
  /// The adjoint solves of a time follow its state solve at once, preconditioned by the last factors of Newton's method. If a
  /// seed couples steps, all adjoints are solved at the end. The states are replaced on success.
  ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) override;
  void restate(std::shared_ptr<const Controls> d) override {
    Case::restate(std::move(d));
    forget_linearization();
  }
  bool compare_values(bool on) override {
    options_.newton.to_floor = on;
    return false;
  }
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) override { solver_->set_monitor(std::move(monitor)); }
  std::vector<int> states_at_hand() const override { return first_steps(states_.size()); }
  void save(StateWriter& out) const override;
  void restore(StateReader& in) override;
  void visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) override;
  void with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) override;
  SolveReport quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                std::vector<double>& derivatives) override;
  SolveReport gradients(std::span<const Seed> seeds) override;
  SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                      Eigen::VectorXd& value_dot) override;
  SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) override;
  std::string why_no_second_derivatives() const override;

  /// Frees the factors and vectors of an iterative solver, for other systems that are solved before this one again. Returns false, with
  /// nothing freed, for direct methods, whose symbolic analysis is worth keeping, and where factors are kept for later operators.
  bool release_solver();

  // Derivatives of the states with respect to the controls, for code that uses them as a map (mesh motion).

  /// u_dot = ∂u/∂d · direction
  SolveReport state_jvp(int step, const Controls& direction, Vec u_dot);
  /// d_bar += (∂u/∂d)ᵀ u_bar
  SolveReport state_vjp(int step, Vec u_bar, Controls& d_bar);
  /// Derivative of the result of `state_vjp` along `direction` while u_bar changes by u_bar_dot.
  SolveReport state_vjp_tangent(int step, const Controls& direction, Vec u_bar, Vec u_bar_dot, Controls& d_bar_dot);

 private:
  /// u at load parameter t, with the present controls and continuation parameter.
  EvaluationPoint point(double t, Vec u) const;
  /// The kept state of a step.
  EvaluationPoint point(int step) const;
  /// Whether the equation supports continuation.
  bool continues() const { return residual_->capabilities().continuation; }
  /// Linear systems at a kept state; cached until another step or run is asked for.
  Linearization& linearization(int step);
  void forget_linearization() {
    linear_.reset();
    linearized_step_ = -1;
  }
  /// One strategy to compute the state of a step.
  struct Way {
    bool open;                      // available for this case and step
    std::function<bool(Vec u)> go;  // computes u from the state of the previous time; u is undefined after a failure
  };
  std::vector<Way> ways_to(int step, double from, ProcessReport& report, NewtonReport& newton);
  bool solve_step(int step, double from, Vec u, ProcessReport& report, NewtonReport& newton);
  bool solve_together(int step, Vec u, ProcessReport& report, NewtonReport& newton);
  std::optional<SolveReport> adjoint_together(const EvaluationPoint& u, Vec u_bar, Vec lambda);
  bool solve_by_continuation(double t, Vec u, ProcessReport& report, NewtonReport& newton);
  SolveReport move_in_parts(const EvaluationPoint& at, Vec u, Vec r, Vec du, SolveReport report);
  SolveReport predict(double t, Vec u, Vec r);
  bool approach(const EvaluationPoint& at, bool at_rest, Vec u, ProcessReport& report, NewtonReport& newton);
  bool advance_in_pseudo_time(double from, double t, Vec u, ProcessReport& report, NewtonReport& newton);
  bool follow(const EvaluationPoint& at, const PseudoTimeOptions& options, Vec u, ProcessReport& report, NewtonReport& newton);
  bool attempt(double to, Vec u, ProcessReport& report, NewtonReport& newton);
  bool watch(double t, double to, Vec u, Vec r, Vec du);
  bool ends_at_limit(double& from, double to, Vec u, ProcessReport& report, NewtonReport& newton);
  bool advance(double from, double to, Vec u, int depth, ProcessReport& report, NewtonReport& newton);
  std::string why_too_inexact(const NewtonReport& newton) const;
  std::optional<SolveReport> refused_derivatives() const;
  void observe(int step, Observable& observable, double* y) override;
  SolveReport coupled_seed_rates(const Controls& direction, std::vector<std::vector<double>>& rates);
  SolveReport add_second_adjoint(int step, const Controls& direction, Vec u_dot, Vec u_bar, Vec u_bar_dot,
                                 Controls& d_bar_dot);
  /// Returns the linear systems at a state; assembled on first use.
  using Systems = std::function<Linearization&()>;
  SolveReport add_adjoints(int step, const EvaluationPoint& u, std::span<const Seed> seeds,
                           const std::vector<Sensitivities>& of_seeds, const Systems& linear);
  SolveReport solve_adjoint(const EvaluationPoint& u, Vec u_bar, const Systems& linear, Controls& d_bar);

  std::shared_ptr<LinearSolver> solver_;
  double start_;             // load parameter at which u = 0 is in equilibrium
  LoadSteppingOptions options_;
  double force_scale_ = 0;   // largest load of this run, the scale of residuals
  LimitPoint limit_;
  double continuation_ = 1;  // continuation parameter of the present equation
  bool in_pseudo_time_ = false;  // use pseudo-time before Newton's method
  std::vector<VecHandle> states_;
  std::string inexact_;  // why the states are too inexact for derivatives; empty: they are accurate enough
  std::optional<Linearization> linear_;
  int linearized_step_ = -1;
  std::shared_ptr<SharedSolves> shared_;  // null: everything is solved here
  const VecHandle* present_ = nullptr;  // state of the step that `run` is solving
  int present_step_ = -1;
};

}  // namespace invar
