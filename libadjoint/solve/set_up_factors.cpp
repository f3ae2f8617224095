#include "libadjoint/solve/set_up_factors.hpp"

#include <span>

#include "libadjoint/solve/cudss_preconditioner.hpp"
#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/options_scope.hpp"

namespace invar {

namespace {

/// The failure reason of any rank. (PCGetFailedReason refers to the last Krylov solve, not to the set-up.)
PCFailedReason failed_reason(PC pc) {
  PCFailedReason here;
  check(PCGetFailedReasonRank(pc, &here));
  int worst = here;
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, PetscObjectComm(PetscObject(pc)));
  return PCFailedReason(worst);
}

/// MUMPS's work space in addition to the estimate of its analysis, in percent.
class WorkSpace {
 public:
  explicit WorkSpace(PC pc) : pc_(pc) {
    const char* prefix = nullptr;
    check(PCGetOptionsPrefix(pc, &prefix));
    option_ = "-" + std::string(prefix ? prefix : "") + "mat_mumps_icntl_14";
    char text[32];
    check(PetscOptionsGetString(nullptr, nullptr, option_.c_str(), text, sizeof text, &given_));
    if (given_) before_ = text;
  }
  WorkSpace(const WorkSpace&) = delete;
  WorkSpace& operator=(const WorkSpace&) = delete;
  ~WorkSpace() {
    given_ ? PetscOptionsSetValue(nullptr, option_.c_str(), before_.c_str())
           : PetscOptionsClearValue(nullptr, option_.c_str());
  }

  /// Triples the work space. PETSc does not call MUMPS again after an error, so the solver is set up again; the
  /// analysis reads the work space from the options.
  void enlarge() const {
    Mat factors;
    PetscInt percent;
    check(PCFactorGetMatrix(pc_, &factors));
    check(MatMumpsGetIcntl(factors, 14, &percent));
    check(PetscOptionsSetValue(nullptr, option_.c_str(), std::to_string(3 * percent).c_str()));
    check(PCReset(pc_));
  }

 private:
  PC pc_;
  std::string option_, before_;
  PetscBool given_ = PETSC_FALSE;
};

/// Block Jacobi (PCBJACOBI) copies the flag "reuse" to the solvers of its blocks when it is applied, and not before they are set up
/// again: without this they would keep the factors of the first matrix for ever.
void renew_blocks(PC pc) {
  PetscBool by_blocks;
  PetscInt count = 0;
  KSP* solvers = nullptr;
  check(PetscObjectTypeCompare(PetscObject(pc), PCBJACOBI, &by_blocks));
  if (!by_blocks) return;
  check(PCBJacobiGetSubKSP(pc, &count, nullptr, &solvers));
  for (KSP solver : std::span(solvers, count)) check(KSPSetReusePreconditioner(solver, PETSC_FALSE));
  check(PCSetUpOnBlocks(pc));
}

void set_up(KSP ksp, Mat A) {
  PetscBool known, symmetric;
  check(MatIsSymmetricKnown(A, &known, &symmetric));
  check(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));  // marks the values as new; PETSc then
  check(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));    // discards the symmetry flag
  if (known) check(MatSetOption(A, MAT_SYMMETRIC, symmetric));
  check(KSPSetOperators(ksp, A, A));
  check(KSPSetUp(ksp));
  PC pc;
  check(KSPGetPC(ksp, &pc));
  renew_blocks(pc);
}

}  // namespace

bool factored_by(PC pc, std::string_view library) {
  PetscBool lu, cholesky;
  check(PetscObjectTypeCompare(PetscObject(pc), PCLU, &lu));
  check(PetscObjectTypeCompare(PetscObject(pc), PCCHOLESKY, &cholesky));
  if (!lu && !cholesky) return false;
  MatSolverType solver = nullptr;
  check(PCFactorGetMatSolverType(pc, &solver));
  return solver && library == solver;
}

bool factored_by_mumps(PC pc) { return factored_by(pc, MATSOLVERMUMPS); }

std::string mumps_code(PC pc) {
  const QuietErrors quiet;
  Mat factors = nullptr;
  PetscInt code = 0;
  if (!factored_by_mumps(pc) || PCFactorGetMatrix(pc, &factors) != 0 || !factors) return {};
  if (MatMumpsGetInfog(factors, 1, &code) != 0 || code >= 0) return {};
  return " (INFOG(1) = " + std::to_string(code) + ")";
}

std::string set_up_factors(KSP ksp) {
  constexpr int most_attempts = 4;
  Mat A;
  PC pc;
  check(KSPGetPC(ksp, &pc));
  check(KSPGetOperators(ksp, &A, nullptr));
  check(PetscObjectReference(PetscObject(A)));  // the new set-up releases the matrix
  const MatHandle kept(A);
  const WorkSpace space(pc);
  PCFailedReason failed = PC_NOERROR;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (attempt > 0) space.enlarge();
    const std::string failure = library_failure(PetscObjectComm(PetscObject(ksp)), [&] { set_up(ksp, A); });
    if (!failure.empty()) return failure + mumps_code(pc);
    failed = failed_reason(pc);
    if (failed != PC_FACTOR_OUTMEMORY || !factored_by_mumps(pc)) break;
  }
  if (failed != PC_NOERROR && factored_by_cudss(pc)) return cudss_failure(pc);
  switch (failed) {
    case PC_NOERROR: return "";
    case PC_FACTOR_OUTMEMORY: return "not enough memory for the factors" + mumps_code(pc);
    case PC_FACTOR_STRUCT_ZEROPIVOT:
    case PC_FACTOR_NUMERIC_ZEROPIVOT:
    case PC_SUBPC_ERROR: return "zero pivot";
    default: return "the factorisation failed" + mumps_code(pc);
  }
}

}  // namespace invar
