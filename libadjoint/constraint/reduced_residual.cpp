#include "libadjoint/constraint/reduced_residual.hpp"

#include <stdexcept>

namespace invar {

ReducedResidual::ReducedResidual(std::shared_ptr<Residual> inner, std::shared_ptr<const ConstraintMap> map)
    : inner_(std::move(inner)), map_(std::move(map)), u_(inner_->create_vector()) {
  int follows = 0;
  for (const int row : inner_->constrained_rows()) {
    const int reduced = map_->reduced_rows()[row];
    if (reduced < 0) follows = 1;
    constrained_.push_back(reduced);
  }
  MPI_Allreduce(MPI_IN_PLACE, &follows, 1, MPI_INT, MPI_MAX, comm());
  if (follows) throw std::invalid_argument("an unknown that follows others is prescribed, too");

  // Columns of prescribed unknowns keep their own row alone.
  VecHandle free = map_->create_reduced();
  check(VecSet(free, 1.0));
  double* a = nullptr;
  check(VecGetArray(free, &a));
  for (const int row : constrained_) a[row] = 0;
  check(VecRestoreArray(free, &a));
  check(MatDuplicate(map_->matrix(), MAT_COPY_VALUES, tests_.out()));
  check(MatDiagonalScale(tests_, nullptr, free));
  PetscInt first_u = 0, first_q = 0;
  check(VecGetOwnershipRange(u_, &first_u, nullptr));
  check(VecGetOwnershipRange(free, &first_q, nullptr));
  for (const int row : inner_->constrained_rows())
    check(MatSetValue(tests_, first_u + row, first_q + map_->reduced_rows()[row], 1.0, INSERT_VALUES));
  check(MatAssemblyBegin(tests_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(tests_, MAT_FINAL_ASSEMBLY));
  check(MatPtAP(inner_->matrix(), tests_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, matrix_.out()));
}

void ReducedResidual::pick(Vec u, Vec q) const {
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(u, &from));
  check(VecGetArray(q, &to));
  const std::vector<int>& reduced = map_->reduced_rows();
  for (std::size_t i = 0; i < reduced.size(); ++i)
    if (reduced[i] >= 0) to[reduced[i]] = from[i];
  check(VecRestoreArray(q, &to));
  check(VecRestoreArrayRead(u, &from));
}

void ReducedResidual::unpick(Vec q_bar, Vec u_bar) const {
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(q_bar, &from));
  check(VecGetArray(u_bar, &to));
  const std::vector<int>& reduced = map_->reduced_rows();
  for (std::size_t i = 0; i < reduced.size(); ++i) to[i] = reduced[i] >= 0 ? from[reduced[i]] : 0.0;
  check(VecRestoreArray(u_bar, &to));
  check(VecRestoreArrayRead(q_bar, &from));
}

void ReducedResidual::impose_constraints(const Setting& given, Vec q) {
  VecHandle u = zeros_like(u_);
  map_->expand(q, u);
  inner_->impose_constraints(given, u);
  pick(u, q);
}

// ---- residual and derivatives: forward, reverse, second order ----------------------------------------

bool ReducedResidual::residual(const EvaluationPoint& q, Vec r) {
  ExpandedState states(*map_, u_);
  VecHandle of_all = zeros_like(u_);
  if (!inner_->residual(states.point(q), of_all)) return false;
  check(MatMultTranspose(tests_, of_all, r));
  return true;
}

void ReducedResidual::jacobian(const EvaluationPoint& q, const PerLevel<double>& weights) {
  ExpandedState states(*map_, u_);
  inner_->jacobian(states.point(q), weights);
  Mat reused = matrix_;
  check(MatPtAP(inner_->matrix(), tests_, MAT_REUSE_MATRIX, PETSC_DEFAULT, &reused));
}

void ReducedResidual::jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec r_dot) {
  ExpandedState states(*map_, u_);
  VecHandle of_all = zeros_like(u_);
  inner_->jvp(states.point(q), states.direction(q_dot, d_dot), d_dot, of_all);
  check(MatMultTranspose(tests_, of_all, r_dot));
}

void ReducedResidual::vjp(const EvaluationPoint& q, Vec lambda, const State& q_bar, Controls* d_bar) {
  ExpandedState states(*map_, u_);
  VecHandle multiplier = zeros_like(u_);
  check(MatMult(tests_, lambda, multiplier));
  const State u_bar = states.wanted(q_bar, d_bar);
  inner_->vjp(states.point(q), multiplier, u_bar, d_bar);
  states.reduce(u_bar, q_bar, d_bar);
}

