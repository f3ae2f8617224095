// Release and reuse of factors by a LinearSolver.
#include "libadjoint/solve/kept_factors.hpp"

#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/set_up_factors.hpp"

namespace invar {

bool LinearSolver::has_factors_to_keep() const {
  if (!ksp_ || !direct_ || borrowed_ || factors_ == Factors::none) return false;
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  return factored_by_mumps(pc);
}

std::size_t LinearSolver::factor_bytes() const {
  constexpr std::size_t krylov_vectors = 2 * 31;  // of FGMRES, which restarts after 30
  if (!has_factors_to_keep()) return 0;
  PC pc;
  Mat factors;
  PetscInt megabytes = 0, n = 0;
  MatInfo info;
  check(KSPGetPC(ksp_, &pc));
  check(PCFactorGetMatrix(pc, &factors));
  check(MatMumpsGetInfo(factors, 16, &megabytes));  // all memory that MUMPS has allocated for the factorisation
  check(MatGetInfo(A_, MAT_LOCAL, &info));
  check(MatGetLocalSize(A_, &n, nullptr));
  return 1000000 * static_cast<std::size_t>(megabytes) + static_cast<std::size_t>(info.nz_allocated) * (sizeof(PetscScalar) + sizeof(PetscInt)) +
         krylov_vectors * static_cast<std::size_t>(n) * sizeof(PetscScalar);
}

std::shared_ptr<const KeptFactors> LinearSolver::put_factors_aside() {
  auto kept = std::make_shared<KeptFactors>();
  kept->bytes = factor_bytes();
  kept->ksp = std::move(ksp_);
  kept->indefinite = indefinite_;
  kept->weakest = weakest_;
  factors_ = Factors::none;
  return kept;
}

void LinearSolver::take_up(const KeptFactors& factors) {
  check(PetscObjectReference(PetscObject(factors.ksp.get())));
  ksp_ = KspHandle(factors.ksp.get());
  check(KSPSetOperators(ksp_, A_, A_));
  indefinite_ = factors.indefinite;
  weakest_ = factors.weakest;
  error_by_residual_ = {};
  factors_ = Factors::stale;
  borrowed_ = true;
}

}  // namespace invar
