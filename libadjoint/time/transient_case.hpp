#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/linearization.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libadjoint/time/checkpoint_schedule.hpp"
#include "libadjoint/time/factor_store.hpp"
#include "libadjoint/time/refactorisation_policy.hpp"
#include "libadjoint/time/reused_tangent.hpp"
#include "libadjoint/time/reverse_sweep.hpp"
#include "libadjoint/time/solution_extrapolation.hpp"
#include "libadjoint/time/step_residual.hpp"
#include "libadjoint/time/time_scheme.hpp"

namespace invar {

struct MarchOptions {
  NewtonOptions newton;
  int max_cuts = 8;              // largest number of times that a step is halved in a row
  int factor_interval = 1;       // steps per factorisation, which preconditions those after the first
  bool by_work = false;          // refactorise earlier if the counted work says so (RefactorisationPolicy)
  double making = 0;             // work of a factorisation in Krylov iterations; 0: counted (LinearSolver::factors_in_iterations)
  double tolerance = 0;          // on the error of a step by backward Euler, relative to the largest state so far;
                                 // 0: no adaptive steps
  Trajectory::Options storage;   // where states are kept for the reverse sweep; also factors of the march, if memory is limited
                                 // and holds all states and more
  std::shared_ptr<Evolution> start = {};  // the initial state, in place of the equation's own; null: that
  int horizon = 0;               // steps that the reverse sweep goes back; 0: all
};

/// Cost of the last march and sweep, and sensitivity of the problem to its past.
struct MarchReport {
  /// A step for which Newton's method failed, and the remedy.
  struct Trouble {
    double begin = 0, length = 0;
    bool divided = false;  // true: divided; false: reached by continuation in the step length
    std::string reason;    // why Newton's method failed
  };

  int steps = 0, rejected = 0;                        // solves of the trajectory; steps tried in vain
  long newton_iterations = 0, linear_solves = 0;      // of the march, including failed ones
  long linear_iterations = 0, factorisations = 0;     // Krylov iterations and factorisations of the march
  long repeated_steps = 0, adjoint_solves = 0;        // recomputed solves, and solves of the last sweep
  long adjoint_iterations = 0, adjoint_factorisations = 0;
  double march_seconds = 0, sweep_seconds = 0;        // of a processor, of march and last sweep on this rank
  bool keeps_all = true;
  int slots = 0;
  int kept_factors = 0;          // factors of the march kept for the sweep, and their bytes on this rank
  std::size_t factor_bytes = 0;
  /// Of the last sweep, latest first: end of a step, and the largest true relative residual of its adjoint solves over all seeds.
  std::vector<std::array<double, 2>> adjoint_residuals;
  /// Rate σ of ‖h̄(t)‖ ~ exp(σ (T − t)) by least squares over the sweep [1/s], the largest of all seeds. ‖h̄‖ is relative to the
  /// accumulated derivatives of the observables, so a sum over time of an insensitive motion does not count as growth. If σ T is large, the
  /// gradient of this trajectory says little about neighbouring designs.
  double adjoint_growth = 0;
  std::vector<Trouble> troubles;

  double largest_adjoint_residual() const {
    double largest = 0;
    for (const auto& [end, residual] : adjoint_residuals) largest = std::max(largest, residual);
    return largest;
  }
};

/// A time-dependent experiment: marches from the initial state through all given times with a time scheme, and sweeps back for the adjoint.
/// There is one step between two given times, or more if one fails or its error is too large. March, tangent and adjoint use the scheme
/// only through its tables. Derivatives are those of the steps taken; step lengths are not differentiated.
/// Positions in `times` used by data and terms: 0 is the initial state.
class TransientCase final : public Case {
 public:
  /// times: ascending; the first is the initial time.
  TransientCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                TimeScheme scheme, std::vector<double> times, MarchOptions options);