// g is linear in the controls: it has no second derivative of its own.
void ReducedResidual::vjp_tangent(const EvaluationPoint& q, Vec lambda, const State& q_dot, Vec lambda_dot,
                                  const Controls* d_dot, const State& q_bar_dot, Controls* d_bar_dot) {
  ExpandedState states(*map_, u_);
  VecHandle multiplier = zeros_like(u_), multiplier_dot;
  check(MatMult(tests_, lambda, multiplier));
  if (lambda_dot) {
    multiplier_dot = zeros_like(u_);
    check(MatMult(tests_, lambda_dot, multiplier_dot));
  }
  const State u_bar_dot = states.wanted(q_bar_dot, d_bar_dot);
  inner_->vjp_tangent(states.point(q), multiplier, states.direction(q_dot, d_dot), multiplier_dot, d_dot, u_bar_dot, d_bar_dot);
  states.reduce(u_bar_dot, q_bar_dot, d_bar_dot);
}

// ---- abilities of the inner equation ------------------------------------------------------------------

Capabilities ReducedResidual::capabilities() {
  const Capabilities inner = inner_->capabilities();
  return {.evolution = inner.evolution ? this : nullptr, .history_variables = inner.history_variables ? this : nullptr,
          .potential = inner.potential ? this : nullptr, .step_limit = inner.step_limit ? this : nullptr,
          .pattern = inner.pattern ? this : nullptr, .continuation = inner.continuation};
}

std::vector<char> ReducedResidual::algebraic_unknowns() const {
  const std::vector<char> of_all = inner_->algebraic_unknowns();
  if (of_all.empty()) return {};
  std::vector<char> flags;
  for (std::size_t i = 0; i < of_all.size(); ++i)
    if (map_->reduced_rows()[i] >= 0) flags.push_back(of_all[i]);
  return flags;
}

SolveReport ReducedResidual::initial(Level level, const Setting& given, Vec q) {
  VecHandle u = zeros_like(u_);
  const SolveReport report = inner_->capabilities().evolution->initial(level, given, u);
  pick(u, q);
  return report;
}

SolveReport ReducedResidual::initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec q_dot) {
  VecHandle u_dot = zeros_like(u_);
  const SolveReport report = inner_->capabilities().evolution->initial_jvp(level, given, d_dot, u_dot);
  pick(u_dot, q_dot);
  return report;
}

SolveReport ReducedResidual::initial_vjp(Level level, const Setting& given, Vec q_bar, Controls& d_bar) {
  VecHandle u_bar = zeros_like(u_);
  unpick(q_bar, u_bar);
  return inner_->capabilities().evolution->initial_vjp(level, given, u_bar, d_bar);
}

void ReducedResidual::update_memory(const EvaluationPoint& q, Vec next) {
  ExpandedState states(*map_, u_);
  inner_->capabilities().history_variables->update_memory(states.point(q), next);
}

void ReducedResidual::update_memory_jvp(const EvaluationPoint& q, const State& q_dot, const Controls* d_dot, Vec next_dot) {
  ExpandedState states(*map_, u_);
  inner_->capabilities().history_variables->update_memory_jvp(states.point(q), states.direction(q_dot, d_dot), d_dot, next_dot);
}

void ReducedResidual::update_memory_vjp(const EvaluationPoint& q, Vec next_bar, const State& q_bar, Controls* d_bar) {
  ExpandedState states(*map_, u_);
  const State u_bar = states.wanted(q_bar, d_bar);
  inner_->capabilities().history_variables->update_memory_vjp(states.point(q), next_bar, u_bar, d_bar);
  states.reduce(u_bar, q_bar, d_bar);
}

double ReducedResidual::longest_step(const EvaluationPoint& q, Vec step) {
  ExpandedState states(*map_, u_);
  VecHandle of_all = zeros_like(u_);
  map_->expand(step, of_all);
  return inner_->capabilities().step_limit->longest_step(states.point(q), of_all);
}

bool ReducedResidual::update_pattern(const EvaluationPoint& q) {
  ExpandedState states(*map_, u_);
  if (!inner_->capabilities().pattern->update_pattern(states.point(q))) return false;
  MatHandle next;
  check(MatPtAP(inner_->matrix(), tests_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, next.out()));
  matrix_ = std::move(next);
  return true;
}

double ReducedResidual::potential(const EvaluationPoint& q) {
  ExpandedState states(*map_, u_);
  return inner_->capabilities().potential->potential(states.point(q));
}

}  // namespace invar
