#pragma once

namespace invar {

/// OpenBLAS reads its settings when it is loaded, before main. It takes as many threads as there are cores, which
/// ranks then fight for, and kernels without AVX for a processor whose model number is newer than itself, with which
/// factorisations take a third longer. Where either is so, this starts the program again with one thread and with
/// kernels by what the processor can do; OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and OPENBLAS_CORETYPE in the
/// environment have the last word. To be called first in main, before MPI. `arguments`: main's.
void use_fitting_blas(char** arguments);

}  // namespace invar
