// Choice of the method by `auto`, initially and later: the part of LinearSolver that compares costs.
#include <algorithm>
#include <cmath>

#include "libadjoint/solve/assembled_on_demand.hpp"
#include "libadjoint/solve/cudss_preconditioner.hpp"
#include "libadjoint/solve/device_rows.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/matrix_facts.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/solve/set_up_factors.hpp"

namespace invar {

namespace {

constexpr double multigrid_density = 38;  // entries per row that distinguish 3-D from 2-D

// Operations of one iteration per entry of A, converted to operations of a factorisation with the same run time: MUMPS reaches 40e9 per
// second with AVX-512, sparse matrix products a few 1e9. Measured: conjugate gradients with multigrid 20 at a fifth of the speed;
// field_split_amg 55 ms per iteration with 61 793 unknowns and 5.7e6 entries, where MUMPS takes 5.8 s for 2.5e11 operations.
constexpr double multigrid_cycle = 100;
constexpr double block_cycle = 400;

// Operations of a factorisation with the run time of one operation of a back-substitution, which is limited by memory bandwidth: measured
// with AVX-512 for flow with 57 714 unknowns, where a factorisation takes as long as 8 to 9 iterations. And vector operations of a Krylov
// method per unknown and iteration.
constexpr double dense_speed = 8;
constexpr double krylov_vectors = 40;
// On a device both are bound by latency: 21 and 28 for a solid in space with 63 375 and 165 375 unknowns (cuDSS 1.0 on an H200).
constexpr double device_factorisation = 20;
// UMFPACK's factors of small matrices are bound by its lists, the iterations of very small ones by what a Krylov method adds: 5, 15, 24 and
// 28 iterations with 54, 194, 444 and 514 unknowns of bodies in time (configs 65_pendulum, 43_slope, 44_gripper, 31_throw with `-log_view`).
// Below a hundred factors are as cheap as their use.
constexpr double umfpack_factorisation = 28;
constexpr PetscInt half_of_it = 150, umfpack_is_dear_from = 100;

constexpr int many = 30;  // iterations: up to this number never too many
// The same without a matrix, on a device: what factors cost is told by an analysis on the host, which takes as long as many of its iterations
// (an estimate).
constexpr int many_without_matrix = 100;

// Factors of 3-D flow take 65 n² operations in a cube, less in long or flat domains. If this bound already excludes a factorisation, the
// symbolic analysis is skipped: for a million unknowns it takes a minute.
constexpr double space_operations = 65;
constexpr double flattest = 0.05;

/// What tells the number of entries and the cost of factors.
Mat matrix_or_pattern(Mat A) {
  AssembledOnDemand* const later = AssembledOnDemand::of(A);
  return later ? later->pattern() : A;
}

}  // namespace

const LinearMethod& LinearSolver::direct_method() const {
  if (DeviceRows::of(A_)) return find_linear_method(symmetric_ ? "cudss_ldlt" : "cudss");
  if (symmetric_) return find_linear_method("mumps_cholesky");
#ifdef INVAR_SUITESPARSE
  if (size_ <= options_.umfpack_up_to) return find_linear_method(process_count(comm_) == 1 ? "umfpack" : "redundant");
#endif
  return find_linear_method("mumps");
}

const LinearMethod& LinearSolver::choose_method() const {
  const PetscInt n = size_;
  if (triangular_blocks_) return find_linear_method("block_triangular");
  if (by_levels()) return find_linear_method(levels_->method());
  if (DeviceRows::of(A_)) return direct_method();  // other methods would need the matrix on the host
  if (saddle_point_ && n >= options_.blocks_from && saddle_point_->favours_multigrid())
    return find_linear_method("field_split_amg");
  if (node_blocks_ && n >= options_.coupled_from && entries_per_row(A_) > multigrid_density)
    return find_linear_method("coupled_amg");
  if (coupled_fields_ && n >= options_.fields_from && coupled_fields_->favours_iteration) return find_linear_method("block_gauss_seidel");
  const bool definite = symmetric_ && !saddle_point_;
  if (definite && n >= options_.multigrid_from && entries_per_row(A_) > multigrid_density)
    return find_linear_method(prolongation_ ? "cg_two_level" : "cg_hypre");
  return direct_method();
}

bool LinearSolver::stop_asked() const {
  if (!monitor_) return false;
  int stop = monitor_->stop();
  MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, comm_);
  return stop != 0;
}

const FactorCost& LinearSolver::direct_cost() {
  if (!direct_cost_) direct_cost_ = factor_cost(matrix_or_pattern(A_), symmetric_);
  return *direct_cost_;
}

double LinearSolver::iterative_operations(double iterations) const {
  MatInfo info;
  check(MatGetInfo(matrix_or_pattern(A_), MAT_GLOBAL_SUM, &info));
  return iterations * (blocks_ ? block_cycle : multigrid_cycle) * info.nz_used;
}

