#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Makes PETSc know the preconditioner type `invar_cudss`: factors of an AIJ matrix of one process by NVIDIA's cuDSS, forward and transposed
/// on the same ones. Option `-<prefix>pc_cudss_kind`: lu (default), ldlt, cholesky. The pattern is analysed once.
void register_cudss();

/// Whether `pc` is one.
bool factored_by_cudss(PC pc);
/// Negative pivots in its factors (ldlt), and those that were perturbed.
int cudss_negative_pivots(PC pc);
int cudss_perturbed_pivots(PC pc);

}  // namespace invar
