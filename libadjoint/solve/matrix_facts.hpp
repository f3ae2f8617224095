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

inline int process_count(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}

}  // namespace invar