/// Whether this number of iterations costs more than a factorisation whose factors fit into memory.
bool LinearSolver::factors_are_cheaper(double iterations) {
  const bool without_matrix = AssembledOnDemand::of(A_) != nullptr;
  if (iterations < (without_matrix ? many_without_matrix : many) || !(assembled() || without_matrix)) return false;
  const double iterative = iterative_operations(iterations), n = double(size_);
  if ((blocks_ || without_matrix) && iterative < flattest * space_operations * n * n) return false;
  const FactorCost& cost = direct_cost();
  return cost.known() && cost.fits() && cost.operations < iterative;
}

/// Whether the present iterative solve should be stopped in favour of a factorisation.
bool LinearSolver::gives_up(int iterations, double expected) {
  if (!factors_are_cheaper(expected)) return false;
  const FactorCost& cost = direct_cost();
  why_direct_ = std::string(method_->name) + " after " + std::to_string(iterations) + " iterations had " +
                (std::isfinite(expected) ? std::to_string(std::lround(std::min(expected, 1e6))) + " ahead of it"
                                         : "gained nothing") +
                "; factors take " + scientific(cost.operations) + " operations and " + scientific(cost.needed / 1e9) +
                " GB of " + scientific(cost.memory / 1e9) + " GB";
  return true;
}

double LinearSolver::factors_in_iterations() const {
  PC pc;
  Mat factors;
  PetscReal operations = 0;
  PetscInt entries = 0;
  MatInfo info;
  if (!ksp_ || !direct_) return 0;
  check(KSPGetPC(ksp_, &pc));
  if (factored_by_cudss(pc)) return device_factorisation;
  if (factored_by(pc, MATSOLVERUMFPACK)) return size_ < umfpack_is_dear_from ? 0 : umfpack_factorisation * size_ / (size_ + half_of_it);
  if (!factored_by_mumps(pc)) return 0;
  check(PCFactorGetMatrix(pc, &factors));
  check(MatMumpsGetRinfog(factors, 3, &operations));
  check(MatMumpsGetInfog(factors, 29, &entries));
  check(MatGetInfo(A_, MAT_GLOBAL_SUM, &info));
  const double held = (entries < 0 ? -1e6 : 1.0) * double(entries);
  const double iteration = 2 * (symmetric_ ? 2 : 1) * held + 2 * info.nz_used + krylov_vectors * double(size_);
  return operations / (dense_speed * iteration);
}

bool LinearSolver::has_dear_factors() const {
  return direct_ && factors_ != Factors::none && factors_in_iterations() >= options_.dear_from;
}

void LinearSolver::go_on_directly() {
  if (!method_ || options_.method != "auto" || direct_) return;
  if (AssembledOnDemand* const later = AssembledOnDemand::of(A_)) {
    const Mat matrix = later->assemble();
    if (!matrix) return;
    check(PetscObjectReference(PetscObject(matrix)));
    A_ = MatHandle(matrix);
  }
  method_ = &direct_method();
  direct_ = method_->direct;
  went_direct_ = true;
  ksp_.reset();
  blocks_.reset();
  factors_ = Factors::none;
}

/// After an iterative solve that failed or was stopped: changes permanently to a direct method, if its factors fit.
void LinearSolver::change(SolveReport& report) {
  const std::string why = report.reason;
  const FactorCost& cost = direct_cost();
  if (cost.known() && !cost.fits()) {
    report.reason = "the factors of a direct solver need " + scientific(cost.needed / 1e9) + " GB in a process that may have " +
                    scientific(cost.memory / 1e9) + " GB";
    return;
  }
  go_on_directly();
  if (!direct_) {
    report.reason = "its matrix cannot be assembled";
    return;
  }
  report.given_up = report.method;
  report.given_up_iterations = report.iterations;
  report.iterations = 0;
  report.residual = HUGE_VAL;
  if (monitor_) monitor_->changed("linear solver " + std::string(method_->name) + " from here on: " + why);
}

/// After a failed solve: changes to the fallback method, and on to that method's own. If all fail the matrix is at fault, and the next solve
/// uses the requested method again.
void LinearSolver::fall_back(Vec b, Vec x, double rtol, bool transpose, SolveReport& report) {
  const LinearMethod* const asked = method_;
  const auto take = [this](const LinearMethod& method) {
    method_ = &method;
    ksp_.reset();
    factors_ = Factors::none;
    if (method.by_cudss || !DeviceRows::of(A_)) return;
    const Mat host = DeviceRows::host_matrix(A_);
    check(PetscObjectReference(PetscObject(host)));
    A_ = MatHandle(host);
  };
  while (!report.converged && !method_->fallback.empty() && !stop_asked()) {
    SolveReport other;
    other.given_up = asked->name;
    other.given_up_iterations = report.given_up_iterations + report.iterations;
    take(find_linear_method(method_->fallback));
    check(VecSet(x, 0));
    attempt(b, x, rtol, transpose, other);
    const std::string why = report.reason;
    other.reason += "; before that: " + why;
    if (other.converged && monitor_)
      monitor_->changed("linear solver " + std::string(method_->name) + " from here on: " + std::string(asked->name) + ": " + why);
    report = other;
  }
  if (!report.converged) take(*asked);
}

}  // namespace invar