  void watch(const ProcessTerm& term) override { watched_.push_back(term.observable); }
  using Case::run;
  ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) override;
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) override { solver_->set_monitor(std::move(monitor)); }
  std::vector<int> states_at_hand() const override;
  void save(StateWriter& out) const override { out(static_cast<int>(solver_->went_direct())); }
  void restore(StateReader& in) override {
    int direct = 0;
    in(direct);
    if (direct) solver_->go_on_directly();
  }
  void visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) override;
  void with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) override;
  SolveReport quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                std::vector<double>& derivatives) override;
  SolveReport gradients(std::span<const Seed> seeds) override;
  SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                      Eigen::VectorXd& value_dot) override;
  /// By the tangent of the march along the direction, and one reverse sweep together with its derivative along that direction: three linear
  /// solves per step. The rates of states are kept within the memory that states and factors leave, with a schedule of their own; states are
  /// recomputed where they are not kept. Throws StorageError if a single rate does not fit.
  SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) override;
  std::string why_no_second_derivatives() const override;
  double derivative_error() const override;

  bool compare_values(bool on) override;
  /// Begins later marches with these history variables, which are constant with respect to the controls; null: zero.
  void begin_with_memory(VecHandle memory) { start_memory_ = std::move(memory); }
  /// Steps that later sweeps go back, 0 for all.
  void set_horizon(int steps) { options_.horizon = steps; }
  /// Whether later runs keep states in single precision.
  void set_single_precision(bool on) { options_.storage.single_precision = on; }

  const MarchReport& march_report() const { return report_; }
  /// Lengths of the accepted steps.
  std::vector<double> step_lengths() const;

 protected:
  void observe(int step, Observable& observable, double* y) override;

 private:
  /// One solve: a stage of a step, or the initial acceleration.
  struct Step {
    double begin = 0, length = 0, before = 0, earlier = 0;  // lengths of the two previous steps
    int stage = 0;
    int mark = -1;       // position in times at which it ends; −1: none
    int to = 0;          // for repeated steps: the next position in times
    bool starts = false;
    bool fresh = false;  // needs new factors
  };
  /// A step that could not be solved, nor any fraction of it from the same state down to the shortest tried.
  struct Unsolved {
    double begin, length, shortest;
    NewtonReport newton;
  };
  enum class Outcome { taken, failed, inaccurate };
  /// State of one seed's reverse sweep.
  struct Adjoint {
    const ProcessTerm* term;  // null: the objective
    Sensitivities reads;
    Controls* d_bar;
    History history_bar;                            // h̄, the derivative by the present state of the sweep
    std::vector<std::pair<double, double>> sizes;   // time, ‖h̄‖ relative to `read`
    std::vector<SolutionExtrapolation> lambdas;          // initial guesses of λ for each stage
    double read = 0;                                // Σ ‖∂J/∂u‖ at the times passed so far
  };

  /// A pass of `hessian_action`: derivatives ·̇ are along its direction.
  struct SecondOrder {
    const Controls& direction;
    Controls& d_bar_dot;
    Sensitivities reads;                                  // of the objective
    std::vector<std::vector<double>> sums_dot, seeds_dot; // of terms that couple steps: rates of the observable's sums, and of the seeds
    History history_bar, history_bar_dot;                 // h̄ of the present state of the sweep, and its rate
    SolveReport last;                                     // solve
  };

  /// Norms of the solutions of derivative solves, and of the residuals left, ‖·‖₂ by step number.
  struct SolveSizes {
    std::vector<double> solution, left;
  };

  using MarkVisit = std::function<void(int mark, const EvaluationPoint& u)>;
  using StepVisit = std::function<void(int number, const MarchState& before, const MarchState& after)>;
  using RateVisit = std::function<void(int direction, int mark, const EvaluationPoint& u, const State& u_dot)>;

  static std::vector<double> lengths_between(const std::vector<double>& times);
  static const double* known_length(const std::vector<double>& lengths, double h, const std::vector<double>& times);
  StepTable table_of(const Step& step) const;
  std::vector<int> observed_with(const Step& step) const;
  Vec unknown_of(const StepTable& table, const MarchState& after) const;

  /// x with the present setting.
  EvaluationPoint point(Vec x) const { return {x, given_}; }
  Setting beginning() const;
  double first_length() const { return times_[1] - times_[0]; }

  MarchState initial_state();
  bool begin_march(MarchState& state, ProcessReport& report);
  bool advance_to(int mark, MarchState& state, ProcessReport& report);
  bool repeat_to(int mark, MarchState& state, ProcessReport& report);
  Outcome attempt(Step step, MarchState& state, ProcessReport& report);
  NewtonReport solve(const Step& step, MarchState& state);
  bool fails_as_before(const Step& step, const MarchState& state);
  NewtonReport approach(const Step& step, const MarchState& state, NewtonReport first, double& force, Vec x);
  NewtonReport converge(const Step& step, const MarchState& state, Vec guess, double& force_scale, Vec x, SolutionExtrapolation* forecast = nullptr);
  NewtonReport solve_from(ResidualSystem& system, Vec x, Vec r, double force, bool near);
  bool keep_allowed(Vec before, Vec x);
  bool is_allowed(Vec before, Vec x);
  bool improves(ResidualSystem& system, Vec before, Vec x, Vec r, double load);
  bool moves_held(Vec x);
  std::optional<double> take_linear_step(Vec x, const MarchState* start = nullptr, double t = 0);
  bool begins_with_factors(const Step& step) const;
  double stable_length(double t, double length, const MarchState& state);
  std::string unstable_at(double t, double length, const MarchState& state);
  void report_step(double begin, double length, const std::string& what, const std::string& why);
  void count(const NewtonReport& newton, ProcessReport& report);
  double local_error(Vec before, Vec after, double length);
  double size_of(Vec v) const;
  void observe_at(const Step& step, const MarchState& before, const MarchState& after, const MarkVisit& use);
  void record_observations(int mark, const EvaluationPoint& u);

  void begin_keeping(const MarchState& like);
  /// Number of solves of a march without divided steps.
  long expected_solves() const { return static_cast<long>(times_.size() - 1) * scheme_.stages() + scheme_.needs_start(); }
  void keep_step(int number, const MarchState& before, const MarchState& after);
  std::size_t room_for_factors(long states, const MarchState& like) const;
  void keep_factors();
  void keep_factors_of_start();
  /// Recomputes step `number` of the march.
  void retake(int number, MarchState& state);
  void march_again();
  int first_of(int block) const { return blocks_[block - 1]; }
  int last_of(int block) const;
  bool begins_block(int number) const { return std::ranges::binary_search(blocks_, number); }
  bool asks_for_block(const Step& next) const;
  void begin_step(Step& step);
  void take_back(std::size_t taken);
  void note_work(const NewtonReport& newton, int factorisations_before);
  std::vector<MarchState> states_of(int block, const MarchState& begin, const MarchState* end = nullptr);
  /// Calls visit for all steps, numbers 1, 2, ….
  void march_through(const StepVisit& visit);

  int block_of(int number) const { return static_cast<int>(std::ranges::upper_bound(blocks_, number) - blocks_.begin()); }
  Linearization linearized(int number, Vec x);
  void note_work(const SolveReport& solve);
  std::vector<SolutionExtrapolation> forecasts() const;
  bool has_extrapolation(const Step& step) const;
  double making() const;
  SolveReport march_tangent(const std::vector<Controls>& directions, const RateVisit& visit);
  void visit_backwards(const StepVisit& visit);
  void reverse(int number, const MarchState& before, const MarchState& after, std::vector<Adjoint>& adjoints,
               SolveReport& report);
  void pull_back_step(Vec x, Vec lambda, Vec x_bar, History& history_bar, Controls& d_bar);
  SolveReport pull_back_initial(std::vector<Adjoint>& adjoints);
  static double growth_rate(const std::vector<Adjoint>& adjoints);

  MarchState initial_rate(const Controls& direction, SolveReport& report);
  std::vector<MarchState> rates_of(int block, const std::vector<MarchState>& states, const MarchState& begin, const MarchState* end, SecondOrder& pass);
  void note_sums(int mark, const EvaluationPoint& u, const State& u_dot, SecondOrder& pass);
  void reverse_second_order(int number, const MarchState& before, const MarchState& after, const MarchState& rate_before, const MarchState& rate_after,
                            SecondOrder& pass);
  SolveReport negative_multiplier(Linearization& linear, Vec x, Vec x_bar, Vec multiplier);
  Trajectory::Options room_for_rates();
  double error_between(const ProcessTerm* term, const SolveSizes& tangent) const;

  std::shared_ptr<LinearSolver> solver_;
  TimeScheme scheme_;
  MarchOptions options_;
  std::vector<double> lengths_;  // between the times, ascending
  StepResidual step_;
  RowSet without_rate_;        // unknowns
  Evolution* evolution_;       // of the equation, or of the options; null: starts with zeros
  SolveReport start_report_;   // of the last initial state
  VecHandle start_memory_;     // history variables; null: zero
  std::vector<Step> steps_;
  std::vector<int> blocks_;    // numbers of the first steps of blocks; a block shares one factorisation
  RefactorisationPolicy pace_;            // of the march; then that of derivatives,
  RefactorisationPolicy derivative_pace_;
  bool on_own_factors_ = false;  // true: derivatives have their own factors in this block
  std::vector<Step> held_;     // of an earlier run, one for all stages, repeated by later runs; empty: steps are chosen anew
  std::vector<std::shared_ptr<Observable>> watched_;
  // during a march: observables that data and terms read at each time
  std::vector<std::vector<Observable*>> read_at_;
  std::map<std::pair<const Observable*, int>, std::vector<double>> observations_;
  std::unique_ptr<Trajectory> trajectory_;
  std::unique_ptr<CheckpointSchedule> schedule_;  // null: all states are kept
  FactorStore shelf_;
  ReusedTangent tangent_;                      // of an earlier step in the present block
  std::vector<SolutionExtrapolation> forecasts_;  // one per stage, from steps of the present block
  MarchState block_begin_, end_;
  /// After a march that was stopped: the last position in times reached (−1: none, or it was not stopped), and the states before and after
  /// the step that ended there, if not all are kept.
  int stopped_at_ = -1;
  std::optional<std::array<MarchState, 2>> around_last_;
  int next_block_ = 0;
  bool sweepable_ = false;   // the kept states are complete for a sweep
  bool refactor_ = false;    // a step has failed with the present factors
  NewtonReport newton_;      // of the last step
  std::optional<Unsolved> unsolved_;
  // Adaptive steps:
  double tried_length_ = 0, excess_ = 0, largest_ = 0;  // next length, error / tolerance, ‖u‖
  VecHandle earlier_;                                   // the value one step earlier,
  double earlier_length_ = 0;                           // and the length of that step; 0: there was none
  MarchReport report_;
  std::map<const ProcessTerm*, SolveSizes> swept_;  // of the last sweep, by seed; null: the objective
  std::vector<SolveSizes> marched_;                 // of the last tangent, by direction
  double compared_error_ = 0;                       // relative error between that tangent and that sweep
};

}  // namespace invar
