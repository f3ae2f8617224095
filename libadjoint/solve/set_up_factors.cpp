#include "libadjoint/solve/set_up_factors.hpp"

#include <string_view>

#include "libadjoint/solve/options_scope.hpp"

namespace invar {

namespace {

bool factored_by_mumps(PC pc) {
  PetscBool lu, cholesky;
  check(PetscObjectTypeCompare(PetscObject(pc), PCLU, &lu));
  check(PetscObjectTypeCompare(PetscObject(pc), PCCHOLESKY, &cholesky));
  if (!lu && !cholesky) return false;
  MatSolverType solver = nullptr;
  check(PCFactorGetMatSolverType(pc, &solver));
  return solver && std::string_view(solver) == MATSOLVERMUMPS;
}

}  // namespace

std::string error_text(PetscErrorCode code) {
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  return text ? text : "PETSc error " + std::to_string(code);
}

std::string set_up_factors(KSP ksp) {
  const QuietErrors quiet;
  Mat A;
  PC pc;
  check(KSPGetPC(ksp, &pc));
  check(KSPGetOperators(ksp, &A, nullptr));
  PCFailedReason failed = PC_NOERROR;
  for (int attempt = 0; attempt < 4; ++attempt) {
    PetscBool known, symmetric;
    check(MatIsSymmetricKnown(A, &known, &symmetric));
    check(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));  // marks the values as new for PETSc, which then
    check(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));    // forgets that they are symmetric
    if (known) check(MatSetOption(A, MAT_SYMMETRIC, symmetric));
    check(KSPSetOperators(ksp, A, A));
    if (const PetscErrorCode code = KSPSetUp(ksp); code != 0) return error_text(code);
    check(PCGetFailedReason(pc, &failed));
    if (failed != PC_FACTOR_OUTMEMORY || !factored_by_mumps(pc)) break;
    Mat factors;
    PetscInt extra;
    check(PCFactorGetMatrix(pc, &factors));
    check(MatMumpsGetIcntl(factors, 14, &extra));
    check(MatMumpsSetIcntl(factors, 14, 3 * extra));
    check(MatFactorClearError(factors));
  }
  if (failed == PC_FACTOR_OUTMEMORY) return "not enough memory for the factors";
  return failed == PC_NOERROR ? "" : "zero pivot";
}

}  // namespace invar
