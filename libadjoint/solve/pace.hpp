#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// When Krylov iterations end: at the wanted residual or, where `limit` is given, as soon as their pace
/// so far, from iteration `judged_from` on, tells that so many will not do: after the share s of them ln ‖r‖ should
/// have fallen by the share s^power.
struct Pace {
  double target;
  int limit = 0;
  int judged_from = 2;
  double power = 1;
  double start = 0;

  /// For KSPSetConvergenceTest, with a Pace as context.
  static PetscErrorCode test(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason* reason, void* pace);
};

}  // namespace invar
