#pragma once

namespace invar {

/// Gives OpenBLAS one thread and the kernels that the processor supports. OpenBLAS makes both choices when it is loaded, before main. By
/// default it uses one thread per core, so that ranks compete for cores; on processors newer than itself it uses kernels without
/// AVX, and factorisations take a third longer. OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and OPENBLAS_CORETYPE in the environment have
/// precedence. Then calls multiply_single_columns_by_vectors. Must be called before the first product, thus before MPI and PETSc are
/// initialised.
///
/// The choice of kernels is repeated by the two functions by which OpenBLAS itself makes and forgets it (exported, but in no header, 0.2.0 to
/// 0.3.29); a library without them keeps its kernels. A restart of the program with other variables would load 130 libraries again.
void choose_suitable_blas();

/// Makes OpenBLAS allocate its work space now (128 MB of address space). By default it allocates in the first product
/// and, if that fails, retries for ever; a process with limited memory must detect this early. Throws std::bad_alloc.
void reserve_blas_memory();

}  // namespace invar
