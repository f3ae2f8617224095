#include "libfem/mechanism/mechanism_value.hpp"

namespace invar {

double MechanismValue::read(const State& y) const {
  const Vec v = y.levels[level_];
  double value = 0;
  if (v) {
    PetscInt n = 0;
    const double* a = nullptr;
    check(VecGetLocalSize(v, &n));
    check(VecGetArrayRead(v, &a));
    if (unknown_ < n) value = a[unknown_];
    check(VecRestoreArrayRead(v, &a));
  }
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return value;
}

void MechanismValue::add(double bar, const State& y_bar) const {
  const Vec v = y_bar.levels[level_];
  if (!v) return;
  PetscInt n = 0;
  double* a = nullptr;
  check(VecGetLocalSize(v, &n));
  check(VecGetArray(v, &a));
  if (unknown_ < n) a[unknown_] += bar;
  check(VecRestoreArray(v, &a));
}

}  // namespace invar
