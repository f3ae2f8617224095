#include "libadjoint/path/path_system.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

double largest(Vec v) {
  double value = 0;
  check(VecNorm(v, NORM_INFINITY, &value));
  return value;
}

double dot(Vec a, Vec b) {
  double value = 0;
  check(VecDot(a, b, &value));
  return value;
}

/// v plus a negligible perturbation, so that derivatives that vanish only by coincidence become nonzero.
VecHandle shaken(Vec v) {
  constexpr double little = 1e-9;
  VecHandle out;
  check(VecDuplicate(v, out.out()));
  check(VecCopy(v, out));
  PetscInt first = 0, end = 0;
  double* a = nullptr;
  check(VecGetOwnershipRange(out, &first, &end));
  check(VecGetArray(out, &a));
  for (PetscInt i = first; i < end; ++i) a[i - first] += little * std::sin(1.0 + 0.7 * double(i));
  check(VecRestoreArray(out, &a));
  return out;
}

}  // namespace

PathSystem::PathSystem(std::shared_ptr<Residual> residual, UnknownNumber& factor, std::shared_ptr<Observable> control,
                       LinearSolver& solver)
    : residual_(std::move(residual)), factor_(factor), control_(std::move(control)), solver_(solver) {
  for (VecHandle* v : {&argument_, &u_, &r_, &at_, &b_, &c_, &follow_, &c_full_}) *v = residual_->create_vector();
}

void PathSystem::set_origin(Vec u) {
  if (!u) return origin_.reset();
  if (!origin_) origin_ = residual_->create_vector();
  check(VecCopy(u, origin_));
}

Vec PathSystem::argument(Vec u) {
  if (!origin_) return u;
  check(VecWAXPY(argument_, -1.0, origin_, u));
  return argument_;
}

double PathSystem::control_value(Vec u) {
  double c = 0;
  control_->evaluate(point(argument(u)), &c);
  return c;
}

void PathSystem::clear_constrained(Vec v) const {
  residual_->constrained_rows().clear(v);
}

void PathSystem::keep_constrained(Vec v) const {
  const VecHandle kept = zeros_like(v);
  residual_->constrained_rows().copy(v, kept);
  check(VecCopy(kept, v));
}

// ---- Newton's method ------------------------------------------------------------------------------

VecHandle PathSystem::pack(Vec u, double lambda) {
  VecHandle x = border_->create_vector();
  border_->pack(u, lambda / column_scale_, x);
  return x;
}

double PathSystem::unpack(Vec x, Vec u) {
  const double lambda = column_scale_ * border_->unpack(x, u);
  factor_.set(lambda);
  residual_->impose_constraints(point(u).given, u);
  return lambda;
}

PetscInt PathSystem::size() const {
  PetscInt n = 0;
  check(VecGetSize(b_, &n));
  return n;
}

bool PathSystem::residual(Vec x, Vec r) {
  if (!std::isfinite(unpack(x, u_)) || !residual_->residual(point(u_), r_)) return false;
  clear_constrained(r_);
  const double c = control_value(u_);
  border_->pack(r_, row_scale_ * (c - target_), r);
  return std::isfinite(c);
}

bool PathSystem::update_pattern(Vec x) {
  ChangingPattern* pattern = residual_->capabilities().pattern;
  if (!pattern) return false;
  unpack(x, u_);
  return pattern->update_pattern(point(u_));
}

double PathSystem::longest_step(Vec x, Vec step) {
  StepLimit* limit = residual_->capabilities().step_limit;
  if (!limit) return 1;
  const VecHandle end = zeros_like(x), way = residual_->create_vector();
  check(VecWAXPY(end, 1.0, step, x));
  unpack(end, way);
  unpack(x, u_);
  check(VecAXPY(way, -1.0, u_));
  return limit->longest_step(point(u_), way);
}

bool PathSystem::jacobian(Vec x) {
  unpack(x, u_);
  border(point(u_), Row());
  assemble();
  return true;
}

void PathSystem::jacobian(Vec x, double cfl) {
  unpack(x, u_);
  border(point(u_), Row(), cfl);
  assemble();
}

void PathSystem::add(Vec x, Vec dx, double cfl, Vec r) {
  const VecHandle du = residual_->create_vector();
  border_->unpack(dx, du);
  const double missing = border_->unpack(r, r_);
  unpack(x, u_);
  residual_->capabilities().pseudo_time->add_damping(point(u_), du, cfl, r_);
  border_->pack(r_, missing, r);
}

void PathSystem::mark_transported(Vec marks) {
  check(VecSet(r_, 0.0));
  residual_->capabilities().pseudo_time->mark_transported(r_);
  border_->pack(r_, 0, marks);
}

int PathSystem::limit_change(Vec x, Vec trial) {
  const VecHandle limited = residual_->create_vector();
  border_->unpack(x, u_);
  const double number = border_->unpack(trial, limited);
  const int count = residual_->capabilities().pseudo_time->limit_change(u_, limited);
  border_->pack(limited, number, trial);
  return count;
}

void PathSystem::constrain_step(Vec x) {
  check(VecSet(u_, 0.0));
  const double s = border_->unpack(x, u_);
  clear_constrained(u_);
  border_->pack(u_, s, x);
}

// ---- the matrix -------------------------------------------------------------------------------------

