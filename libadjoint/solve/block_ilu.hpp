#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Makes PETSc know the preconditioner type `invar_block_ilu`: incomplete LU factors, with a level of fill, of each
/// rank's diagonal block of an AIJ matrix, by the dense blocks of its block size (Y. Saad, Iterative Methods for Sparse
/// Linear Systems, 2003, sec. 10.3). Factors are kept in single precision, a third of the bytes that PETSc's take, and
/// serve the transposed solve at the speed of the forward one, for which PETSc's take five times as long. Arithmetic is
/// in double precision. Option: `-<prefix>pc_factor_levels`, default 1. A singular diagonal block is a failed set-up.
void register_block_ilu();

}  // namespace invar
