#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"

namespace invar {

/// A homogeneous constraint Σ coefficient · unknown = 0; unknowns by global number.
struct LinearConstraint {
  std::vector<std::pair<PetscInt, double>> terms;
  PetscInt follower = -1;  // preferred unknown to eliminate; −1: the one with the largest coefficient
  int source = 0;          // identifies the constraint in reports
};

/// Result of solving linear constraints for as many unknowns.
struct Elimination {
  std::vector<Tie> ties;          // rows of all ranks, ascending
  std::vector<int> contradicted;  // sources of constraints whose unknowns are all prescribed already, ascending
  std::vector<int> idle;          // sources of redundant constraints, ascending
};

/// Eliminates one unknown per constraint, one constraint after the other (Gaussian elimination). Redundant constraints, as at
/// corners of periodic cells, are skipped. Every rank passes the same constraints and gets the same ties.
/// held: whether an unknown is prescribed and so cannot be eliminated. nodal: number of nodal unknowns; unknowns with larger
/// numbers are eliminated only if no nodal unknown of the constraint can be.
Elimination eliminate(const std::vector<LinearConstraint>& constraints, const std::function<bool(PetscInt)>& held, PetscInt nodal);

}  // namespace invar
