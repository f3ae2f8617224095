#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// An operator whose diagonal blocks are solved with one after the other, because it is block-triangular: what
/// LinearSolver's `block_triangular` calls as preconditioner of a flexible Krylov method. All calls are collective.
class TriangularBlocks {
 public:
  virtual ~TriangularBlocks() = default;
  /// Prepares solves with the present values of the operator. Returns an error message, empty on success.
  virtual std::string set_up() = 0;
  /// Relative residual of the solves with the blocks.
  virtual void set_tolerance(double rtol) = 0;
  /// x ≈ A⁻¹ b, or A⁻ᵀ b. Throws PetscError where a block cannot be solved with.
  virtual void apply(Vec b, Vec x, bool transpose) = 0;

  /// Makes `pc` apply this object, which must outlive it.
  void attach(PC pc);
};

}  // namespace invar
