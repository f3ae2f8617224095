#pragma once
#include "libadjoint/optimize/constrained_problem.hpp"
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// State of a constrained method between iterations. The objective is scaled such that its gradient at the start,
/// measured in typical ranges of the variables, has norm one. Multipliers refer to this scaled objective and the
/// dimensionless sides.
struct ConstrainedState {
  int iteration = 0, evaluations = 0, rejected = 0;
  int unchanged = 0;             // consecutive iterations without a change of the objective
  int held_back = 0;             // 1: the last step is short because longer ones failed
  double step = 0;               // length of the last step
  double objective_scale = 1;
  double reference = 0;          // gradient norm at the start
  ConstrainedSample at;                     // the accepted point
  Eigen::VectorXd ranges;        // [n] typical ranges of the variables, see typical_ranges; where a
                                 // bound is infinite they grow with θ
  Eigen::VectorXd multipliers;   // [sides]
  std::string last_rejection;    // why the last rejected trial could not be evaluated
  BoundUnits units;              // of the bound of competitors, if there are any

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.iteration), a(s.evaluations), a(s.rejected), a(s.unchanged), a(s.held_back), a(s.step);
    a(s.objective_scale), a(s.reference), a(s.ranges), a(s.multipliers);
    a(s.last_rejection);
    BoundUnits::fields(s.units, a);
    ConstrainedSample::fields(s.at, a);
  }
};

/// The main loop of constrained methods: first evaluation, report of every accepted point, stopping tests. A method
/// defines its subproblem at the accepted point and how the next point is found.
class ConstrainedRun {
 public:
  virtual ~ConstrainedRun() = default;
  /// Runs from the state's point if it has one, else from `start`.
  OptimizerResult solve(const DesignVector& start);

 protected:
  ConstrainedRun(const OptimizerOptions& options, ReducedFunctional& functional,
                 const DesignVector& start, ConstrainedState& state)
      : options_(options), functional_(functional), problem_(functional, start),
        layout_(problem_.layout()), state_(state) {}

  /// Initialises the method's state at a fresh start, with known sample and scales.
  virtual void begin() = 0;
  /// Solves the subproblem at the accepted point and returns its multipliers [sides]. Must not change the state: the
  /// call is repeated after a restart.
  virtual Eigen::VectorXd model() = 0;
  /// Finds and accepts the next point, or finishes.
  virtual void advance() = 0;

  /// Evaluates J and c. Returns false after a failure, which is counted and recorded.
  bool evaluate(ConstrainedSample& trial);
  /// Evaluates all gradients at a trial that was evaluated and may become the accepted point.
  bool differentiate(ConstrainedSample& trial);
  /// Evaluates values and gradients in one call, for a trial that will be accepted unless it fails: adjoint solves can
  /// then follow each state solve.
  bool evaluate_with_gradients(ConstrainedSample& trial);
  /// Makes the trial the accepted point.
  void accept(ConstrainedSample trial, bool held_back);
  void finish(bool converged, std::string reason);
  /// Finishes because no trial, however short, can be evaluated.
  void finish_at_wall();
  /// Finishes because the subproblem has no step.
  void finish_without_step();
  bool finished() const { return !result_.reason.empty(); }

  const OptimizerOptions& options_;
  ReducedFunctional& functional_;
  ConstrainedProblem problem_;
  const EntryLayout& layout_;

 private:
  bool first_evaluation(const DesignVector& start);
  /// Norm of the gradient in the variables that are not fixed.
  double slope(const ConstrainedSample& s) const;
  void measure(const Eigen::VectorXd& multipliers);
  void report();
  void check_stopping();

  ConstrainedState& state_;
  OptimizerResult result_;
  double gap_ = 0;  // complementarity Σ multiplier · slack, in units of the scaled objective
  double start_time_ = MPI_Wtime();
};

}  // namespace invar
