#pragma once
#include <optional>

#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton.hpp"

namespace invar {

/// Reuse of the tangent of an earlier step that the linear solver still holds (simplified Newton method). The tangent changes
/// little from one time step to the next, and assembling it costs as much as a solve with kept factors. A solve starts with
/// steps on the old tangent while each reduces ‖r‖ strongly, and often ends with them. A tangent that fails to reduce ‖r‖ one
/// step after it was formed is discarded.
class ReusedTangent {
 public:
  void forget() { age_.reset(); }
  /// Improves u, where r = r(u), and leaves the residual at the end in r. Newton's method with `options` must follow if ‖r‖ is
  /// above its target, max(atol, rtol · force). Returns a report of the steps taken, whose linear part counts all solves.
  /// Collective.
  NewtonReport approach(ResidualSystem& system, LinearSolver& linear, const NewtonOptions& options, double force, Vec u, Vec r);
  /// Call after a step was solved; formed: with a new tangent.
  void note(bool formed);

 private:
  std::optional<int> age_;  // steps since the tangent was formed; none: do not use it
  bool far_off_ = false;    // the last step on it was rejected
};

}  // namespace invar
