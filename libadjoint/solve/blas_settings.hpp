#pragma once

namespace invar {

/// Restarts the program if the settings of OpenBLAS are unsuitable. OpenBLAS reads its settings when it is loaded,
/// before main. By default it uses one thread per core, so that ranks compete for cores; on processors newer than
/// itself it uses kernels without AVX, and factorisations take a third longer. The restarted program has one thread and
/// the kernels that the processor supports. OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and OPENBLAS_CORETYPE in the
/// environment have precedence. Must be the first call in main, before MPI. `arguments`: argv of main.
void restart_with_suitable_blas(char** arguments);

/// Makes OpenBLAS allocate its work space now (128 MB of address space). By default it allocates in the first product
/// and, if that fails, retries for ever; a process with limited memory must detect this early. Throws std::bad_alloc.
void reserve_blas_memory();

}  // namespace invar
