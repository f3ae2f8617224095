#pragma once
#include <algorithm>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// The owned entries of v; empty for a null vector.
inline std::vector<double> owned_entries(Vec v) {
  if (!v) return {};
  PetscInt n = 0;
  const double* entries = nullptr;
  check(VecGetLocalSize(v, &n));
  check(VecGetArrayRead(v, &entries));
  std::vector<double> values(entries, entries + n);
  check(VecRestoreArrayRead(v, &entries));
  return values;
}

/// Writes all owned entries of v.
inline void write_entries(const std::vector<double>& values, Vec v) {
  double* entries = nullptr;
  check(VecGetArrayWrite(v, &entries));
  std::ranges::copy(values, entries);
  check(VecRestoreArrayWrite(v, &entries));
}

}  // namespace invar
