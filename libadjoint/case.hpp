#pragma once
#include <Eigen/Dense>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libadjoint/residual.hpp"
#include "libadjoint/seed.hpp"
#include "libadjoint/solve/newton_report.hpp"
#include "libadjoint/solve/solve_monitor.hpp"
#include "libadjoint/state_archive.hpp"
#include "libadjoint/time_statistic.hpp"

namespace invar {

class LinearSolver;

/// Measured values of one observable along a process, or a quantity to be made small.
struct DataSet {
  std::string name;
  std::shared_ptr<Observable> observable;
  std::vector<int> steps;       // positions in the case's times at which the observable is measured
  std::vector<double> target;   // [steps × observable->size()]
  std::vector<double> noise;    // standard deviation σ of each, same layout; residuals are (y − target)/σ
  double weight = 1.0;          // multiplies the set's residuals
  /// If not null, the measured value is one number: this statistic of the sums of the observable at all the steps. `target` and `noise`
  /// then have one entry.
  std::shared_ptr<const TimeStatistic> statistic = {};
  /// True: the measured value is the sum of the observable over all the steps; `target` and `noise` are [observable->size()].
  bool sums_steps = false;

  /// Whether the derivative of the residuals at one step depends on values observed at other steps.
  bool couples_steps() const { return statistic || sums_steps; }
};

/// A scalar functional of the sums Y_s = Σ_i y_i(s) of an observable at steps s of a process: weight · Σ_s w_s Y_s. With a sharpness κ it
/// is weight · ln(Σ_s w_s exp(κ Y_s)) / κ, which tends to the largest value for κ → ∞ and to the smallest for κ → −∞. With `rms` it is
/// weight · √(Σ_s w_s (Y_s − Ȳ)² / Σ_s w_s), where Ȳ = Σ_s w_s Y_s / Σ_s w_s; where Y is constant this has no derivative, and zero is
/// used.
struct ProcessTerm {
  std::string name;
  std::shared_ptr<Observable> observable;
  std::vector<int> steps;
  double weight = 1.0;
  std::vector<double> step_weights = {};  // w_s, not negative with κ or rms; empty: 1
  double sharpness = 0;                   // κ, 1/(unit of y); 0: not used
  bool rms = false;
  /// If not null, the term is weight · statistic of all Y_s, and the fields above do not apply.
  std::shared_ptr<const TimeStatistic> statistic = {};

  /// Whether the derivative at one step depends on values observed at other steps.
  bool couples_steps() const { return rms || sharpness != 0 || statistic; }
};

/// Outcome of a process, for reports.
struct ProcessReport {
  bool ok = false;
  std::string reason;
  int newton_iterations = 0;
  int linear_iterations = 0;
  int cuts = 0;
};

/// One experiment: an equation solved at a sequence of times, data to compare with, and quantities to minimise. All functions after `run`
/// refer to the last successful run. All calls are collective.
class Case {
 public:
  Case(std::string name, std::shared_ptr<Residual> residual, std::vector<double> times);
  virtual ~Case() = default;

  const std::string& name() const { return name_; }
  Residual& residual() { return *residual_; }
  /// Load parameters or times. The steps of data and terms are positions in this vector.
  const std::vector<double>& times() const { return times_; }
  std::vector<DataSet>& data() { return data_; }
  const std::vector<DataSet>& data() const { return data_; }
  std::vector<ProcessTerm>& terms() { return terms_; }
  int residual_count() const;
  /// Registers a further quantity, besides data and terms, before the process is run.
  virtual void watch(const ProcessTerm&) {}

