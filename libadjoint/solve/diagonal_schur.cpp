#include "libadjoint/solve/diagonal_schur.hpp"

#include <cmath>

namespace invar {
namespace {

/// 1/√|d| of the diagonal of A; 1 where it is zero.
VecHandle inverse_roots(Mat A) {
  VecHandle d;
  PetscInt n;
  PetscScalar* a;
  check(MatCreateVecs(A, nullptr, d.out()));
  check(MatGetDiagonal(A, d));
  check(VecGetLocalSize(d, &n));
  check(VecGetArray(d, &a));
  for (PetscInt i = 0; i < n; ++i) a[i] = a[i] == 0 ? 1 : 1 / std::sqrt(std::abs(a[i]));
  check(VecRestoreArray(d, &a));
  return d;
}

/// Rows without entries, of prescribed multipliers, become rows of the identity.
void fill_empty_rows(Mat S) {
  VecHandle d;
  PetscInt first, n;
  const PetscScalar* a;
  check(MatCreateVecs(S, nullptr, d.out()));
  check(MatGetDiagonal(S, d));
  check(VecGetOwnershipRange(d, &first, nullptr));
  check(VecGetLocalSize(d, &n));
  check(VecGetArrayRead(d, &a));
  check(MatSetOption(S, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE));
  for (PetscInt i = 0; i < n; ++i)
    if (a[i] == 0) check(MatSetValue(S, first + i, first + i, 1, INSERT_VALUES));
  check(VecRestoreArrayRead(d, &a));
  check(MatAssemblyBegin(S, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(S, MAT_FINAL_ASSEMBLY));
}

}  // namespace

void DiagonalSchur::update_schur(Mat A, Mat Bt) {
  MatHandle scaled;
  check(MatDuplicate(Bt, MAT_COPY_VALUES, scaled.out()));
  check(MatDiagonalScale(scaled, inverse_roots(A), nullptr));
  check(MatTransposeMatMult(scaled, scaled, MAT_INITIAL_MATRIX, PETSC_DEFAULT, S_.out()));
  fill_empty_rows(S_);
  if (!solver_) {
    check(KSPCreate(PetscObjectComm(PetscObject(A)), solver_.out()));
    check(KSPSetOptionsPrefix(solver_, "invar_schur_"));
    check(KSPSetType(solver_, KSPPREONLY));
    check(KSPSetFromOptions(solver_));
  }
  check(KSPSetOperators(solver_, S_, S_));
  check(KSPSetUp(solver_));
}

void DiagonalSchur::solve_schur(Vec g, Vec y, bool /*transpose: S is symmetric*/) { check(KSPSolve(solver_, g, y)); }

}  // namespace invar
