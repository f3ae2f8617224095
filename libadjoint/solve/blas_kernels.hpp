#pragma once

namespace invar {

/// OpenBLAS picks its kernels by the processor's model number, and those of 2004 for one that is newer than itself:
/// factorisations are then a third slower than they need be. Where it has done so this starts the program again with
/// kernels by what the processor can do. OPENBLAS_CORETYPE in the environment has the last word. To be called
/// first in main, before MPI. `arguments`: main's.
void use_fitting_blas_kernels(char** arguments);

}  // namespace invar
