#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Coarser spaces for a symmetric operator that need not be assembled, and the operator's Galerkin products there:
/// input of LinearSolver's `cg_lattice` for PETSc's multigrid. Levels are numbered from the coarsest, 0, to that of the
/// operator itself, count() − 1. All calls are collective.
class MultigridLevels {
 public:
  virtual ~MultigridLevels() = default;
  virtual int count() const = 0;
  /// The operator on the finest level.
  virtual Mat finest() const = 0;
  /// Prolongation from level − 1 to `level`, in 1 … count() − 1. Rows and columns of constrained unknowns are empty.
  virtual Mat prolongation(int level) const = 0;
  /// Galerkin product on `level`, in 0 … count() − 2; the same object after every `set_up`. Constrained unknowns are
  /// decoupled.
  virtual Mat matrix(int level) const = 0;
  /// Computes these matrices for the operator's present values. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
};

}  // namespace invar
