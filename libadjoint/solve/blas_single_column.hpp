#pragma once

namespace invar {

/// From now on dgemm and dtrsm with a single column or row are carried out by dgemv and dtrsv, for every library in this process; the program
/// defines both functions in place of BLAS and calls BLAS for all other sizes. Returns false, and changes nothing, if BLAS is not OpenBLAS or
/// its kernels are those for processors without AVX: their products of vectors depend on addresses, and runs would no longer be reproducible to
/// the bit.
///
/// MUMPS solves with one right-hand side by dgemm and dtrsm. OpenBLAS before 0.3.28 copies the matrix into blocks first, which is four fifths of
/// such a solve: the factors are read, written and read again, and a solve is bound by memory. Figures: tests/bench/README.md.
bool multiply_single_columns_by_vectors();

}  // namespace invar
