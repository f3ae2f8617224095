#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// A block-triangular operator that is solved by its diagonal blocks, one after the other: the preconditioner of
/// LinearSolver's `block_triangular` (flexible Krylov method). All calls are collective.
class TriangularBlocks {
 public:
  virtual ~TriangularBlocks() = default;
  /// Prepares solves for the present values of the operator. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
  /// Relative residual of the solves with the blocks.
  virtual void set_tolerance(double rtol) = 0;
  /// x ≈ A⁻¹ b, or A⁻ᵀ b. Throws PetscError if a block solve fails.
  virtual void apply(Vec b, Vec x, bool transpose) = 0;

  /// Makes `pc` apply this object, which must outlive it.
  void attach(PC pc);
};

}  // namespace invar
