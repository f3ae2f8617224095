#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar::device_test {

/// The own entries of a vector, wherever they are stored: one access of the host.
inline std::vector<double> entries_of(Vec v) {
  PetscInt n = 0;
  const double* a = nullptr;
  check(VecGetLocalSize(v, &n));
  check(VecGetArrayRead(v, &a));
  const std::vector<double> entries(a, a + n);
  check(VecRestoreArrayRead(v, &a));
  return entries;
}
/// Sets them, likewise.
inline void set_entries(Vec v, const std::vector<double>& entries) {
  double* a = nullptr;
  check(VecGetArrayWrite(v, &a));
  std::ranges::copy(entries, a);
  check(VecRestoreArrayWrite(v, &a));
}
inline VecHandle with_entries(VecHandle v, const std::vector<double>& entries) {
  set_entries(v, entries);
  return v;
}

/// A zero vector of the host.
inline VecHandle host_vector(PetscInt n) {
  VecHandle v;
  check(VecCreateSeq(PETSC_COMM_SELF, n, v.out()));
  return v;
}

}  // namespace invar::device_test
