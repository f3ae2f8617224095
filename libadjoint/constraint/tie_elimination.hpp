#pragma once
#include <functional>
#include <map>
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
  /// The coefficient of a term also has the term factor · (number − its value in the given coefficients), of `TieNumbers`.
  struct Variation {
    std::size_t term;
    int number;
    double factor;
  };
  std::vector<Variation> variations = {};
  bool keeps_positions = false;   // holds for nodes at their undesigned positions only
  bool of_any_values = false;     // where it is implied its coefficients must stay zero, whatever values its unknowns have
};

/// What is known of prescribed unknowns, which cannot be eliminated.
struct PrescribedUnknowns {
  std::function<bool(PetscInt)> has;
  /// Whether their values satisfy Σ coefficient · unknown = 0.
  std::function<bool(const std::map<PetscInt, double>& terms)> satisfy;
};

/// Result of solving linear constraints for as many unknowns.
struct Elimination {
  std::vector<Tie> ties;          // rows of all ranks, ascending; with the given coefficients (`TieCoefficients` for those that vary)
  std::vector<int> contradicted;  // sources of constraints that prescribed values violate, ascending
  std::vector<int> idle;          // sources of redundant constraints, ascending
  std::vector<LinearConstraint> solved;   // the constraints in the order of their elimination, each with the unknown that follows
  std::vector<LinearConstraint> implied;  // those that hold without: redundant ones, and those that prescribed values satisfy
};

/// Eliminates one unknown per constraint, one constraint after the other (Gaussian elimination). Redundant constraints are skipped, as at
/// corners of periodic cells, and those among prescribed unknowns that these satisfy, as at the nodes of a rigid part on a plane of symmetry.
/// Every rank passes the same constraints and gets the same ties. nodal: number of nodal unknowns; unknowns with larger numbers are
/// eliminated only if no nodal unknown of the constraint can be.
Elimination eliminate(const std::vector<LinearConstraint>& constraints, const PrescribedUnknowns& prescribed, PetscInt nodal);

}  // namespace invar
