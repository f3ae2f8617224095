#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Registers the PETSc preconditioner type `invar_block_ilu`: incomplete LU factors with a level of fill of each rank's
/// diagonal block of an AIJ matrix, by dense blocks of its block size (Y. Saad, Iterative Methods for Sparse Linear
/// Systems, 2003, sec. 10.3). Factors are stored in single precision, in a third of the memory of PETSc's; arithmetic
/// is in double precision. Transposed solves are as fast as forward ones; with PETSc's factors they take five times as
/// long. Option: `-<prefix>pc_factor_levels`, default 1. A singular diagonal block is a failed set-up.
void register_block_ilu();

}  // namespace invar
