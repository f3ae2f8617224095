#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Coarser spaces for a symmetric operator that need not be assembled, with the operator's Galerkin products there: what
/// LinearSolver's `cg_lattice` hands to PETSc's multigrid. Levels are counted from the coarsest, 0, to that of the
/// operator itself, count() − 1. All calls are collective.
class MultigridLevels {
 public:
  virtual ~MultigridLevels() = default;
  virtual int count() const = 0;
  /// The operator that they belong to.
  virtual Mat finest() const = 0;
  /// From level − 1 to `level`, in 1 … count() − 1. Rows and columns of constrained unknowns are empty.
  virtual Mat prolongation(int level) const = 0;
  /// Of `level`, in 0 … count() − 2; the same object after every `set_up`. Constrained unknowns are coupled to nothing.
  virtual Mat matrix(int level) const = 0;
  /// Computes these matrices for the operator's present values. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
};

}  // namespace invar
