#pragma once
#include <vector>

#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// A quantity with numbers of its own that stay as they are while it is minimised or kept within limits, and that a search brings
/// up to date between its rounds: multipliers of an augmented Lagrangian, the scale of a norm. They are controls of the
/// equation, so that each round has an objective, and derivatives, of its own. A capability of an Observable.
class RenewedNumbers {
 public:
  virtual ~RenewedNumbers() = default;
  /// Positions of the controls that hold them; empty: this one has none.
  virtual std::vector<int> renewed_controls() const = 0;
  /// Their values for the next round, by the state at the end of the last one and by the values that it was found with. Collective.
  virtual std::vector<std::vector<double>> renewed(const EvaluationPoint& u) = 0;
};

}  // namespace invar
