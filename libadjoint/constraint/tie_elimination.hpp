#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/constraint/constraint_map.hpp"

namespace invar {

/// Σ coefficient · unknown = 0 among unknowns by their global numbers.
struct LinearConstraint {
  std::vector<std::pair<PetscInt, double>> terms;
  PetscInt follower = -1;  // that had best follow the others; −1: the one of the largest coefficient
  int source = 0;          // whose constraint it is, for reports
};

/// Linear constraints solved for as many unknowns.
struct Elimination {
  std::vector<Tie> ties;          // of all ranks' rows, ascending
  std::vector<int> contradicted;  // sources of constraints of which all unknowns are prescribed already, ascending
  std::vector<int> idle;          // sources of constraints that say nothing which others have not said, ascending
};

/// Solves the constraints, one after the other, each for an unknown that is not held. What another constraint says
/// already is passed over, as at corners of periodic cells. Every rank gives the same constraints and gets the same
/// ties.
/// held: prescribed otherwise, so that it follows no other. nodal: how many unknowns at nodes there are; those after
/// them follow others only where no unknown at a node can.
Elimination eliminate(const std::vector<LinearConstraint>& constraints, const std::function<bool(PetscInt)>& held, PetscInt nodal);

}  // namespace invar
