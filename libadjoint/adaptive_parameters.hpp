#pragma once
#include <vector>

#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// An observable with parameters that are constant during one round of a search and are updated between rounds: multipliers of an
/// augmented Lagrangian, the scale of a norm. They are controls of the equation, so each round has a well-defined objective and
/// derivatives. A capability of an Observable.
class AdaptiveParameters {
 public:
  virtual ~AdaptiveParameters() = default;
  /// Positions of the controls that hold the parameters; empty: none.
  virtual std::vector<int> adaptive_controls() const = 0;
  /// Values for the next round, from the state u at the end of the last one and from the values used there. Collective.
  virtual std::vector<std::vector<double>> adapted(const EvaluationPoint& u) = 0;
};

}  // namespace invar
