#pragma once
#include <optional>

#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/newton.hpp"

namespace invar {

/// The tangent that a linear solver still holds from a step before. From one step in time to the next it hardly changes, and
/// forming it anew costs as much as a solve on kept factors: a solve begins with steps on it, as long as each takes ‖r‖ far
/// down, and mostly ends with them (simplified Newton's method). It forgets itself where it has been of no use a step later.
class NearTangent {
 public:
  void forget() { age_.reset(); }
  /// Moves u, where r = r(u), and leaves the residual there in r. Newton's method with `options` goes on where ‖r‖ is above
  /// its target, max(atol, rtol · force). A report of the steps, if any were taken, whose linear solve counts all. Collective.
  NewtonReport approach(ResidualSystem& system, LinearSolver& linear, const NewtonOptions& options, double force, Vec u, Vec r);
  /// After a step was solved, on a tangent of its own or on this one.
  void note(bool formed);

 private:
  std::optional<int> age_;  // steps since it was formed; none: it is not to be used
  bool far_off_ = false;    // the last step on it was not taken
};

}  // namespace invar
