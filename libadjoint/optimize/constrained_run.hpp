#pragma once
#include "libadjoint/optimize/constrained_problem.hpp"
#include "libadjoint/optimize/optimizer.hpp"

namespace invar {

/// What every constrained method keeps from one iteration to the next. The objective is scaled so
/// that its start gradient, measured in the typical ranges of the variables, has norm one; the
/// multipliers belong to that objective and to the sides without unit.
struct ConstrainedState {
  int iteration = 0, evaluations = 0, rejected = 0;
  int unchanged = 0;             // iterations in a row that did not change the objective
  int held_back = 0;             // 1: the last step is short because longer ones failed
  double step = 0;               // length of the last one
  double objective_scale = 1;
  double reference = 0;          // norm of the start gradient
  ConstrainedSample at;                     // the accepted point
  Eigen::VectorXd ranges;        // [n] typical ranges of the variables, see typical_ranges; where a
                                 // bound is infinite they grow with θ
  Eigen::VectorXd multipliers;   // [sides]
  std::string last_rejection;    // why the last rejected trial could not be evaluated
  BoundUnits units;              // of the bound of competitors, where there are any

  template <class Self, class Archive>
  static void fields(Self& s, Archive& a) {
    a(s.iteration), a(s.evaluations), a(s.rejected), a(s.unchanged), a(s.held_back), a(s.step);
    a(s.objective_scale), a(s.reference), a(s.ranges), a(s.multipliers);
    a(s.last_rejection);
    BoundUnits::fields(s.units, a);
    ConstrainedSample::fields(s.at, a);
  }
};

/// The loop that the constrained methods share: first evaluation, report of every accepted point,
/// and the verdict whether it is the last. A method says how it models the problem about the point
/// and how it finds the next one.
class ConstrainedRun {
 public:
  virtual ~ConstrainedRun() = default;
  /// From the state's point if it has one, else from `start`.
  OptimizerResult solve(const DesignVector& start);

 protected:
  ConstrainedRun(const OptimizerOptions& options, ReducedFunctional& functional,
                 const DesignVector& start, ConstrainedState& state)
      : options_(options), functional_(functional), problem_(functional, start),
        layout_(problem_.layout()), state_(state) {}

  /// Sets up the state at a fresh start, whose sample and scales are known.
  virtual void begin() = 0;
  /// The subproblem at the accepted point, which gives its multipliers [sides]. Must not change
  /// the state: it is repeated after a restart.
  virtual Eigen::VectorXd model() = 0;
  /// Finds and accepts the next point, or finishes.
  virtual void advance() = 0;

  /// Evaluates J and c; false, counted and with the reason kept, where that fails.
  bool evaluate(ConstrainedSample& trial);
  /// J, c and all gradients at a trial that was evaluated and may become the accepted point.
  bool differentiate(ConstrainedSample& trial);
  /// The same at once, for a trial that becomes the accepted point unless it fails: adjoints may then follow each solve.
  bool evaluate_with_gradients(ConstrainedSample& trial);
  /// Makes the trial the accepted point.
  void accept(ConstrainedSample trial, bool held_back);
  void finish(bool converged, std::string reason);
  /// For the case that no trial, however short, can be evaluated.
  void finish_at_wall();
  /// For the case that the subproblem has no step.
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
  double gap_ = 0;  // Σ multiplier · slack, in units of the scaled objective
  double start_time_ = MPI_Wtime();
};

}  // namespace invar
