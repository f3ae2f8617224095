#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"
#include "tests/unit/adjoint/path_toys.hpp"

namespace invar::constraints {

using toy::Column;

/// Numbers of unknowns of several equations among all: on each rank one equation's after the other's.
class Numbers {
 public:
  explicit Numbers(const std::vector<Vec>& like) {
    for (const Vec v : like) {
      const PetscInt* ranges = nullptr;
      check(VecGetOwnershipRanges(v, &ranges));
      MPI_Comm_size(PETSC_COMM_WORLD, &ranks_);
      ranges_.emplace_back(ranges, ranges + ranks_ + 1);
    }
  }
  PetscInt of(int part, PetscInt row) const {
    int rank = 0;
    while (ranges_[part][rank + 1] <= row) ++rank;
    PetscInt number = row;
    for (int p = 0; p < static_cast<int>(ranges_.size()); ++p)
      if (p != part) number += ranges_[p][p < part ? rank + 1 : rank];
    return number;
  }
  bool is_own(int part, PetscInt row) const {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    return row >= ranges_[part][rank] && row < ranges_[part][rank + 1];
  }

 private:
  int ranks_ = 1;
  std::vector<std::vector<PetscInt>> ranges_;
};

/// All entries of a vector of any layout on every rank.
inline Column<double> whole(Vec v) {
  ScatterHandle scatter;
  VecHandle here;
  check(VecScatterCreateToAll(v, scatter.out(), here.out()));
  check(VecScatterBegin(scatter, v, here, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter, v, here, INSERT_VALUES, SCATTER_FORWARD));
  PetscInt n = 0;
  const double* a = nullptr;
  check(VecGetSize(here, &n));
  check(VecGetArrayRead(here, &a));
  Column<double> out(a, a + n);
  check(VecRestoreArrayRead(here, &a));
  return out;
}

}  // namespace invar::constraints
