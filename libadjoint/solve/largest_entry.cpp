#include "libadjoint/solve/largest_entry.hpp"

#include <cmath>

namespace invar {

PetscInt largest_entry(Vec v, const std::vector<char>& excluded) {
  PetscInt first = 0, n = 0;
  check(VecGetOwnershipRange(v, &first, nullptr));
  check(VecGetLocalSize(v, &n));
  const PetscScalar* a = nullptr;
  check(VecGetArrayRead(v, &a));
  struct { double value; int rank; } best{-1, 0}, global;
  PetscInt row = first;
  for (PetscInt i = 0; i < n; ++i) {
    const double size = !excluded.empty() && excluded[i] ? 0 : std::isfinite(a[i]) ? std::abs(a[i]) : HUGE_VAL;
    if (size > best.value) best.value = size, row = first + i;
  }
  check(VecRestoreArrayRead(v, &a));
  const MPI_Comm comm = PetscObjectComm(PetscObject(v));
  MPI_Comm_rank(comm, &best.rank);
  MPI_Allreduce(&best, &global, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  MPI_Bcast(&row, 1, MPIU_INT, global.rank, comm);
  return row;
}

}  // namespace invar
