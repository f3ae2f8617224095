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
                                 // Lagrangian) relative to the start
  double step = 0;               // ‖Δθ‖ from the previous iterate
  int evaluations = 0;           // points tried so far, including rejected ones
  int rejected = 0;              // points rejected so far because their evaluation failed
  double seconds = 0;            // wall time so far
  double violation = 0;          // largest violation of a constraint, in units of its scale
  std::vector<double> constraints = {};  // constraint values, in the order of `ReducedFunctional::constraints`
};

struct OptimizerOptions {
  int max_iterations = 100;           // accepted steps
  double gradient_tolerance = 1e-8;   // on the relative projected gradient
  double function_tolerance = 1e-12;  // on |ΔJ| / J of one step (levenberg_marquardt) or of two consecutive ones (others)
  double step_tolerance = 1e-12;      // on ‖Δθ‖ / ‖θ‖
  double constraint_tolerance = 1e-6; // on the violation of every constraint, in its scale
  double max_move = 0.2;     // mma: largest step of a variable with two finite bounds,
                             // as a part of their distance; sqp, interior_point: length of the first
                             // step in typical ranges of the variables
  bool conservative = true;  // mma: false: every step that can be evaluated is taken, one per iteration
  /// Called on every rank with every accepted iterate; false on any rank stops the run on all.
  std::function<bool(const IterationReport&, const DesignVector& theta)> on_iteration{};
};

/// Result of an optimisation: the best accepted point (with constraints: the last one), never one whose evaluation failed.
struct OptimizerResult {
  DesignVector theta;
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: the start could not be evaluated
  double relative_gradient = std::numeric_limits<double>::quiet_NaN();
  double violation = 0;        // largest violation of a constraint, in units of its scale
  bool feasible = true;        // whether the violation is within the tolerance
  bool converged = false;
  bool stopped = false;        // stopped by the callback
  std::string reason;          // why the run ended, as a sentence
  int iterations = 0;          // accepted steps
  int evaluations = 0;         // points tried
  int rejected = 0;            // points rejected because their evaluation failed
  std::string last_rejection;  // why the last of them failed
};

/// Minimises a reduced functional within its bounds; "mma", "sqp" and "interior_point" also subject to its constraints. A trial point whose
/// evaluation fails is rejected, and a shorter step is tried.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// `start` must lie within the bounds (else std::invalid_argument). Collective.
  virtual OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) = 0;

  /// This rank's part of the complete state at the last accepted iterate; call it within `on_iteration`.
  virtual std::vector<double> state() const = 0;
  /// Makes the next `minimize` of the same problem continue from a saved state of the same method, exactly as if it had not stopped. The
  /// number of ranks and the options (except `max_iterations`) must be the same. Its first report is of the next iterate. Throws
  /// std::invalid_argument if the numbers are no such state.
  virtual void restore(const std::vector<double>& state) = 0;
};

/// The names known to `make_optimizer`, the default first.
std::vector<std::string> optimizer_names();

/// Creates an optimiser by name. Without constraints (else `minimize` throws std::invalid_argument): "quasi_newton", "conjugate_gradient",
/// "newton_cg" (needs second derivatives) for any functional with bounds; "levenberg_marquardt" for a LeastSquaresFunctional of few shared
/// variables. With constraints: "mma" for any functional, "sqp" for a smooth one of few shared variables, "interior_point" for a smooth one
/// with many constraints. Throws std::invalid_argument for another name.
std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const OptimizerOptions& options);

}  // namespace invar
