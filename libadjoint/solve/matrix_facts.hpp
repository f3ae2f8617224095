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

/// The largest magnitude D of each row. In equations of mixed unknowns D x has one unit where A and Aᵀ have entries in
/// the same places: of displacements u and pressures p, K u and B p are both forces.
inline VecHandle row_scale(Mat A) {
  VecHandle scale;
  check(MatCreateVecs(A, nullptr, scale.out()));
  check(MatGetRowMaxAbs(A, scale, nullptr));
  return scale;
}

/// Estimate of ‖ |A| |x| ‖₂, which rounding in A x is relative to: ‖D x‖₂ times what the sum of a row is of its largest
/// number. Where all unknowns are of one kind ‖A‖∞ ‖x‖₂. Does not depend on units. Collective.
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
