// The back end of LinearSolver: creation, set-up and checks of its factors, calls of the library.
#include <limits>
#include <utility>

#include "libadjoint/solve/block_ilu.hpp"
#include "libadjoint/solve/cudss_preconditioner.hpp"
#include "libadjoint/solve/gauss_seidel_preconditioner.hpp"
#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/options_scope.hpp"
#include "libadjoint/solve/saddle_preconditioner.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/set_up_factors.hpp"
#include "libadjoint/solve/singularity.hpp"

namespace invar {

namespace {

using Needs = LinearMethod::Needs;

constexpr double sound_probe = 1e-6;  // relative residual of a probe above which factors are not those of the matrix

}  // namespace

void LinearSolver::create_ksp() {
  register_block_ilu();
  register_cudss();
  check(KSPCreate(comm_, ksp_.out()));
  check(KSPSetOptionsPrefix(ksp_, options_.prefix.c_str()));
  check(KSPSetOperators(ksp_, A_, A_));
  check(KSPSetTolerances(ksp_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, options_.max_iterations));
  if (by_levels() || method_->needs == Needs::prolongation) {
    PC pc;
    const int count = by_levels() ? levels_->count() : 2;
    check(KSPGetPC(ksp_, &pc));
    check(PCSetType(pc, PCMG));
    check(PCMGSetLevels(pc, count, nullptr));
    for (int level = 1; level < count; ++level)
      check(PCMGSetInterpolation(pc, level, by_levels() ? levels_->prolongation(level) : prolongation_.get()));
  }
  check(KSPSetFromOptions(ksp_));
  KSPType type;
  PetscInt most;
  check(KSPGetType(ksp_, &type));
  check(KSPGetTolerances(ksp_, nullptr, nullptr, nullptr, &most));
  ksp_type_ = type;
  max_iterations_ = int(most);
  PC pc;
  PetscBool lu, cholesky, redundant;
  check(KSPGetPC(ksp_, &pc));
  if (method_->needs == Needs::saddle_point) {
    const bool augmented = method_->name == "field_split";
    blocks_ = std::make_unique<SaddlePreconditioner>(saddle_point_, options_.prefix, augmented ? saddle_point_ : nullptr);
  }
  if (method_->needs == Needs::coupled_fields) blocks_ = std::make_unique<GaussSeidelPreconditioner>(coupled_fields_, options_.prefix);
  if (blocks_) blocks_->attach(pc);
  if (method_->needs == Needs::triangular_blocks) triangular_blocks_->attach(pc);
  check(PetscObjectTypeCompare(PetscObject(pc), PCLU, &lu));
  check(PetscObjectTypeCompare(PetscObject(pc), PCCHOLESKY, &cholesky));
  check(PetscObjectTypeCompare(PetscObject(pc), PCREDUNDANT, &redundant));
  direct_ = lu || cholesky || redundant || factored_by_cudss(pc);
}

/// Passes the matrices of the levels to PETSc's multigrid.
void LinearSolver::use_level_matrices() {
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  for (int level = 0; level < levels_->count(); ++level) {
    KSP smoother;
    check(PCMGGetSmoother(pc, level, &smoother));
    check(KSPSetOperators(smoother, levels_->matrix(level), levels_->matrix(level)));
  }
}

/// Computes factors or preconditioner for the present values.
bool LinearSolver::factor(SolveReport& report) {
  std::string defaults(method_->options);
  if (!method_->options_of_short_rows.empty() && entries_per_row(A_) < short_row)
    defaults += " " + std::string(method_->options_of_short_rows);
  if (by_levels()) defaults += " " + levels_->options();
  if (!options_.reproducible) defaults += " pc_cudss_reproducible 0 mg_coarse_pc_cudss_reproducible 0";
  const OptionsScope options(options_.prefix, defaults);
  const QuietErrors quiet;
  if (std::exchange(borrowed_, false)) ksp_.reset();
  if (!ksp_) create_ksp();
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  check(KSPSetType(ksp_, ksp_type_.c_str()));
  check(KSPSetReusePreconditioner(ksp_, PETSC_FALSE));
  check(MatSetOption(A_, MAT_SYMMETRIC, symmetric_ ? PETSC_TRUE : PETSC_FALSE));
  std::string failure = blocks_             ? blocks_->set_up(A_)
                        : triangular_blocks_ ? triangular_blocks_->set_up()
                        : by_levels()        ? levels_->set_up()
                                             : "";
  if (by_levels()) use_level_matrices();
  if (failure.empty()) failure = set_up_factors(ksp_);
  ++factorisations_;
  fresh_falls_.clear();
  report.factored = true;
  if (failure.empty() && sound_factors(report)) {
    check(KSPSetReusePreconditioner(ksp_, PETSC_TRUE));
    factors_ = Factors::fresh;
    return true;
  }
  if (failure == "zero pivot") {
    report.singular = direct_;
    report.reason = method_->name == "cholmod"
                        ? "singular matrix or an indefinite one: cholmod needs a positive "
                          "definite operator"
                        : "singular matrix: zero pivot in " + report.method;
  } else if (!failure.empty()) {
    report.reason = failure + " in " + report.method;
  }
  ksp_.reset();
  return false;
}

/// Checks factors that the library reported as successful: null vectors and negative pivots.
bool LinearSolver::sound_factors(SolveReport& report) {
  indefinite_ = false;
  weakest_ = 1;
  error_by_residual_ = {};
  if (!direct_) return true;
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  WeakestMode mode;
  PetscInt negative = 0;
  double probed = 0;  // residual of a probe, if pivots may have been perturbed
  const bool known = library_call(report, [&] {
    if (factored_by_cudss(pc)) {
      negative = cudss_negative_pivots(pc);
      if ((probed = probed_residual(pc, A_)) > sound_probe) return;
    }
    mode = weakest_mode(pc, A_, symmetric_);
    weakest_ = mode.stiffness;
    if (method_->name != "mumps_cholesky") return;
    Mat factors;
    check(PCFactorGetMatrix(pc, &factors));
    check(MatGetInertia(factors, &negative, nullptr, nullptr));
  });
  if (!known) return false;
  if (probed > sound_probe) {
    report.reason = "the factors leave a residual of " + scientific(probed) + ", with " + std::to_string(cudss_perturbed_pivots(pc)) +
                    " perturbed pivots in " + report.method;
    return false;
  }
  if (mode.stiffness < singular_stiffness) {
    report.singular = true;
    report.singular_dof = mode.dof;
    report.reason = (mode.stiffness > 0 ? "singular matrix: a mode that nothing resists, largest at dof "
                                        : "singular matrix, or numbers that overflow: not finite at dof ") +
                    std::to_string(mode.dof);
    return false;
  }
  indefinite_ = negative > 0;
  return true;
}

/// Calls the library. An error fails the solve on every rank, with the reason in the report; the solver is then set up again.
bool LinearSolver::library_call(SolveReport& report, const std::function<void()>& calls) {
  const std::string failure = library_failure(comm_, calls);
  if (failure.empty()) return true;
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  report.reason = failure + " in " + report.method + mumps_code(pc);
  report.residual = std::numeric_limits<double>::quiet_NaN();
  ksp_.reset();
  factors_ = Factors::none;
  return false;
}

}  // namespace invar