  /// Solves the process for the controls d; a failure is a report. Gradients of the seeds are computed in the same call, by one reverse
  /// sweep for all. Discard them if the process fails.
  virtual ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) = 0;
  /// The same for the objective alone: d_bar += dJ/dd.
  ProcessReport run(const Controls& d, Controls* d_bar) {
    const Seed objective{nullptr, d_bar};
    return run(d, std::span(&objective, d_bar ? 1 : 0));
  }
  /// `save` writes this rank's part of the data, other than the controls, on which the next run depends; `restore` reads it back in
  /// another process, to continue an optimisation. Nothing is written where all runs start alike. `restore` throws std::invalid_argument
  /// if the data belong to another case.
  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}
  /// Positions in `times` of the states that are available, ascending. After a run that the monitor stopped: the kept states that were
  /// solved before, including the last one.
  virtual std::vector<int> states_at_hand() const = 0;
  /// The monitor observes all solves of the process from now on.
  virtual void set_monitor(std::shared_ptr<SolveMonitor> monitor) = 0;
  /// Describes what makes a state inadmissible, and where, as the end of a sentence, for reports. Collective.
  std::function<std::string(const EvaluationPoint& u)> explain;
  /// Describes an unknown, given by its global number; collective. Without this function messages contain the number.
  std::function<std::string(PetscInt row)> name_unknown;
  /// Advice for reports about a singular matrix: the constraints leave part of the state undetermined.
  std::string advice_if_singular = "constrain more of the unknown";
  /// Called in each run before its first step; sweeps and visits between runs do not call it.
  std::function<void()> on_start;
  /// Called after each accepted time.
  std::function<void(int step, const NewtonReport&)> on_step;

  /// Replaces the controls by an equivalent set for which the present states remain valid, such as a number expanded to a field over the
  /// cells. Derivatives are then with respect to these. The residual's control layout must have been changed accordingly.
  virtual void restate(std::shared_ptr<const Controls> d) { given_.controls = std::move(d); }
  /// The controls of the last run.
  const std::shared_ptr<const Controls>& controls() const { return given_.controls; }
  /// The setting of the equation at a step of the last run.
  virtual Setting setting(int step) const { return given_.at(times_[step]); }
  /// Maps a state of reduced unknowns q (`ReducedResidual`) to the full state u and calls use(u). The functions below then pass u to their
  /// callbacks; without this function they pass q. u is valid during the call only.
  std::function<void(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use)> unfold;
  /// Calls visit(step, state) for all times in order. The state is valid during the call only.
  virtual void visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) = 0;
  /// Calls use(state) for one step.
  virtual void with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) = 0;
  /// Why a term or data set has no value after a successful run; empty: all have values.
  std::string missing_statistic();
  std::string missing_statistic(const ProcessTerm& term);
  /// The same for the terms of the seeds.
  std::string missing_statistic(std::span<const Seed> seeds);
  /// Values of a data set as computed: [steps × size], or the one number of its statistic.
  std::vector<double> observed(const DataSet& set);
  /// Weighted residuals of all data sets, concatenated.
  Eigen::VectorXd residuals();
  /// ½‖ρ‖² + terms
  double value();
  double quantity(const ProcessTerm& term);
  /// Estimated relative error of derivatives due to inexact linear solves since the last call of `forget_errors`: the largest error of a
  /// solve. For a transient process it includes the growth of the adjoint over the sweep.
  virtual double derivative_error() const;
  void forget_errors();
  /// While on, `tangent` and `quantity_tangents` add up the magnitudes of the terms of each derivative. This costs one `vjp` of each
  /// observable per `jvp`.
  void measure_terms(bool on) { measures_terms_ = on; }
  /// Result of the last such call, for each direction or quantity: Σ |ū_i u̇_i| + Σ |d̄_i ḋ_i| over all steps, where ū, d̄ are the results
  /// of the observables' `vjp`. Round-off is relative to this sum, even where the derivative cancels. Collective.
  std::vector<double> term_sizes() const;
  /// While on, runs repeat the time steps of the last successful run, and Newton's method iterates down to round-off. Returns false for a
  /// process without time.
  virtual bool compare_values(bool) { return false; }
  /// Σ_i y_i of an observable at each of the steps.
  std::vector<double> series(Observable& observable, const std::vector<int>& steps);

  /// Gradients of all seeds in one reverse sweep. Every step is recomputed, linearised and factorised once for all seeds; a seed that
  /// depends on the step or a later one adds one adjoint solve.
  virtual SolveReport gradients(std::span<const Seed> seeds) = 0;
  /// d_bar += dJ/dd
  SolveReport gradient(Controls& d_bar) {
    const Seed objective{nullptr, &d_bar};
    return gradients({&objective, 1});
  }
  /// d_bar += d(quantity)/dd
  SolveReport quantity_gradient(const ProcessTerm& term, Controls& d_bar) {
    const Seed quantity{&term, &d_bar};
    return gradients({&quantity, 1});
  }
  /// Derivatives of quantities along a direction, [terms], by one tangent sweep for all.
  virtual SolveReport quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                        std::vector<double>& derivatives) = 0;
  SolveReport quantity_tangent(const ProcessTerm& term, const Controls& direction, double& derivative);
  /// Derivatives of the residuals along each direction [residual × direction], and of the value [direction].
  virtual SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                              Eigen::VectorXd& value_dot) = 0;
  /// d_bar_dot += d²J/dd² · direction. A failed report where there are none.
  virtual SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) = 0;
  /// Why not, as a sentence without its end; empty: it has second derivatives.
  virtual std::string why_no_second_derivatives() const = 0;

 protected:
  /// Report of a `hessian_action` that is not offered.
  SolveReport without_second_derivatives() const {
    SolveReport none;
    none.reason = "second derivatives: " + why_no_second_derivatives();
    return none;
  }
  /// Calls use(u) with the full state of the unknowns q, see `unfold`.
  void show(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use) const { unfold ? unfold(q, use) : use(q); }
  /// Passes the residual's `MatrixHints` (blocks, near-null space, coarse space) to the solver, and calls `use_errors_of`.
  void describe_matrix_to(LinearSolver& solver);
  /// `derivative_error` reports the error of this solver, which must outlive the case.
  void use_errors_of(LinearSolver& solver) { derivative_solver_ = &solver; }
  /// Evaluates an observable at a step of the last run; y: [observable.size()].
  virtual void observe(int step, Observable& observable, double* y) = 0;
  /// The unknown where the null vector of a singular matrix is largest, in parentheses, for reports; empty if it is not known. Collective.
  std::string singular_unknown(const SolveReport& solve) const {
    return solve.singular && solve.singular_dof >= 0 && name_unknown ? " (" + name_unknown(solve.singular_dof) + ")" : "";
  }
  /// Begins a run at this state, with its sparsity pattern whatever was solved before, and calls `on_start`. Returns why it cannot begin: the
  /// step limit does not admit the state. Empty: it has begun. Collective.
  std::string begin_from(const EvaluationPoint& start);
  /// Completes a run whose states were found: reports a failure if a statistic does not exist, else computes the gradients of the seeds.
  void finish_run(ProcessReport& report, std::span<const Seed> seeds);
  /// Derivatives of a scalar with respect to the values of an observable at one step.
  struct Sensitivity {
    Observable* observable;
    std::vector<double> y_bar;      // first derivatives, [size]
    std::vector<double> curvature;  // second derivatives (a diagonal matrix), [size]
  };
  /// Sensitivities of one scalar at each step.
  using Sensitivities = std::vector<std::vector<Sensitivity>>;
  /// Sensitivities of J (term == nullptr) or of a term at the steps first ≤ s < end; empty at other steps. Only these steps need to be
  /// solved, unless the scalar couples steps. Compute once per sweep: the cost is that of all steps.
  Sensitivities sensitivities(const ProcessTerm* term, int first, int end);
  Sensitivities sensitivities(const ProcessTerm* term = nullptr) {
    return sensitivities(term, 0, static_cast<int>(times_.size()));
  }
  /// ∂(quantity)/∂(Σ_i y_i) at each of the term's steps.
  std::vector<double> term_seeds(const ProcessTerm& term);
  /// Rates of `term_seeds` when the sums Σ_i y_i of the term's observable at its steps change by y_dot, for terms that couple steps
  /// without a statistic.
  std::vector<double> seed_rates(const ProcessTerm& term, const std::vector<double>& y_dot);
  /// For second derivatives of the objective at one step: adds its derivatives to u_bar and d_bar (null: not wanted), and their rates along
  /// (u̇, direction) to u_bar_dot and d_bar_dot. seeds_dot: `seed_rates` of each term, or empty.
  void add_seeds_and_rates(const std::vector<Sensitivity>& at_step, const std::vector<std::vector<double>>& seeds_dot, int step, const EvaluationPoint& u,
                           const State& u_dot, const Controls& direction, const State& u_bar, Controls* d_bar, const State& u_bar_dot, Controls& d_bar_dot);
  /// Whether the scalar of the seed has sensitivities that depend on other steps.
  bool couples_steps(const Seed& seed) const;
  std::vector<Sensitivities> sensitivities(std::span<const ProcessTerm* const> terms);
  /// Flag of each step: whether one of the scalars depends on it.
  std::vector<char> steps_read(std::span<const Sensitivities> scalars) const;
  /// Contribution of an observable at one step to the data residuals: ρ̇ = factor · ẏ in the rows from `row` on.
  struct Measurement {
    Observable* observable;
    int row;
    bool summed;                 // all entries of ẏ are added to that one row
    bool coupled;                // so is ẏ at other steps
    std::vector<double> factor;  // [size]
  };
  /// Measurements at the steps first ≤ s < end.
  std::vector<std::vector<Measurement>> measurements(int first, int end);
  std::vector<std::vector<Measurement>> measurements() { return measurements(0, static_cast<int>(times_.size())); }
  /// Adds to a column of rho_dot the contribution of u̇ at one step.
  static void add_residual_rates(const std::vector<Measurement>& at_step, const EvaluationPoint& u, const State& u_dot,
                                 const Controls& direction, int column, Eigen::MatrixXd& rho_dot);
  /// Call before the rates of `count` directions or scalars.
  void begin_rates(std::size_t count) { term_sizes_.assign(count, 0.0); }
  /// Derivative of a scalar along (u̇, direction) at a step. `which`: index of the direction or of the scalar.
  double rate(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
              const Controls& direction, std::size_t which);
  /// Adds the transpose to u_bar and d_bar.
  static void pull_back(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_bar, Controls* d_bar);
  /// The observables that data and terms evaluate at each step, without duplicates.
  std::vector<std::vector<Observable*>> observables() const;
  static std::vector<int> first_steps(std::size_t count);

  std::string name_;
  std::shared_ptr<Residual> residual_;
  std::vector<double> times_;
  std::vector<DataSet> data_;
  std::vector<ProcessTerm> terms_;
  Setting given_;  // controls of the last run, also if it failed

 private:
  Eigen::VectorXd residuals(int first, int end);
  void add_term_sizes(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
                      const Controls& direction, std::size_t which);

  LinearSolver* derivative_solver_ = nullptr;
  bool measures_terms_ = false;
  std::vector<double> term_sizes_;  // this rank's part
};

}  // namespace invar
