#include "libadjoint/solve/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "libadjoint/solve/assembled_on_demand.hpp"
#include "libadjoint/solve/cudss_library.hpp"
#include "libadjoint/solve/device_rows.hpp"
#include "libadjoint/solve/diagonal_matrix.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/krylov_stopping_test.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/singularity.hpp"

namespace invar {

namespace {

using Needs = LinearMethod::Needs;

PetscObjectId number_of(Vec v) {
  PetscObjectId number = 0;
  check(PetscObjectGetId(PetscObject(v), &number));
  return number;
}

}  // namespace

LinearSolver::LinearSolver(MPI_Comm comm, LinearSolverOptions options)
    : comm_(comm), options_(std::move(options)) {
  if (options_.method != "auto") method_ = &find_linear_method(options_.method);
  if (!(options_.rtol >= 0 && options_.rtol < 1))
    throw std::invalid_argument("linear solver: rtol must lie between 0 and 1");
}

void LinearSolver::set_operator(Mat A, bool symmetric) {
  // `auto` chooses again where an operator with levels is followed by another one, or follows one, unless it has given them up.
  const bool automatic = options_.method == "auto";
  if (automatic && method_ && levels_ && (A == levels_->finest()) != (method_->name == levels_->method())) {
    AssembledOnDemand* const later = went_direct_ ? AssembledOnDemand::of(A) : nullptr;
    const Mat matrix = later ? later->assemble() : nullptr;
    if (matrix) A = matrix;
    else method_ = nullptr;
  }
  const bool by_cudss = method_ ? method_->by_cudss : automatic && DeviceRows::of(A) && CudssLibrary::obstacle().empty();
  if (!by_cudss) A = DeviceRows::host_matrix(A);
  if (A != A_.get()) {
    check(PetscObjectReference(PetscObject(A)));
    A_ = MatHandle(A);
    check(MatCreateVecs(A, nullptr, r_.out()));
    b_copy_.reset();
    x_copy_.reset();
    copied_ = 0;
    if (borrowed_ && options_.keep_factors && factors_ != Factors::none) {
      check(KSPSetOperators(ksp_, A, A));
    } else {
      // A new pattern. PETSc identifies patterns by a counter of each matrix, which two matrices may share.
      ksp_.reset();
      blocks_.reset();
      factors_ = Factors::none;
    }
    PetscInt size = 0;
    check(MatGetSize(A, &size, nullptr));
    if (!std::exchange(released_, false) || size != size_) direct_cost_.reset();
    size_ = size;
  }
  symmetric_ = symmetric;
  diagonal_ = diagonal_of(A);
  if (divides()) {
    new_values_ = true;
    factors_ = Factors::none;
    return;
  }
  if (!method_) {
    method_ = &choose_method();
    if (monitor_ && (!method_->direct || method_->by_cudss))
      monitor_->stage("linear solver " + std::string(method_->name) + ", for " + std::to_string(size_) + " unknowns");
  }
  // On one process PCREDUNDANT does not keep factors: it would refactorise for every new value of A.
  if (method_->name == "redundant" && process_count(comm_) == 1) method_ = &find_linear_method("umfpack");
  if (!ksp_) direct_ = method_->direct;
  require_suitable(*method_, symmetric, process_count(comm_));
  if (method_->needs == Needs::saddle_point && !saddle_point_)
    throw std::invalid_argument("linear solver '" + std::string(method_->name) +
                                "' needs a saddle-point system whose blocks are known; use " + (symmetric ? "mumps_cholesky" : "mumps"));
  if (method_->needs == Needs::node_blocks && !node_blocks_)
    throw std::invalid_argument("linear solver '" + std::string(method_->name) +
                                "' needs an operator in blocks of all unknowns of a node; use " +
                                (saddle_point_ ? "field_split_amg" : symmetric ? "mumps_cholesky" : "mumps"));
  if (method_->needs == Needs::coupled_fields && !coupled_fields_)
    throw std::invalid_argument("linear solver '" + std::string(method_->name) + "' needs an operator whose fields are known; use " +
                                (symmetric ? "mumps_cholesky" : "mumps"));
  if ((method_->needs == Needs::triangular_blocks) != (triangular_blocks_ != nullptr))
    throw std::invalid_argument(triangular_blocks_ ? "only 'block_triangular' solves with this operator: use auto"
                                                   : "linear solver 'block_triangular' needs a block-triangular operator; use auto");
  if (by_levels() && method_->name != levels_->method())
    throw std::invalid_argument("only '" + std::string(levels_->method()) + "' solves with this operator: use auto");
  if (method_->needs == Needs::levels && !by_levels())
    throw std::invalid_argument("linear solver 'cg_lattice' needs element matrices that differ by factors alone, on a grid of "
                                "congruent cells (linear equations); use auto");
  if (method_->needs == Needs::prolongation && !prolongation_ && !by_levels())
    throw std::invalid_argument("linear solver '" + std::string(method_->name) +
                                "' needs a prolongation from linear elements; use cg_hypre or cg_gamg");
  if (method_->by_cudss && !ksp_) CudssLibrary::load();
  if (modes_) check(MatSetNearNullSpace(A, modes_));
  new_values_ = true;
  const bool keep = options_.keep_factors && factors_ != Factors::none;
  factors_ = keep ? Factors::stale : Factors::none;
}

void LinearSolver::release() {
  ksp_.reset();
  blocks_.reset();
  r_.reset();
  b_copy_.reset();
  x_copy_.reset();
  copied_ = 0;
  A_.reset();
  diagonal_ = nullptr;
  released_ = true;
  borrowed_ = false;
  factors_ = Factors::none;
}

void LinearSolver::set_near_null_space(MatNullSpace modes) {
  if (modes) check(PetscObjectReference(PetscObject(modes)));
  modes_ = NullSpaceHandle(modes);
  if (A_) check(MatSetNearNullSpace(A_, modes));
  invalidate();
}

void LinearSolver::set_prolongation(Mat prolongation) {
  if (prolongation) check(PetscObjectReference(PetscObject(prolongation)));
  prolongation_ = MatHandle(prolongation);
}

double LinearSolver::true_residual(Vec b, Vec x, bool transpose) {
  check(transpose ? MatMultTranspose(A_, x, r_) : MatMult(A_, x, r_));
  check(VecAYPX(r_, -1, b));
  PetscReal norm;
  check(VecNorm(r_, NORM_2, &norm));
  return norm / b_norm_;
}

/// Krylov iterations until the true residual is small enough; restarts if the method's recursive residual has drifted from the true one.
bool LinearSolver::iterate(Vec b, Vec x, double rtol, bool transpose, int limit, bool from_x,
                           SolveReport& report) {
  double previous = from_x ? report.residual : 1;
  while (limit > 0) {
    // With multigrid, conjugate gradients start slowly even with an unchanged matrix, and become faster.
    KrylovStoppingTest stopping{.target = 0.9 * rtol * b_norm_, .limit = factors_ == Factors::stale ? limit : 0,
              .tested_from = direct_ ? 2 : std::max(2, limit / 4), .power = direct_ ? 1.0 : 2.0,
              .monitor = monitor_.get(), .method = method_->name, .right_hand_side = b_norm_};
    if (monitor_) stopping.stop = [this] { return stop_asked(); };
    if (options_.method == "auto" && !direct_ && factors_ == Factors::fresh)
      stopping.give_up = [this](int done, double expected) { return gives_up(done, expected); };
    check(KSPSetTolerances(ksp_, 0, stopping.target, PETSC_DEFAULT, limit));
    check(KSPSetConvergenceTest(ksp_, &KrylovStoppingTest::test, &stopping, nullptr));
    check(KSPSetInitialGuessNonzero(ksp_, from_x ? PETSC_TRUE : PETSC_FALSE));
    const bool well = library_call(
        report, [&] { check(transpose && !symmetric_ ? KSPSolveTranspose(ksp_, b, x) : KSPSolve(ksp_, b, x)); });
    if (!well) return false;
    KSPConvergedReason reason;
    PetscInt iterations;
    check(KSPGetConvergedReason(ksp_, &reason));
    check(KSPGetIterationNumber(ksp_, &iterations));
    report.iterations += int(iterations);
    limit -= std::max(1, int(iterations));
    if (reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC) {
      report.negative_curvature = true;  // conjugate gradients stop here, minimal residual methods do not
      check(KSPSetType(ksp_, KSPFGMRES));
      from_x = false;
      continue;
    }
    report.residual = true_residual(b, x, transpose);
    if (report.residual <= rtol) return true;
    if (reason == KSP_DIVERGED_PC_FAILED)
      report.reason = report.method + " met a zero pivot (singular matrix?)";
    const bool given_up = (stopping.limit > 0 && reason == KSP_DIVERGED_ITS) || stopping.gave_up;
    if (stopping.gave_up) report.reason = why_direct_.empty() ? "interrupted" : why_direct_;
    if (given_up || !(report.residual < 0.5 * previous)) break;
    previous = report.residual;
    from_x = true;
  }
  return false;
}

/// Back-substitution with exact factors, followed by Krylov steps if round-off requires them.
bool LinearSolver::substitute(Vec b, Vec x, double rtol, bool transpose, SolveReport& report) {
  PC pc;
  check(KSPGetPC(ksp_, &pc));
  const bool well =
      library_call(report, [&] { check(transpose && !symmetric_ ? PCApplyTranspose(pc, b, x) : PCApply(pc, b, x)); });
  if (!well) return false;
  report.residual = true_residual(b, x, transpose);
  if (report.residual <= rtol) return true;
  const bool usable = report.residual < 1;
  return iterate(b, x, rtol, transpose, 30, usable, report);
}

/// Iterations expected with fresh factors: those of an earlier solve with this residual reduction, else extrapolated from the longest.
int LinearSolver::expected_iterations(double rtol) const {
  const double needed = -std::log(rtol);
  for (const auto& [iterations, fall] : fresh_falls_)
    if (fall >= needed) return iterations;
  if (fresh_falls_.empty()) return 0;
  const auto& [iterations, fall] = *fresh_falls_.rbegin();
  return int(std::lround(iterations * needed / fall));
}

void LinearSolver::attempt(Vec b, Vec x, double rtol, bool transpose, SolveReport& report) {
  report.method = method_->name;
  report.reason.clear();
  if (triangular_blocks_) triangular_blocks_->set_tolerance(0.5 * rtol);
  bool at_floor = false;  // the residual is limited by round-off, not by old factors
  if (factors_ == Factors::stale) {
    const int worth = static_cast<int>(factors_in_iterations());  // beyond this number a factorisation is cheaper
    const int limit = std::max(options_.kept_iteration_limit, worth) + expected_iterations(rtol);
    report.converged = iterate(b, x, rtol, transpose, limit, false, report);
    if (!report.converged) invalidate();
    if (!report.converged && stop_asked()) return;
  }
  if (!report.converged) {
    // The result of a successful solve with kept multigrid is continued from.
    const bool begun = !direct_ && factors_ == Factors::none && report.residual < 1 && report.reason.empty();
    const double before = begun ? report.residual : 1;
    const int iterations = report.iterations;
    report.reason.clear();
    report.error = std::numeric_limits<double>::quiet_NaN();
    if (factors_ == Factors::none && !factor(report)) return;
    report.negative_curvature |= indefinite_;
    report.converged = direct_ ? substitute(b, x, rtol, transpose, report)
                               : iterate(b, x, rtol, transpose, max_iterations_, begun, report);
    const double fall = std::log(before / report.residual);
    if (!direct_ && fall > 0) fresh_falls_[report.iterations - iterations] = fall;
    if (!report.converged && ksp_ && assembled()) report.converged = at_floor = at_round_off(x, transpose, report);
  }
  if (report.converged) report.reason = at_floor ? "converged to the round-off floor" : "converged";
  else if (report.reason.empty()) explain_stall(transpose, rtol, report);
}

/// Division by a diagonal operator, which equals its transpose.
void LinearSolver::divide(Vec b, Vec x, double rtol, SolveReport& report) {
  check(VecPointwiseDivide(x, b, diagonal_));
  report.residual = true_residual(b, x, false);
  report.converged = report.residual <= rtol;
  report.reason = report.converged ? "converged" : "relative residual " + scientific(report.residual) + " after a division";
}

SolveReport LinearSolver::run(Vec b, Vec x, double rtol, bool transpose) {
  if (!A_) throw std::invalid_argument("linear solver: set_operator comes before solve");
  if (beside_operator(b)) return run_in_place(b, x, rtol, transpose);
  if (!b_copy_) {
    check(VecDuplicate(r_, b_copy_.out()));
    check(VecDuplicate(r_, x_copy_.out()));
  }
  copy_entries(b, b_copy_);
  const SolveReport report = run_in_place(b_copy_, x_copy_, rtol, transpose);
  copy_entries(x_copy_, x);
  copied_ = number_of(x);
  return report;
}

/// The solution of the last solve, or another vector, in the memory of the operator's vectors.
Vec LinearSolver::solution_at(Vec x) {
  if (beside_operator(x)) return x;
  if (copied_ != number_of(x)) copy_entries(x, x_copy_);
  copied_ = number_of(x);
  return x_copy_;
}

SolveReport LinearSolver::run_in_place(Vec b, Vec x, double rtol, bool transpose) {
  const double start = MPI_Wtime();
  if (rtol < 0) rtol = this->rtol();
  SolveReport report;
  report.method = divides() ? "division" : method_->name;
  check(VecSet(x, 0));
  if (stop_asked()) {
    report.reason = "interrupted";
    return report;
  }
  if (new_values_ && assembled()) {
    PetscInt row;
    report.reason = find_bad_row(A_, row);
    if (!report.reason.empty()) {
      report.singular = report.reason.starts_with("singular");
      report.singular_dof = report.singular ? row : -1;
      factors_ = Factors::none;
      return report;
    }
    new_values_ = false;
  }
  check(VecNorm(b, NORM_2, &b_norm_));
  if (!std::isfinite(b_norm_)) {
    report.reason = "the right-hand side is not finite (NaN or Inf)";
    return report;
  }
  if (b_norm_ == 0) {
    report.converged = true;
    report.residual = 0;
    report.reason = "the right-hand side is zero";
    return report;
  }
  if (divides()) {
    divide(b, x, rtol, report);
    report.seconds = MPI_Wtime() - start;
    return report;
  }
  attempt(b, x, rtol, transpose, report);
  const bool automatic = options_.method == "auto";
  if (!report.converged && automatic && !direct_ && (assembled() || AssembledOnDemand::of(A_)) && !stop_asked()) {
    const std::string why = report.reason;
    change(report);
    if (direct_) attempt(b, x, rtol, transpose, report);
    report.reason += "; before that: " + why;
  } else if (report.converged && automatic && !direct_ && factors_are_cheaper(report.iterations)) {
    go_on_directly();  // from the next solve on
  }
  if (!report.converged && !method_->fallback.empty() && !stop_asked()) fall_back(b, x, rtol, transpose, report);
  report.seconds = MPI_Wtime() - start;
  return report;
}

}  // namespace invar
