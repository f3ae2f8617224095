#include "libadjoint/constraint/reduced_residual.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "libadjoint/constraint/reduced_prolongation.hpp"

namespace invar {
namespace {

/// visit(entry of u, entry of q) for the own untied unknowns.
template <class Visit>
void visit_free(const std::vector<int>& reduced, Vec u, Vec q, Visit visit) {
  double *a = nullptr, *b = nullptr;
  check(VecGetArray(u, &a));
  check(VecGetArray(q, &b));
  for (std::size_t i = 0; i < reduced.size(); ++i)
    if (reduced[i] >= 0) visit(a[i], b[reduced[i]]);
  check(VecRestoreArray(q, &b));
  check(VecRestoreArray(u, &a));
}

}  // namespace

ReducedResidual::ReducedResidual(std::vector<std::shared_ptr<Residual>> equations, std::shared_ptr<const ConstraintMap> map)
    : map_(std::move(map)) {
  int follows = 0;
  std::vector<int> constrained;
  for (std::shared_ptr<Residual>& equation : equations) {
    const std::vector<int>& reduced = map_->reduced_rows(static_cast<int>(parts_.size()));
    for (const int row : equation->constrained_rows()) {
      if (reduced[row] < 0) follows = 1;
      else constrained.push_back(reduced[row]);
    }
    VecHandle like = equation->create_vector();
    parts_.push_back({std::move(equation), std::move(like), {}, {}, {}});
  }
  constrained_ = RowSet(std::move(constrained));
  MPI_Allreduce(MPI_IN_PLACE, &follows, 1, MPI_INT, MPI_MAX, comm());
  if (follows) throw std::invalid_argument("a tied unknown is also prescribed");
  restrict_tests();
  form_matrix(true);
  describe_matrix();
}

/// Own unknowns of q that are prescribed, as flags.
std::vector<char> ReducedResidual::held() const {
  PetscInt n = 0;
  check(VecGetLocalSize(map_->create_reduced(), &n));
  std::vector<char> flags(n, 0);
  for (const int row : constrained_) flags[row] = 1;
  return flags;
}

/// Removes the columns of prescribed unknowns from T, except in their own row.
void ReducedResidual::restrict_tests() {
  const VecHandle free = map_->create_reduced();
  check(VecSet(free, 1.0));
  constrained_.clear(free);
  PetscInt first_q = 0;
  check(VecGetOwnershipRange(free, &first_q, nullptr));
  tests_version_ = map_->version();
  for (int p = 0; p < map_->part_count(); ++p) {
    Part& part = parts_[p];
    PetscInt first_u = 0;
    check(VecGetOwnershipRange(part.like, &first_u, nullptr));
    if (!part.tests) check(MatDuplicate(map_->matrix(p), MAT_COPY_VALUES, part.tests.out()));
    else check(MatCopy(map_->matrix(p), part.tests, SAME_NONZERO_PATTERN));
    check(MatDiagonalScale(part.tests, nullptr, free));
    for (const int row : part.equation->constrained_rows())
      check(MatSetValue(part.tests, first_u + row, first_q + map_->reduced_rows(p)[row], 1.0, INSERT_VALUES));
    check(MatAssemblyBegin(part.tests, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(part.tests, MAT_FINAL_ASSEMBLY));
  }
}

void ReducedResidual::prepare(const Setting& given) {
  map_->prepare(given);
  if (map_->version() != tests_version_) restrict_tests();
}

/// Σ Tᵀ K T with the equations' present matrices. anew: the patterns have changed.
void ReducedResidual::form_matrix(bool anew) {
  for (Part& part : parts_) {
    if (anew) {
      check(MatPtAP(part.equation->matrix(), part.tests, MAT_INITIAL_MATRIX, PETSC_DEFAULT, part.matrix.out()));
    } else {
      Mat reused = part.matrix;
      check(MatPtAP(part.equation->matrix(), part.tests, MAT_REUSE_MATRIX, PETSC_DEFAULT, &reused));
    }
  }
  if (anew) {
    MatHandle next;
    check(MatDuplicate(parts_.front().matrix, MAT_COPY_VALUES, next.out()));
    for (std::size_t p = 1; p < parts_.size(); ++p) check(MatAXPY(next, 1.0, parts_[p].matrix, DIFFERENT_NONZERO_PATTERN));
    matrix_ = std::move(next);
    return;
  }
  if (parts_.size() == 1) {
    check(MatCopy(parts_.front().matrix, matrix_, SAME_NONZERO_PATTERN));
    return;
  }
  check(MatZeroEntries(matrix_));
  for (const Part& part : parts_) check(MatAXPY(matrix_, 1.0, part.matrix, SUBSET_NONZERO_PATTERN));
}

/// Hints for multigrid: the first equation's near-null modes, restricted to q, if they satisfy the constraints.
void ReducedResidual::describe_matrix() {
  const MatrixHints of_main = main().matrix_hints();
  if (of_main.prolongation) prolongation_ = reduced_prolongation(*map_, parts_.front().tests, held(), of_main.prolongation);
  const MatNullSpace modes = of_main.near_null_space;
  if (!modes) return;
  PetscInt count = 0;
  const Vec* vectors = nullptr;
  check(MatNullSpaceGetVecs(modes, nullptr, &count, &vectors));
  std::vector<VecHandle> picked;
  std::vector<Vec> independent;
  for (PetscInt k = 0; k < count; ++k) {
    VecHandle mode = map_->create_reduced(), u = zeros_like(parts_.front().like);
    check(VecCopy(vectors[k], u));
    pick(0, u, mode);
    for (const Vec other : independent) {
      PetscScalar along = 0;
      check(VecDot(mode, other, &along));
      check(VecAXPY(mode, -along, other));
    }
    double size = 0;
    check(VecNormalize(mode, &size));
    if (size < 1e-8) continue;
    picked.push_back(std::move(mode));
    independent.push_back(picked.back());
  }
  if (!independent.empty())
    check(MatNullSpaceCreate(comm(), PETSC_FALSE, static_cast<PetscInt>(independent.size()), independent.data(), near_null_space_.out()));
}

void ReducedResidual::pick(int part, Vec u, Vec q) const {
  visit_free(map_->reduced_rows(part), u, q, [](double from, double& to) { to = from; });
}

void ReducedResidual::unpick(int part, Vec q_bar, Vec u_bar) const {
  visit_free(map_->reduced_rows(part), u_bar, q_bar, [](double& to, double from) { to = from; });
}

void ReducedResidual::impose_constraints(const Setting& given, Vec q) {
  prepare(given);
  for (int p = 0; p < map_->part_count(); ++p) {
    VecHandle u = zeros_like(parts_[p].like);
    map_->expand(q, u, p);
    parts_[p].equation->impose_constraints(given, u);
    pick(p, u, q);
  }
}

MatrixHints ReducedResidual::matrix_hints() const {
  MatrixHints hints;
  hints.near_null_space = near_null_space_;
  hints.prolongation = prolongation_;
  return hints;
}

bool ReducedResidual::symmetric() const {
  return std::ranges::all_of(parts_, [](const Part& part) { return part.equation->symmetric(); });
}

// ---- residual and matrix --------------------------------------------------------------------------------

bool ReducedResidual::residual(const EvaluationPoint& q, Vec r) {
  prepare(q.given);
  check(VecSet(r, 0.0));
  bool admissible = map_->admissible();
  for (int p = 0; p < map_->part_count(); ++p) {
    ExpandedState states = expanded(p);
    VecHandle of_all = zeros_like(parts_[p].like);
    admissible &= parts_[p].equation->residual(states.point(q), of_all);
    check(MatMultTransposeAdd(parts_[p].tests, of_all, r, r));
  }
  return admissible;
}

void ReducedResidual::jacobian(const EvaluationPoint& q, const PerLevel<double>& weights) {
  prepare(q.given);
  for (int p = 0; p < map_->part_count(); ++p) {
    ExpandedState states = expanded(p);
    parts_[p].equation->jacobian(states.point(q), weights);
  }
  form_matrix(false);
}

// ---- capabilities of the equations ---------------------------------------------------------------------

Capabilities ReducedResidual::capabilities() {
  Capabilities own;
  bool potentials = true;
  for (const Part& part : parts_) {
    const Capabilities inner = part.equation->capabilities();
    if (inner.evolution) own.evolution = this;
    if (inner.step_limit) own.step_limit = this;
    if (inner.pattern) own.pattern = this;
    potentials &= inner.potential != nullptr;
    own.kinks |= inner.kinks;
  }
  const Capabilities of_main = main().capabilities();
  if (of_main.history_variables) own.history_variables = this;
  if (of_main.pseudo_time) own.pseudo_time = this;
  if (potentials) own.potential = this;
  own.continuation = of_main.continuation;
  return own;
}

std::vector<char> ReducedResidual::algebraic_unknowns() const {
  std::vector<char> flags;
  bool any = false;
  for (int p = 0; p < map_->part_count(); ++p) {
    const std::vector<char> of_part = parts_[p].equation->algebraic_unknowns();
    any |= !of_part.empty();
    const std::vector<int>& reduced = map_->reduced_rows(p);
    for (std::size_t i = 0; i < reduced.size(); ++i)
      if (reduced[i] >= 0) flags.push_back(of_part.empty() ? char(0) : of_part[i]);
  }
  return any ? flags : std::vector<char>();
}

SolveReport ReducedResidual::initial(Level level, const Setting& given, Vec q) {
  SolveReport report = solved();
  for (int p = 0; p < map_->part_count() && report.converged; ++p)
    if (Evolution* evolution = parts_[p].equation->capabilities().evolution) {
      VecHandle u = zeros_like(parts_[p].like);
      report = evolution->initial(level, given, u);
      pick(p, u, q);
    }
  return report;
}

SolveReport ReducedResidual::initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec q_dot) {
  SolveReport report = solved();
  for (int p = 0; p < map_->part_count() && report.converged; ++p)
    if (Evolution* evolution = parts_[p].equation->capabilities().evolution) {
      VecHandle u_dot = zeros_like(parts_[p].like);
      report = evolution->initial_jvp(level, given, d_dot, u_dot);
      pick(p, u_dot, q_dot);
    }
  return report;
}

SolveReport ReducedResidual::initial_vjp(Level level, const Setting& given, Vec q_bar, Controls& d_bar) {
  SolveReport report = solved();
  for (int p = 0; p < map_->part_count() && report.converged; ++p)
    if (Evolution* evolution = parts_[p].equation->capabilities().evolution) {
      VecHandle u_bar = zeros_like(parts_[p].like);
      unpick(p, q_bar, u_bar);
      report = evolution->initial_vjp(level, given, u_bar, d_bar);
    }
  return report;
}

SolveReport ReducedResidual::initial_vjp_tangent(Level level, const Setting& given, Vec q_bar, const Controls& d_dot, Vec q_bar_dot, Controls& d_bar_dot) {
  SolveReport report = solved();
  for (int p = 0; p < map_->part_count() && report.converged; ++p)
    if (Evolution* evolution = parts_[p].equation->capabilities().evolution) {
      VecHandle u_bar = zeros_like(parts_[p].like), u_bar_dot = zeros_like(parts_[p].like);
      unpick(p, q_bar, u_bar);
      unpick(p, q_bar_dot, u_bar_dot);
      report = evolution->initial_vjp_tangent(level, given, u_bar, d_dot, u_bar_dot, d_bar_dot);
    }
  return report;
}

double ReducedResidual::potential(const EvaluationPoint& q) {
  prepare(q.given);
  double sum = 0;
  for (int p = 0; p < map_->part_count(); ++p) {
    ExpandedState states = expanded(p);
    sum += parts_[p].equation->capabilities().potential->potential(states.point(q));
  }
  return sum;
}

bool ReducedResidual::admits(const EvaluationPoint& q) {
  bool all = true;
  for (int p = 0; p < map_->part_count(); ++p)
    if (StepLimit* limit = parts_[p].equation->capabilities().step_limit) {
      ExpandedState states = expanded(p);
      all &= limit->admits(states.point(q));
    }
  return all;
}

double ReducedResidual::longest_step(const EvaluationPoint& q, Vec step) {
  prepare(q.given);
  double longest = 1;
  for (int p = 0; p < map_->part_count(); ++p)
    if (StepLimit* limit = parts_[p].equation->capabilities().step_limit) {
      ExpandedState states = expanded(p);
      VecHandle of_all = zeros_like(parts_[p].like);
      map_->expand(step, of_all, p);
      longest = std::min(longest, limit->longest_step(states.point(q), of_all));
    }
  return longest;
}

bool ReducedResidual::update_pattern(const EvaluationPoint& q) {
  prepare(q.given);
  bool changed = false;
  for (int p = 0; p < map_->part_count(); ++p)
    if (ChangingPattern* pattern = parts_[p].equation->capabilities().pattern) {
      ExpandedState states = expanded(p);
      changed |= pattern->update_pattern(states.point(q));
    }
  if (changed) form_matrix(true);
  return changed;
}

void ReducedResidual::damped_jacobian(const EvaluationPoint& q, double cfl) {
  prepare(q.given);
  for (int p = 0; p < map_->part_count(); ++p) {
    ExpandedState states = expanded(p);
    if (PseudoTime* damped = parts_[p].equation->capabilities().pseudo_time) damped->damped_jacobian(states.point(q), cfl);
    else parts_[p].equation->jacobian(states.point(q));
  }
  form_matrix(false);
}

void ReducedResidual::add_damping(const EvaluationPoint& q, Vec dq, double cfl, Vec r) {
  prepare(q.given);
  ExpandedState states = expanded(0);
  VecHandle du = zeros_like(parts_.front().like), of_all = zeros_like(parts_.front().like);
  map_->expand(dq, du);
  main().capabilities().pseudo_time->add_damping(states.point(q), du, cfl, of_all);
  check(MatMultTransposeAdd(parts_.front().tests, of_all, r, r));
}

double ReducedResidual::first_factor() const { return main().capabilities().pseudo_time->first_factor(); }

void ReducedResidual::begin_from_easier(Vec q) {
  VecHandle u = zeros_like(parts_.front().like);
  map_->expand(q, u);
  main().capabilities().pseudo_time->begin_from_easier(u);
  pick(0, u, q);
}

void ReducedResidual::mark_transported(Vec marks) {
  VecHandle of_all = zeros_like(parts_.front().like);
  check(VecSet(of_all, 0.0));
  main().capabilities().pseudo_time->mark_transported(of_all);
  pick(0, of_all, marks);
}

int ReducedResidual::limit_change(Vec q, Vec trial) {
  VecHandle u = zeros_like(parts_.front().like), u_trial = zeros_like(parts_.front().like);
  map_->expand(q, u);
  map_->expand(trial, u_trial);
  const int count = main().capabilities().pseudo_time->limit_change(u, u_trial);
  pick(0, u_trial, trial);
  return count;
}

}  // namespace invar
