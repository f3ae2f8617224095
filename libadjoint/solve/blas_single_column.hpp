#pragma once

namespace invar {

/// From now on dgemm and dtrsm with a single column or row are carried out by dgemv and dtrsv, for every library that the program loads; the
/// program defines both functions in place of BLAS, which must be a shared library, and calls BLAS for all other sizes. Returns false, and leaves
/// all sizes to BLAS, if BLAS is not OpenBLAS with kernels for AVX2 or AVX-512: others' products of vectors depend on addresses (SSE), or it is not
/// known, and runs would no longer be reproducible to the bit.
///
/// MUMPS solves with one right-hand side by dgemm and dtrsm. OpenBLAS before 0.3.28 copies the matrix into blocks first, which is four fifths of
/// such a solve: the factors are read, written and read again, and a solve is bound by memory. Figures: tests/bench/README.md.
bool multiply_single_columns_by_vectors();

}  // namespace invar
