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
  std::vector<int> steps;       // positions in the case's times at which it is measured
  std::vector<double> target;   // [steps × observable->size()]
  std::vector<double> noise;    // standard deviation σ of each, same layout; residuals are (y − target)/σ
  double weight = 1.0;          // multiplies the set's residuals
  /// What is measured is one number made of the sums of the observable at all the steps: target and noise are one, too.
  /// Null: the values themselves.
  std::shared_ptr<const TimeStatistic> statistic = {};
  /// What is measured is the sum of the observable over all the steps: target and noise are [observable->size()].
  bool sums_steps = false;

  /// Whether the derivative of its residuals at one step depends on what is observed at others.
  bool couples_steps() const { return statistic || sums_steps; }
};

/// A number made of the sums Y_s = Σ_i y_i(s) of an observable at steps s of a process: weight · Σ_s w_s Y_s.
/// With a sharpness κ weight · ln(Σ_s w_s exp(κ Y_s)) / κ, which tends to the largest value as κ grows and to the
/// smallest as it falls. With `rms` weight · √(Σ_s w_s (Y_s − Ȳ)² / Σ_s w_s), where Ȳ = Σ_s w_s Y_s / Σ_s w_s;
/// while Y is constant that has no derivative, and zero stands for it.
struct ProcessTerm {
  std::string name;
  std::shared_ptr<Observable> observable;
  std::vector<int> steps;
  double weight = 1.0;
  std::vector<double> step_weights = {};  // w_s, not negative where κ or rms is given; empty: 1
  double sharpness = 0;                   // κ, 1/(unit of y); 0: none
  bool rms = false;
  /// weight · statistic of all Y_s, in place of all that.
  std::shared_ptr<const TimeStatistic> statistic = {};

  /// Whether its derivative at one step depends on what is observed at others.
  bool couples_steps() const { return rms || sharpness != 0 || statistic; }
};

/// What became of the process, for reports.
struct ProcessReport {
  bool ok = false;
  std::string reason;
  int newton_iterations = 0;
  int linear_iterations = 0;
  int cuts = 0;
};

/// One experiment: an equation solved at a sequence of times, data to compare with and quantities to
/// minimise. What follows `run` refers to the last run that succeeded. All calls are collective.
class Case {
 public:
  Case(std::string name, std::shared_ptr<Residual> residual, std::vector<double> times);
  virtual ~Case() = default;

  const std::string& name() const { return name_; }
  Residual& residual() { return *residual_; }
  /// Load parameters, or times: those that steps of data and terms are positions in.
  const std::vector<double>& times() const { return times_; }
  std::vector<DataSet>& data() { return data_; }
  const std::vector<DataSet>& data() const { return data_; }
  std::vector<ProcessTerm>& terms() { return terms_; }
  int residual_count() const;
  /// Registers a further quantity, besides data and terms, before the process is run.
  virtual void watch(const ProcessTerm&) {}

