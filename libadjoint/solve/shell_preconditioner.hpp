#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// A preconditioner P of an operator A and of Aᵀ as PETSc's PCSHELL, for flexible Krylov methods.
class ShellPreconditioner {
 public:
  ShellPreconditioner() = default;
  ShellPreconditioner(const ShellPreconditioner&) = delete;
  ShellPreconditioner& operator=(const ShellPreconditioner&) = delete;
  virtual ~ShellPreconditioner() = default;
  /// x ≈ A⁻¹ b, or A⁻ᵀ b. May throw PetscError. Collective.
  virtual void apply(Vec b, Vec x, bool transpose) = 0;

  /// Makes `pc` apply this object, which must outlive it.
  void attach(PC pc);
};

}  // namespace invar
