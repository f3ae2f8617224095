#pragma once
#include <string>
#include <string_view>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Coarser spaces for a symmetric operator that need not be assembled, and matrices there: input of LinearSolver for PETSc's
/// multigrid. Levels are numbered from the coarsest, 0, to that of the operator itself, count() − 1. All calls are collective.
class MultigridLevels {
 public:
  virtual ~MultigridLevels() = default;
  virtual int count() const = 0;
  /// The method of LinearSolver that uses these levels, and PETSc options that replace some of the method's.
  virtual std::string_view method() const = 0;
  virtual std::string options() const { return {}; }
  /// The operator on the finest level.
  virtual Mat finest() const = 0;
  /// Prolongation from level − 1 to `level`, in 1 … count() − 1. Rows and columns of constrained unknowns are empty.
  virtual Mat prolongation(int level) const = 0;
  /// The matrix of `level`, the same object after every `set_up`: on the finest level the operator or one that is cheaper to apply,
  /// below it Galerkin products. Constrained unknowns are decoupled.
  virtual Mat matrix(int level) const = 0;
  /// Computes the coarse matrices for the operator's present values. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
};

}  // namespace invar
