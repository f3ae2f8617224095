#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Registers the PETSc preconditioner type `invar_cudss`: factors of an AIJ matrix of one process by NVIDIA's cuDSS, for forward and
/// transposed solves. Options `-<prefix>pc_cudss_kind` lu (default), ldlt, cholesky; `matching`, `search_pivots`, `reproducible`: see
/// CudssFactors::Settings. The pattern is analysed once.
void register_cudss();

/// Whether `pc` is of this type.
bool factored_by_cudss(PC pc);
/// Why there are no factors; empty: they were made.
const std::string& cudss_failure(PC pc);
/// Number of negative pivots (ldlt), and of perturbed pivots, in its factors.
int cudss_negative_pivots(PC pc);
int cudss_perturbed_pivots(PC pc);

}  // namespace invar
