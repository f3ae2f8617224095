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
  double relative_gradient = 0;  // norm of the projected gradient over that of the start
  double step = 0;               // ‖θ − θ of the iteration before‖
  int evaluations = 0;           // points tried so far, the rejected ones among them
  int rejected = 0;              // points rejected so far because their evaluation failed
  double seconds = 0;            // wall time so far
};

struct OptimizerOptions {
  int max_iterations = 100;           // accepted steps
  double gradient_tolerance = 1e-8;   // on the relative projected gradient
  double function_tolerance = 1e-12;  // on |ΔJ| / J of one step (quasi-Newton: of two in a row)
  double step_tolerance = 1e-12;      // on ‖Δθ‖ / ‖θ‖
  /// Called on every rank with every accepted iterate; false stops the run (on all ranks when
  /// one rank says so).
  std::function<bool(const IterationReport&, const DesignVector& theta)> on_iteration{};
};

/// What came of an optimisation: the best accepted point, never one whose evaluation failed.
struct OptimizerResult {
  DesignVector theta;
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: the start could not be evaluated
  double relative_gradient = std::numeric_limits<double>::quiet_NaN();
  bool converged = false;
  bool stopped = false;        // by the callback
  std::string reason;          // why it ended, in words
  int iterations = 0;          // accepted steps
  int evaluations = 0;         // points tried
  int rejected = 0;            // points rejected because their evaluation failed
  std::string last_rejection;  // and why the last of them failed
};

/// Minimises a reduced functional within its bounds. A trial point whose evaluation fails is
/// rejected and a shorter step is tried.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// From `start`, which must lie within the bounds (std::invalid_argument else). Collective.
  virtual OptimizerResult minimize(ReducedFunctional& functional, const DesignVector& start) = 0;
};

/// The names `make_optimizer` knows, the default first.
std::vector<std::string> optimizer_names();

/// By name: "quasi_newton" or "conjugate_gradient" (both bounded) for any functional,
/// "levenberg_marquardt" for a LeastSquaresFunctional of few shared variables. Throws
/// std::invalid_argument on another name.
std::unique_ptr<Optimizer> make_optimizer(std::string_view name, const OptimizerOptions& options);

}  // namespace invar
