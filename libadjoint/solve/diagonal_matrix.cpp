#include "libadjoint/solve/diagonal_matrix.hpp"

namespace invar {
namespace {

// Called by PETSc.
Vec context(Mat A) {
  void* diagonal = nullptr;
  return MatShellGetContext(A, &diagonal) == 0 ? static_cast<Vec>(diagonal) : nullptr;
}
PetscErrorCode multiply(Mat A, Vec x, Vec y) { return VecPointwiseMult(y, context(A), x); }
PetscErrorCode copy_diagonal(Mat A, Vec d) { return VecCopy(context(A), d); }
PetscErrorCode largest_of_rows(Mat A, Vec d, PetscInt*) {
  const PetscErrorCode failure = VecCopy(context(A), d);
  return failure ? failure : VecAbs(d);
}
PetscErrorCode norm_of_diagonal(Mat A, NormType type, PetscReal* norm) {
  return VecNorm(context(A), type == NORM_FROBENIUS ? NORM_2 : NORM_INFINITY, norm);
}
PetscErrorCode create_vectors(Mat A, Vec* right, Vec* left) {
  const PetscErrorCode failure = right ? VecDuplicate(context(A), right) : 0;
  return left && !failure ? VecDuplicate(context(A), left) : failure;
}

}  // namespace

DiagonalMatrix::DiagonalMatrix(Vec like) : diagonal_(zeros_like(like)) {
  PetscInt n = 0, all = 0;
  check(VecGetLocalSize(like, &n));
  check(VecGetSize(like, &all));
  check(MatCreateShell(PetscObjectComm(PetscObject(like)), n, n, all, all, diagonal_.get(), mat_.out()));
  const auto set = [&](MatOperation operation, auto* function) {
    check(MatShellSetOperation(mat_, operation, reinterpret_cast<void (*)()>(function)));
  };
  set(MATOP_MULT, &multiply);
  set(MATOP_MULT_TRANSPOSE, &multiply);
  set(MATOP_GET_DIAGONAL, &copy_diagonal);
  set(MATOP_GET_ROW_MAX_ABS, &largest_of_rows);
  set(MATOP_NORM, &norm_of_diagonal);
  set(MATOP_CREATE_VECS, &create_vectors);
}

Vec diagonal_of(Mat A) {
  PetscBool shell = PETSC_FALSE;
  check(PetscObjectTypeCompare(PetscObject(A), MATSHELL, &shell));
  if (!shell) return nullptr;
  void (*product)() = nullptr;
  check(MatShellGetOperation(A, MATOP_MULT, &product));
  return product == reinterpret_cast<void (*)()>(&multiply) ? context(A) : nullptr;
}

}  // namespace invar
