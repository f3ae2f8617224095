#pragma once
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// How far limits g ≤ 0 at many points of a body are satisfied. g is as the observable defines it, without unit. λ: multipliers after one
/// more update from this state, with which the gradient of the augmented Lagrangian is that of the Lagrangian.
struct LimitStatus {
  double violation = 0;         // largest max(0, g)
  double ratio = 0, share = 1;  // at the point with the largest g: the limited value relative to its limit, and the factor on both (of a density)
  double x[3]{};                // that point in the undeformed body [m]
  double slack = 0;             // largest −g of a point with λ > 0: complementarity
  double multiplier = 0;        // largest λ
  long long points = 0, active_points = 0;  // active: λ > 0
  long long cells = 0, active_cells = 0;    // with such a point
};

/// A capability of an observable that accounts for limits by multipliers (`AdaptiveParameters`).
class LocalLimits {
 public:
  virtual ~LocalLimits() = default;
  /// The same on all ranks. Collective.
  virtual LimitStatus status(const EvaluationPoint& u) = 0;
};

}  // namespace invar