  /// Solves the process for the controls; failing is a report. The gradients of the seeds come along, from one sweep
  /// for all; they are to be thrown away when the process fails.
  virtual ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) = 0;
  /// The same for the objective alone: d_bar += dJ/dd.
  ProcessReport run(const Controls& d, Controls* d_bar) {
    const Seed objective{nullptr, d_bar};
    return run(d, std::span(&objective, d_bar ? 1 : 0));
  }
  /// What the next run begins with besides the controls, this rank's part; and puts it back after a run that
  /// succeeded, for an optimisation that goes on in another process. Nothing where every run begins alike.
  /// `restore` throws std::invalid_argument when that was another case's.
  virtual void save(StateWriter&) const {}
  virtual void restore(StateReader&) {}
  /// Positions in `times` of the states at hand, ascending: after a run that the monitor stopped, of those solved
  /// before that are kept, the last of them among them.
  virtual std::vector<int> states_at_hand() const = 0;
  /// Hears of all solves of the process from now on.
  virtual void set_monitor(std::shared_ptr<SolveMonitor> monitor) = 0;
  /// What makes a state inadmissible, and where, as the end of a sentence; for reports. Collective.
  std::function<std::string(const EvaluationPoint& u)> explain;
  /// What would be right where the constraints leave part of a state undetermined, for reports.
  std::string advice_if_singular = "constrain more of the unknown";
  /// Called after each accepted time.
  std::function<void(int step, const NewtonReport&)> on_step;

  /// Other controls that say the same of the states at hand, such as a number spread over the cells as a field:
  /// derivatives to come are by these. The residual's layout of them has changed accordingly.
  virtual void restate(std::shared_ptr<const Controls> d) { given_.controls = std::move(d); }
  /// The controls of the last run.
  const std::shared_ptr<const Controls>& controls() const { return given_.controls; }
  /// What the equation was given at a step of the last run.
  virtual Setting setting(int step) const { return given_.at(times_[step]); }
  /// Calls use(u) with the state that unknowns q of the equation stand for, where there are fewer of these
  /// (`ReducedResidual`): visits below show u. Without this function they show q. u is valid in the call only.
  std::function<void(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use)> unfold;
  /// Calls visit(step, state) for the times in their order. Both are valid in the call only.
  virtual void visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) = 0;
  /// The same for one of them.
  virtual void with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) = 0;
  /// Why a term, or data, have no value after a run that succeeded; empty: all have.
  std::string missing_statistic();
  std::string missing_statistic(const ProcessTerm& term);
  /// The same for what the seeds name.
  std::string missing_statistic(std::span<const Seed> seeds);
  /// Observed values of a data set, [steps × size], or the one number that its statistic makes of them.
  std::vector<double> observed(const DataSet& set);
  /// Weighted residuals of all data sets, one after the other.
  Eigen::VectorXd residuals();
  /// ½‖ρ‖² + terms
  double value();
  double quantity(const ProcessTerm& term);
  /// Estimated relative error of derivatives by the linear solves since the last call of `forget_errors`: the largest of a
  /// solve; of a process in time as large as the last adjoint has made it on its way.
  virtual double derivative_error() const;
  void forget_errors();
  /// While on, `tangent` and `quantity_tangents` add up the sizes of the terms that their derivatives are sums of, at
  /// the price of one `vjp` of each observable for each of its `jvp`.
  void measure_terms(bool on) { measures_terms_ = on; }
  /// Of the last such call, for each direction or quantity, Σ |ū_i u̇_i| + Σ |d̄_i ḋ_i| at all steps, where ū, d̄ are what
  /// `vjp` of the observables gives: round-off is relative to that, even where the sum cancels. Collective.
  std::vector<double> term_sizes() const;
  /// While on, runs take the steps in time of the last one that succeeded, and are solved until rounding ends it.
  /// False: a process without time.
  virtual bool compare_values(bool) { return false; }
  /// Σ_i y_i of an observable at each of the steps.
  std::vector<double> series(Observable& observable, const std::vector<int>& steps);

  /// One reverse sweep for all seeds: every step is recomputed, linearised and factorised once, whatever their number,
  /// and has one adjoint solve per seed that reads it or a later step.
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
  /// Derivatives of the residuals along each direction [residual × direction] and of the value.
  virtual SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                              Eigen::VectorXd& value_dot) = 0;
  /// d_bar_dot += d²J/dd² · direction.
  virtual SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) = 0;

 protected:
  /// use(u) for unknowns q, see `unfold`.
  void show(const EvaluationPoint& q, const std::function<void(const EvaluationPoint& u)>& use) const { unfold ? unfold(q, use) : use(q); }
  /// Hands the solver the residual's `MatrixHints` (blocks, near-null space, coarse space), and calls `use_errors_of`.
  void describe_matrix_to(LinearSolver& solver);
  /// `derivative_error` is the error of this solver, which must outlive the case.
  void use_errors_of(LinearSolver& solver) { derivative_solver_ = &solver; }
  /// y of an observable at a step of the last run.
  virtual void observe(int step, Observable& observable, double* y) = 0;
  /// The end of a run whose states were found: a failure where a number does not exist, else the gradients of the
  /// seeds.
  void finish_run(ProcessReport& report, std::span<const Seed> seeds);
  /// How a scalar depends on what an observable gives at one step.
  struct Sensitivity {
    Observable* observable;
    std::vector<double> y_bar;      // first derivatives, [size]
    std::vector<double> curvature;  // second derivatives, which are diagonal, [size]
  };
  /// Of one scalar, at each step.
  using Sensitivities = std::vector<std::vector<Sensitivity>>;
  /// Of J (term == nullptr) or of a term, at the steps from `first` to before `end`; empty at others. Only those need
  /// to be solved, unless the scalar couples steps. To be computed once per sweep: it costs as much as all steps.
  Sensitivities sensitivities(const ProcessTerm* term, int first, int end);
  Sensitivities sensitivities(const ProcessTerm* term = nullptr) {
    return sensitivities(term, 0, static_cast<int>(times_.size()));
  }
  /// ∂(quantity)/∂(Σ_i y_i) at each of the term's steps.
  std::vector<double> term_seeds(const ProcessTerm& term);
  /// Whether what the seed names has sensitivities that depend on other steps.
  bool couples_steps(const Seed& seed) const;
  std::vector<Sensitivities> sensitivities(std::span<const ProcessTerm* const> terms);
  /// At each step, whether one of the scalars reads it.
  std::vector<char> steps_read(std::span<const Sensitivities> scalars) const;
  /// What the residuals of the data make of an observable at one step: ρ̇ of the rows from `row` on is factor · ẏ.
  struct Measurement {
    Observable* observable;
    int row;
    bool summed;                 // all of ẏ goes into that one row
    bool coupled;                // so does ẏ at other steps
    std::vector<double> factor;  // [size]
  };
  /// At each step, from `first` to before `end`.
  std::vector<std::vector<Measurement>> measurements(int first, int end);
  std::vector<std::vector<Measurement>> measurements() { return measurements(0, static_cast<int>(times_.size())); }
  /// rho_dot's column, from u̇ at a step.
  static void add_residual_rates(const std::vector<Measurement>& at_step, const EvaluationPoint& u, const State& u_dot,
                                 const Controls& direction, int column, Eigen::MatrixXd& rho_dot);
  /// To be called before the rates of so many directions or scalars.
  void begin_rates(std::size_t count) { term_sizes_.assign(count, 0.0); }
  /// The derivative of a scalar along (u̇, direction) at a step. `which`: number of the direction, or of the scalar.
  double rate(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
              const Controls& direction, std::size_t which);
  /// u_bar and d_bar += the transpose of that.
  static void pull_back(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_bar, Controls* d_bar);
  /// At each step the observables that data and terms read there, each once.
  std::vector<std::vector<Observable*>> observables() const;
  static std::vector<int> first_steps(std::size_t count);

  std::string name_;
  std::shared_ptr<Residual> residual_;
  std::vector<double> times_;
  std::vector<DataSet> data_;
  std::vector<ProcessTerm> terms_;
  Setting given_;  // the controls of the last run, which may have failed

 private:
  Eigen::VectorXd residuals(int first, int end);
  void add_term_sizes(const std::vector<Sensitivity>& at_step, const EvaluationPoint& u, const State& u_dot,
                      const Controls& direction, std::size_t which);

  LinearSolver* derivative_solver_ = nullptr;
  bool measures_terms_ = false;
  std::vector<double> term_sizes_;  // this rank's part
};

}  // namespace invar
