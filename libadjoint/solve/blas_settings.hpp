#pragma once

namespace invar {

/// Restarts the program with suitable settings of OpenBLAS, where the present ones are not. OpenBLAS reads its
/// settings when it is loaded, before main. By default it uses one thread per core, so that ranks compete for cores;
/// on processors newer than itself it uses kernels without AVX, and factorisations take a third longer. The restarted
/// program has one thread and the kernels that the processor supports. OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and
/// OPENBLAS_CORETYPE in the environment have precedence. Must be the first call in main, before MPI. `arguments`:
/// argv of main.
void restart_with_suitable_blas(char** arguments);

/// Makes OpenBLAS take its work space, 128 MB of addresses, of which it uses what it needs. It takes it with the first
/// product and, where there is none left, tries for ever: a process with limited memory must know before. Throws
/// std::bad_alloc.
void reserve_blas_memory();

}  // namespace invar
