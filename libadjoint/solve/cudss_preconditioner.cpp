#include "libadjoint/solve/cudss_preconditioner.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "libadjoint/solve/cudss_factors.hpp"
#include "libadjoint/solve/factor_shell.hpp"

// Outside of the namespace, as in factor_shell.hpp.
namespace {

using invar::CudssFactors;
using CudssShell = invar_petsc::FactorShell<CudssFactors>;

constexpr const char* cudss_name = "factors by cuDSS";

/// Analyses and factorisations in -log_view; solves are PCApply.
PetscLogEvent analysis_event = 0, factor_event = 0;

PetscErrorCode set_up_cudss(PC pc) {
  Mat A;
  const char* prefix;
  char word[16] = "lu";
  PetscCall(PCGetOperators(pc, nullptr, &A));
  PetscCall(PCGetOptionsPrefix(pc, &prefix));
  PetscCall(PetscOptionsGetString(nullptr, prefix, "-pc_cudss_kind", word, sizeof word, nullptr));
  const std::string_view given(word);
  PetscCheck(given == "lu" || given == "ldlt" || given == "cholesky", PETSC_COMM_SELF, PETSC_ERR_USER, "pc_cudss_kind is lu, ldlt or cholesky");
  CudssFactors::Settings settings;
  settings.kind = given == "lu"     ? CudssFactors::Kind::lu
                  : given == "ldlt" ? CudssFactors::Kind::ldlt
                                    : CudssFactors::Kind::cholesky;
  PetscInt matching = settings.matching;
  PetscBool search = PETSC_TRUE, reproducible = PETSC_TRUE;
  PetscCall(PetscOptionsGetInt(nullptr, prefix, "-pc_cudss_matching", &matching, nullptr));
  PetscCall(PetscOptionsGetBool(nullptr, prefix, "-pc_cudss_search_pivots", &search, nullptr));
  PetscCall(PetscOptionsGetBool(nullptr, prefix, "-pc_cudss_reproducible", &reproducible, nullptr));
  settings.matching = static_cast<int>(matching), settings.search_pivots = search, settings.reproducible = reproducible;
  std::string failed;  // error message
  invar::DeviceRows* const there = invar::DeviceRows::of(A);
  const auto analyse = [&](const invar::CompressedRows& rows) {
    auto factors = std::make_unique<CudssFactors>(invar::CudssLibrary::load(), settings);
    PetscLogEventBegin(analysis_event, pc, A, nullptr, nullptr);
    failed = factors->analyse(rows, there);
    PetscLogEventEnd(analysis_event, pc, A, nullptr, nullptr);
    return failed.empty() ? std::move(factors) : nullptr;
  };
  const auto factor = [&](CudssFactors& factors, const invar::CompressedRows& rows) {
    PetscLogEventBegin(factor_event, pc, A, nullptr, nullptr);
    failed = factors.factor(rows, there);
    PetscLogEventEnd(factor_event, pc, A, nullptr, nullptr);
  };
  CudssShell& shell = CudssShell::of(pc);
  PetscCall(shell.renew(A, cudss_name, analyse, factor));
  if (!failed.empty()) shell.factors.reset();
  shell.failure = failed;
  PetscCall(PCSetFailedReason(pc, failed.empty() ? PC_NOERROR : PC_FACTOR_OTHER));
  return 0;
}

template <bool Transpose>
PetscErrorCode apply_cudss(PC pc, Vec b, Vec x) {
  return CudssShell::apply<true>(pc, b, x, [](CudssFactors& factors, const double* from, double* to) {
    if (const std::string failed = factors.solve(from, to, Transpose); !failed.empty()) throw std::runtime_error(failed);
  });
}

PetscErrorCode create_cudss(PC pc) { return CudssShell::create(pc, cudss_name, set_up_cudss, apply_cudss<false>, apply_cudss<true>); }

}  // namespace

void invar::register_cudss() {
  check(PCRegister("invar_cudss", create_cudss));
  if (analysis_event != 0) return;  // every solver calls this
  PetscClassId kind;
  check(PetscClassIdRegister("cuDSS", &kind));
  check(PetscLogEventRegister("cuDSSAnalysis", kind, &analysis_event));
  check(PetscLogEventRegister("cuDSSFactor", kind, &factor_event));
}

bool invar::factored_by_cudss(PC pc) {
  PetscBool shell;
  check(PetscObjectTypeCompare(PetscObject(pc), PCSHELL, &shell));
  if (!shell) return false;
  const char* name = nullptr;
  check(PCShellGetName(pc, &name));
  return name && std::string_view(name) == cudss_name;
}

const std::string& invar::cudss_failure(PC pc) { return CudssShell::of(pc).failure; }
int invar::cudss_negative_pivots(PC pc) { return CudssShell::of(pc).factors ? CudssShell::of(pc).factors->negative_pivots() : 0; }
int invar::cudss_perturbed_pivots(PC pc) { return CudssShell::of(pc).factors ? CudssShell::of(pc).factors->perturbed_pivots() : 0; }
