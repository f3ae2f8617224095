#pragma once
#include <Eigen/Dense>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/linearization.hpp"
#include "libadjoint/observable.hpp"
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/residual.hpp"
#include "libadjoint/solve/newton.hpp"

namespace invar {

/// Measured values of one observable along a process, or a quantity to be made small.
struct DataSet {
  std::string name;
  std::shared_ptr<Observable> observable;
  std::vector<int> steps;       // positions in the case's times at which it is measured
  std::vector<double> target;   // [steps × observable->size()]
  std::vector<double> noise;    // standard deviation σ of each, same layout; residuals are (y − target)/σ
  double weight = 1.0;          // multiplies the set's residuals
};

/// weight · Σ_steps Σ_i y_i: a quantity that is minimised as it is.
struct LinearTerm {
  std::string name;
  std::shared_ptr<Observable> observable;
  std::vector<int> steps;
  double weight = 1.0;
};

struct LoadSteppingOptions {
  NewtonOptions newton;
  int max_cuts = 8;         // how often a load step may be halved before the process has failed
  bool warm_start = false;  // begin at the states of the last successful run where there is one
};

/// What became of the process, for reports.
struct ProcessReport {
  bool ok = false;
  std::string reason;
  int newton_iterations = 0;
  int linear_iterations = 0;
  int cuts = 0;
};

/// One experiment: a residual solved at a sequence of times (load parameters), data to compare with
/// and quantities to minimise. States of all times are kept for the reverse sweep. Equilibria depend
/// on the controls alone and not on each other, so every time has an adjoint of its own.
class StaticCase {
 public:
  StaticCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
             std::vector<double> times, double start, LoadSteppingOptions options);

  const std::string& name() const { return name_; }
  Residual& residual() { return *residual_; }
  const std::vector<double>& times() const { return times_; }
  Vec state(int step) const { return states_[step]; }
  std::vector<DataSet>& data() { return data_; }
  const std::vector<DataSet>& data() const { return data_; }
  std::vector<LinearTerm>& terms() { return terms_; }
  int residual_count() const;

  /// Solves the process for the controls; failing is a report. On success the states are replaced.
  /// With d_bar the adjoint of each time follows its solve at once, preconditioned by the factors that
  /// Newton's method leaves behind: d_bar += dJ/dd, to be thrown away when the process fails.
  ProcessReport run(const Controls& d, Controls* d_bar = nullptr);
  /// Called after each accepted time.
  std::function<void(int step, const NewtonReport&)> on_step;

  // All of the following refer to the last successful `run`.

  /// Observed values of a data set, [steps × size].
  std::vector<double> observed(const DataSet& set);
  /// Weighted residuals of all data sets, one after the other.
  Eigen::VectorXd residuals();
  /// ½‖ρ‖² + terms
  double value();
  /// A quantity, its derivative along a direction, and d_bar += its gradient.
  double quantity(const LinearTerm& term);
  SolveReport quantity_tangent(const LinearTerm& term, const Controls& direction, double& derivative);
  SolveReport quantity_gradient(const LinearTerm& term, Controls& d_bar);
  /// d_bar += dJ/dd (shared entries: this rank's share).
  SolveReport gradient(Controls& d_bar);
  /// Derivatives of the residuals along each direction [residual × direction] and of the value.
  SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot, Eigen::VectorXd& value_dot);
  /// d_bar_dot += d²J/dd² · direction.
  SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot);

  // The states as functions of the controls, for what is built on them (mesh motion).

  /// u_dot = ∂u/∂d · direction
  SolveReport state_jvp(int step, const Controls& direction, Vec u_dot);
  /// d_bar += (∂u/∂d)ᵀ u_bar
  SolveReport state_vjp(int step, Vec u_bar, Controls& d_bar);
  /// The derivative of that along `direction` while u_bar moves by u_bar_dot.
  SolveReport state_vjp_tangent(int step, const Controls& direction, Vec u_bar, Vec u_bar_dot, Controls& d_bar_dot);

 private:
  void at_step(int step);
  /// The linear systems at a kept state; made once and used until another step or run asks.
  Linearization& linearization(int step);
  bool solve_step(int step, double from, Vec u, ProcessReport& report, NewtonReport& newton);
  bool ease_in(double t, Vec u, ProcessReport& report, NewtonReport& newton);
  bool advance(double from, double to, Vec u, int depth, ProcessReport& report, NewtonReport& newton);
  template <class Visit>
  void visit(int step, Vec u, Visit&& visit_observable);
  SolveReport add_second_adjoint(int step, const Controls& direction, Vec u_dot, Vec u_bar, Vec u_bar_dot,
                                 Controls& d_bar_dot);
  template <class Linear>
  SolveReport add_adjoint(int step, Vec u, Controls& d_bar, Linear&& linear);
  template <class Seed, class Linear>
  SolveReport pull_back(Vec u, Seed&& seed, Linear&& linear, Controls& d_bar);

  std::string name_;
  std::shared_ptr<Residual> residual_;
  std::shared_ptr<LinearSolver> solver_;
  std::vector<double> times_;
  double start_;             // load parameter at which u = 0 is in equilibrium
  LoadSteppingOptions options_;
  Controls controls_;
  double force_scale_ = 0;   // largest load met in this process: what residuals are measured against
  std::vector<VecHandle> states_;
  std::optional<Linearization> linear_;
  int linearized_step_ = -1;
  std::vector<DataSet> data_;
  std::vector<LinearTerm> terms_;
};

}  // namespace invar
