#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// Entries per row, on average over all ranks. Collective.
inline double entries_per_row(Mat A) {
  PetscInt n;
  MatInfo info;
  check(MatGetSize(A, &n, nullptr));
  check(MatGetInfo(A, MAT_GLOBAL_SUM, &info));
  return info.nz_used / double(n);
}

/// The largest magnitude D in each row. For mixed unknowns D x has one unit per row where A and Aᵀ have the same
/// pattern: for displacements u and pressures p, K u and B p are both forces.
inline VecHandle row_scale(Mat A) {
  VecHandle scale;
  check(MatCreateVecs(A, nullptr, scale.out()));
  check(MatGetRowMaxAbs(A, scale, nullptr));
  return scale;
}

/// Estimate of ‖ |A| |x| ‖₂, the scale of rounding errors in A x: ‖D x‖₂ times the ratio of row sum to largest entry.
/// For unknowns of one kind it is ‖A‖∞ ‖x‖₂. Independent of units. Collective.
inline double summed_size(Mat A, Vec x) {
  const VecHandle scale = row_scale(A);
  PetscReal sum, largest, size;
  check(MatNorm(A, NORM_INFINITY, &sum));
  check(VecNorm(scale, NORM_INFINITY, &largest));
  check(VecPointwiseMult(scale, scale, x));
  check(VecNorm(scale, NORM_2, &size));
  return largest > 0 ? sum / largest * size : 0;
}

inline int process_count(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}

}  // namespace invar
