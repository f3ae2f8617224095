#pragma once
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"
#include "libfem/mechanism/mechanism_term.hpp"

namespace invar {

/// Rate of a constraint's residual, and the sum of the magnitudes of its terms.
struct ConstraintRate {
  double value = 0, size = 0;
};
/// dc/dt = Σ ∂c/∂q q̇ at rest with constant numbers. The multiplier is the last unknown of the term. rates: q̇ by unknown of the mechanism;
/// others are zero.
ConstraintRate rate_at_rest(const MechanismTerm& constraint, const std::map<int, double>& rates);

/// Finds which constraints among the unknowns of a mechanism are independent of earlier ones, linearised at rest.
class ConstraintRank {
 public:
  /// ties: of unknowns that are tied to others; first: global number of the mechanism's first unknown.
  ConstraintRank(const std::vector<Tie>& ties, std::function<bool(PetscInt)> held, PetscInt first)
      : ties_(ties), held_(std::move(held)), first_(first) {}
  /// Adds a constraint whose multiplier is the last unknown of the term, with its numbers as at rest. False: it is
  /// redundant, or all its unknowns are prescribed.
  bool add(const MechanismTerm& constraint);

 private:
  const std::vector<Tie>& ties_;  // ascending by rows
  std::function<bool(PetscInt)> held_;
  PetscInt first_;
  std::vector<std::map<PetscInt, double>> basis_;  // orthonormal
};

}  // namespace invar
