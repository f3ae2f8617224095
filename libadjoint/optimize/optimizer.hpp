#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// One accepted iterate, for the progress table and the history.
struct IterationReport {
  int iteration = 0;             // 0 is the start
  double value = 0;              // J
  double relative_gradient = 0;  // norm of the projected gradient (with constraints: of the
                                 // Lagrangian) over that of the start
  double step = 0;               // ‖θ − θ of the iteration before‖
  int evaluations = 0;           // points tried so far, the rejected ones among them
  int rejected = 0;              // points rejected so far because their evaluation failed
  double seconds = 0;            // wall time so far
  double violation = 0;          // of the worst constraint, in units of its scale
  std::vector<double> constraints = {};  // their values, in the order of `ReducedFunctional::constraints`
};

struct OptimizerOptions {
  int max_iterations = 100;           // accepted steps
  double gradient_tolerance = 1e-8;   // on the relative projected gradient
  double function_tolerance = 1e-12;  // on |ΔJ| / J of one step (levenberg_marquardt; others: of two in a row)
  double step_tolerance = 1e-12;      // on ‖Δθ‖ / ‖θ‖
  double constraint_tolerance = 1e-6; // on the violation of every constraint, in its scale
  double max_move = 0.2;     // mma: most that a variable with two finite bounds moves in one step,
                             // as a part of their distance; sqp, interior_point: length of the first
                             // step in typical ranges of the variables
  bool conservative = true;  // mma: false takes every step that can be evaluated, one per iteration
  /// Called on every rank with every accepted iterate; false stops the run (on all ranks when
  /// one rank says so).
  std::function<bool(const IterationReport&, const DesignVector& theta)> on_iteration{};
};

/// What came of an optimisation: the best accepted point (with constraints: the last one), never one
/// whose evaluation failed.
struct OptimizerResult {
  DesignVector theta;
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: the start could not be evaluated
  double relative_gradient = std::numeric_limits<double>::quiet_NaN();
  double violation = 0;        // of the worst constraint, in units of its scale
  bool feasible = true;        // whether that is within the tolerance
  bool converged = false;
  bool stopped = false;        // by the callback
  std::string reason;          // why it ended, as a sentence
  int iterations = 0;          // accepted steps
  int evaluations = 0;         // points tried
  int rejected = 0;            // points rejected because their evaluation failed
  std::string last_rejection;  // and why the last of them failed
};

/// Minimises a reduced functional within its bounds, and "mma", "sqp" and "interior_point" also subject to its
/// constraints. A trial point whose evaluation fails is rejected and a shorter step is tried.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// From `start`, which must lie within the bounds (std::invalid_argument else). Collective.
  virtual OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) = 0;

  /// Everything the method keeps of the last accepted iterate, this rank's part; to be taken within
  /// `on_iteration`.
  virtual std::vector<double> state() const = 0;
  /// Lets the next `minimize` of the same problem continue from a state of the same method, on as
  /// many ranks, with the same options (but for `max_iterations`), as if it had never stopped; its
  /// first report is of the iterate after. Throws std::invalid_argument for numbers that are no such
  /// state.
  virtual void restore(const std::vector<double>& state) = 0;
};

/// The names `make_optimizer` knows, the default first.
std::vector<std::string> optimizer_names();

/// By name: "quasi_newton", "conjugate_gradient" or "newton_cg" (all bounded; the last by second derivatives) for any
/// functional, "levenberg_marquardt" for a LeastSquaresFunctional of few shared variables; these throw
/// std::invalid_argument on a functional with constraints. "mma" for any functional with bounds and
/// constraints, "sqp" for a smooth one of few shared variables, "interior_point" for a smooth one with many constraints. Throws std::invalid_argument on
/// another name.
std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const OptimizerOptions& options);

}  // namespace invar
