#pragma once
#include <Eigen/Dense>
#include <cstdint>

#include "libadjoint/petsc.hpp"

// Small matrices for solver tests, the same on any number of ranks.
namespace invar::test {

/// A number in [−1, 1) that depends on its arguments only.
inline double hash_value(int i, int j, int seed = 0) {
  std::uint64_t z = 1 + std::uint64_t(i) * 0x9e3779b97f4a7c15u +
                    std::uint64_t(j) * 0xd1b54a32d192ed03u +
                    std::uint64_t(seed) * 0x8cb92ba72f3d8dd7u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) / double(1ull << 52) - 1;
}

/// Banded n×n matrix with far couplings, well conditioned: nonsymmetric, or symmetric positive
/// definite. `change` perturbs all entries relatively; the pattern stays.
inline Eigen::MatrixXd banded(int n, bool symmetric, double change = 0) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j : {i - 7, i - 1, i + 1, i + 7})
      if (j >= 0 && j < n) {
        const int low = std::min(i, j), high = std::max(i, j);
        const double base = symmetric ? hash_value(low, high) : hash_value(i, j);
        const double noise = symmetric ? hash_value(low, high, 1) : hash_value(i, j, 1);
        a(i, j) = base * (1 + change * noise);
      }
  for (int i = 0; i < n; ++i) a(i, i) = 3 + hash_value(i, i) * (1 + change * hash_value(i, i, 1));
  if (symmetric) a.diagonal().array() += 2;  // Gershgorin: 2 + 3 − 1 ≥ 4 couplings below 1
  return a;
}

/// The entries of `dense` that are not zero (the diagonal always), distributed by rows.
inline MatHandle to_petsc(const Eigen::MatrixXd& dense, MatHandle into = {}) {
  const PetscInt n = PetscInt(dense.rows());
  if (!into) {
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 9, nullptr, 9, nullptr,
                       into.out()));
    check(MatSetOption(into, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  }
  PetscInt first, last;
  check(MatGetOwnershipRange(into, &first, &last));
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = 0; j < n; ++j)
      if (i == j || dense(i, j) != 0) check(MatSetValue(into, i, j, dense(i, j), INSERT_VALUES));
  check(MatAssemblyBegin(into, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(into, MAT_FINAL_ASSEMBLY));
  return into;
}

/// Vector of the matrix's row layout with the entries of `values`.
inline VecHandle to_petsc(Mat layout, const Eigen::VectorXd& values) {
  VecHandle x;
  check(MatCreateVecs(layout, nullptr, x.out()));
  PetscInt first, last;
  check(VecGetOwnershipRange(x, &first, &last));
  for (PetscInt i = first; i < last; ++i) check(VecSetValue(x, i, values[i], INSERT_VALUES));
  check(VecAssemblyBegin(x));
  check(VecAssemblyEnd(x));
  return x;
}

/// Largest difference between a distributed and a replicated vector.
inline double difference(Vec x, const Eigen::VectorXd& expected) {
  PetscInt first, n;
  check(VecGetOwnershipRange(x, &first, nullptr));
  check(VecGetLocalSize(x, &n));
  const PetscScalar* v;
  check(VecGetArrayRead(x, &v));
  double local = 0, global;
  for (PetscInt i = 0; i < n; ++i) {
    const double d = std::abs(v[i] - expected[first + i]);
    local = d <= local ? local : std::isfinite(d) ? d : HUGE_VAL;
  }
  check(VecRestoreArrayRead(x, &v));
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return global;
}

inline Eigen::VectorXd some_load(int n) {
  Eigen::VectorXd b(n);
  for (int i = 0; i < n; ++i) b[i] = hash_value(i, 0, 5);
  return b;
}

}  // namespace invar::test