void PathSystem::border(const EvaluationPoint& u, Row row, std::optional<double> cfl) {
  const Controls unit = factor_.movement();
  const double one = 1;
  const auto columns = [&](const EvaluationPoint& at, const Row& of, Vec b, Vec full) {  // b, and the gradient of c
    residual_->jvp(at, nullptr, &unit, b);
    check(VecSet(full, 0.0));
    if (of.load) return 1.0;
    Controls bar = unit;
    for (std::vector<double>& entries : bar) std::ranges::fill(entries, 0.0);
    control_->vjp({of.argument ? of.argument : argument(at), at.given}, &one, full, &bar);
    return factor_.pulled_back(bar);
  };
  if (cfl) residual_->capabilities().pseudo_time->damped_jacobian(u, *cfl);
  else residual_->jacobian(u);
  corner_ = columns(u, row, b_, c_full_);
  check(VecCopy(b_, follow_));
  keep_constrained(follow_);
  check(VecScale(follow_, -1.0));
  follows_ = largest(follow_) > 0;
  if (follows_) {
    residual_->jvp(u, follow_, &unit, b_);
    corner_ += dot(c_full_, follow_);
  }
  check(VecCopy(c_full_, c_));
  clear_constrained(b_);
  clear_constrained(c_);
  PetscObjectId inner = 0;
  check(PetscObjectGetId(PetscObject(residual_->matrix()), &inner));
  if (!border_ || inner != inner_) {
    inner_ = inner;
    const VecHandle shaken_u = shaken(u);
    const EvaluationPoint near{shaken_u, u.given};
    VecHandle column = residual_->create_vector(), gradient = residual_->create_vector();
    columns(near, Row(), column, gradient);
    if (follows_) residual_->jvp(near, follow_, &unit, column);
    clear_constrained(column);
    clear_constrained(gradient);
    border_ = std::make_unique<BorderedMatrix>(residual_->matrix(), column, gradient);
  }
}

void PathSystem::assemble() {
  VecHandle scaled_b = zeros_like(b_), scaled_c = zeros_like(c_);
  check(VecAXPY(scaled_b, column_scale_, b_));
  check(VecAXPY(scaled_c, row_scale_, c_));
  border_->assemble(residual_->matrix(), scaled_b, scaled_c, column_scale_ * row_scale_ * corner_);
}

void PathSystem::linearise(Vec u, double lambda, Row row) {
  check(VecCopy(u, at_));
  factor_.set(lambda);
  const EvaluationPoint at = point(at_);
  at_given_ = at.given;
  if (ChangingPattern* pattern = residual_->capabilities().pattern) pattern->update_pattern(at);
  border(at, row);
  column_scale_ = row_scale_ = 1;
  VecHandle diagonal = residual_->create_vector();
  check(MatGetDiagonal(residual_->matrix(), diagonal));
  clear_constrained(diagonal);
  const double stiffness = largest(diagonal), b = largest(b_), c = std::max(largest(c_), row.load ? 1.0 : 0.0);
  if (stiffness > 0 && b > 0) column_scale_ = stiffness / b;
  if (stiffness > 0 && c > 0) row_scale_ = row.load ? stiffness / column_scale_ : stiffness / c;
  assemble();
  solver_.set_operator(border_->mat(), false);
}

std::string PathSystem::deficiency() const {
  if (largest(b_) == 0) return "the load factor has no effect on the body";
  if (largest(c_) == 0 && corner_ == 0) return "the prescribed quantity does not depend on the state: its derivative is zero at this point";
  return {};
}

double PathSystem::load_norm() const {
  double norm = 0;
  check(VecNorm(b_, NORM_2, &norm));
  return std::abs(factor_.value()) * norm;
}

// ---- forward, then reverse ---------------------------------------------------------------------------

SolveReport PathSystem::solve_tangent(Vec r_dot, double c_dot, Vec u_dot, double& lambda_dot) {
  VecHandle moved = residual_->create_vector(), right = residual_->create_vector();
  check(VecCopy(r_dot, moved));
  keep_constrained(moved);
  check(VecScale(moved, -1.0));  // u̇ on constrained rows for constant λ
  check(VecCopy(r_dot, right));
  if (largest(moved) > 0) {
    residual_->jvp({at_, at_given_}, moved, nullptr, right);
    check(VecAXPY(right, 1.0, r_dot));
    c_dot += dot(c_full_, moved);
  }
  check(VecScale(right, -1.0));
  clear_constrained(right);
  VecHandle rhs = border_->create_vector(), x = border_->create_vector();
  border_->pack(right, -row_scale_ * c_dot, rhs);
  SolveReport report = solver_.solve(rhs, x);
  solver_.note_error(report, x, false);
  lambda_dot = column_scale_ * border_->unpack(x, u_dot);
  clear_constrained(u_dot);
  check(VecAXPY(u_dot, 1.0, moved));
  if (follows_) check(VecAXPY(u_dot, lambda_dot, follow_));
  return report;
}

SolveReport PathSystem::solve_adjoint(Vec u_bar, double lambda_bar, Vec adjoint, double& mu) {
  if (follows_) lambda_bar += dot(follow_, u_bar);
  VecHandle right = residual_->create_vector(), held = residual_->create_vector();
  check(VecCopy(u_bar, right));
  clear_constrained(right);
  VecHandle rhs = border_->create_vector(), x = border_->create_vector();
  border_->pack(right, column_scale_ * lambda_bar, rhs);
  SolveReport report = solver_.solve_transpose(rhs, x);
  solver_.note_error(report, x, true);
  mu = row_scale_ * border_->unpack(x, adjoint);
  clear_constrained(adjoint);
  residual_->vjp({at_, at_given_}, adjoint, held, nullptr);
  check(VecAXPY(held, mu, c_full_));
  check(VecAYPX(held, -1.0, u_bar));  // ū − Kᵀ adjoint − c μ; only the constrained rows are used
  keep_constrained(held);
  check(VecAXPY(adjoint, 1.0, held));
  return report;
}

}  // namespace invar
