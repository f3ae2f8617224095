#include "libadjoint/solve/cudss_preconditioner.hpp"

#include <memory>
#include <string>
#include <string_view>

#include "libadjoint/solve/cudss_factors.hpp"

// Outside of the namespace, as in block_ilu.cpp.
namespace {

using invar::CudssFactors;

constexpr const char* cudss_name = "factors by cuDSS";

/// What a preconditioner of this type holds.
struct CudssContext {
  std::unique_ptr<CudssFactors> factors;
  PetscObjectId matrix = 0;  // that was analysed, and which of its patterns
  PetscObjectState nonzeros = 0;
};

// Called by PETSc: no exception may pass.

CudssContext& cudss_context(PC pc) {
  void* self = nullptr;
  PCShellGetContext(pc, &self);
  return *static_cast<CudssContext*>(self);
}

/// Analyses the pattern where it is new, and computes the factors. failed: in words.
PetscErrorCode cudss_factor(CudssContext& context, Mat A, CudssFactors::Kind kind, std::string& failed) {
  PetscInt n;
  PetscBool done;
  invar::CompressedRows rows;
  PetscObjectId matrix;
  PetscObjectState nonzeros;
  PetscCall(PetscObjectGetId(PetscObject(A), &matrix));
  PetscCall(MatGetNonzeroState(A, &nonzeros));
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "cuDSS needs an AIJ matrix");
  PetscCall(MatSeqAIJGetArrayRead(A, &rows.value));
  rows.n = n;
  try {
    if (!context.factors || matrix != context.matrix || nonzeros != context.nonzeros) {
      context.factors = std::make_unique<CudssFactors>(invar::CudssLibrary::load(), kind);
      failed = context.factors->analyse(rows);
      context.matrix = matrix;
      context.nonzeros = nonzeros;
    }
    if (failed.empty()) failed = context.factors->factor(rows);
    if (!failed.empty()) context.factors.reset();
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "factors by cuDSS");
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscCall(MatSeqAIJRestoreArrayRead(A, &rows.value));
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &rows.start, &rows.column, &done));
  return 0;
}

PetscErrorCode cudss_set_up(PC pc) {
  Mat A;
  const char* prefix;
  char word[16] = "lu";
  PetscCall(PCGetOperators(pc, nullptr, &A));
  PetscCall(PCGetOptionsPrefix(pc, &prefix));
  PetscCall(PetscOptionsGetString(nullptr, prefix, "-pc_cudss_kind", word, sizeof word, nullptr));
  const std::string_view kind(word);
  PetscCheck(kind == "lu" || kind == "ldlt" || kind == "cholesky", PETSC_COMM_SELF, PETSC_ERR_USER, "pc_cudss_kind is lu, ldlt or cholesky");
  std::string failed;
  PetscCall(cudss_factor(cudss_context(pc), A,
                         kind == "lu"     ? CudssFactors::Kind::lu
                         : kind == "ldlt" ? CudssFactors::Kind::ldlt
                                          : CudssFactors::Kind::cholesky,
                         failed));
  PetscCall(PCSetFailedReason(pc, failed.empty()                                    ? PC_NOERROR
                                  : failed.find("memory") != std::string::npos ? PC_FACTOR_OUTMEMORY
                                                                                    : PC_FACTOR_OTHER));
  return 0;
}

template <bool Transpose>
PetscErrorCode cudss_apply(PC pc, Vec b, Vec x) {
  const double* from;
  double* to;
  PetscCheck(cudss_context(pc).factors, PETSC_COMM_SELF, PETSC_ERR_ORDER, "no factors by cuDSS");
  PetscCall(VecGetArrayRead(b, &from));
  PetscCall(VecGetArray(x, &to));
  std::string failed;
  try {
    failed = cudss_context(pc).factors->solve(from, to, Transpose);
  } catch (const std::exception& e) {
    failed = e.what();
  }
  PetscCall(VecRestoreArray(x, &to));
  PetscCall(VecRestoreArrayRead(b, &from));
  PetscCheck(failed.empty(), PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", failed.c_str());
  return 0;
}

PetscErrorCode cudss_destroy(PC pc) {
  delete &cudss_context(pc);
  return 0;
}

PetscErrorCode cudss_create(PC pc) {
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, new CudssContext));
  PetscCall(PCShellSetName(pc, cudss_name));
  PetscCall(PCShellSetSetUp(pc, cudss_set_up));
  PetscCall(PCShellSetApply(pc, cudss_apply<false>));
  PetscCall(PCShellSetApplyTranspose(pc, cudss_apply<true>));
  PetscCall(PCShellSetDestroy(pc, cudss_destroy));
  return 0;
}

}  // namespace

void invar::register_cudss() { check(PCRegister("invar_cudss", cudss_create)); }

bool invar::factored_by_cudss(PC pc) {
  PetscBool shell;
  check(PetscObjectTypeCompare(PetscObject(pc), PCSHELL, &shell));
  if (!shell) return false;
  const char* name = nullptr;
  check(PCShellGetName(pc, &name));
  return name && std::string_view(name) == cudss_name;
}

int invar::cudss_negative_pivots(PC pc) { return cudss_context(pc).factors ? cudss_context(pc).factors->negative_pivots() : 0; }
int invar::cudss_perturbed_pivots(PC pc) { return cudss_context(pc).factors ? cudss_context(pc).factors->perturbed_pivots() : 0; }
