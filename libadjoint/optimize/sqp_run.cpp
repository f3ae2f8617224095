#include "libadjoint/optimize/sqp_run.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double armijo = 1e-4;      // required fraction of the predicted decrease of the merit function
constexpr double longest_step = 10;  // in ranges of each variable

}  // namespace

SqpRun::SqpRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, SqpRunState& state)
    : ConstrainedRun(options, functional, start, state), state_(state), n_(layout_.n()), k_(problem_.side_count()) {}

void SqpRun::begin() {
  state_.weights = VectorXd::Zero(k_);
  begin_anew();
}

void SqpRun::begin_anew() {
  VectorXd r = state_.ranges;
  for (Index j = 0; j < n_; ++j)
    if (problem_.fixed(j)) r[j] = 1;
  const double slope = std::max(layout_.norm(gradient(state_.at).cwiseProduct(r)), 0.01);
  begin_curvature(slope / options_.max_move * r.cwiseAbs2().cwiseInverse());
  state_.updates = 0;
}

/// Gradient of the scaled objective in the variables that are not fixed.
VectorXd SqpRun::gradient(const ConstrainedSample& s) const {
  VectorXd g = state_.objective_scale * s.gradient;
  for (Index j = 0; j < n_; ++j)
    if (problem_.fixed(j)) g[j] = 0;
  return g;
}

VectorXd SqpRun::lagrangian_gradient(const ConstrainedSample& s, const VectorXd& y) const {
  return gradient(s) + problem_.pull_back(s, y);
}

/// A d, summed over all ranks.
VectorXd SqpRun::along(const VectorXd& d) const {
  return layout_.sum(k_, [&](Index j, VectorXd& sum) { sum += d[j] * program_.rows.col(j); });
}

VectorXd SqpRun::model() {
  const ConstrainedSample& at = state_.at;
  program_.gradient = gradient(at);
  program_.offsets = problem_.side_values(at.c);
  program_.rows.resize(k_, n_);
  program_.equation.clear();
  for (Index k = 0; k < k_; ++k) {
    const ConstraintSide& side = problem_.sides()[static_cast<std::size_t>(k)];
    program_.rows.row(k) = side.factor * at.jacobian.col(side.constraint).transpose();
    program_.equation.push_back(side.equation);
  }
  const VectorXd longest = longest_step * state_.ranges;
  program_.lower = (problem_.lower() - at.theta).cwiseMin(0).cwiseMax(-longest);
  program_.upper = (problem_.upper() - at.theta).cwiseMax(0).cwiseMin(longest);
  step_ = minimum(program_.offsets);
  return step_.multipliers;
}

void SqpRun::advance() {
  if (steps_down() && search()) return;
  if (state_.updates > 0) {  // the approximate Hessian may be misleading
    begin_anew();
    state_.reach = 1;
    model();
    if (steps_down() && search()) return;
  }
  if (step_.status != QuadraticSolution::Status::solved)
    finish(false, "the quadratic programme of the step has no solution within round-off");
  else if (at_wall_)
    finish_at_wall();
  else if (!searched_)
    finish_without_step();
  else
    finish(false, "the line search finds no lower merit: the functions are flat to their accuracy "
                  "here, or a gradient is wrong");
}

/// Sets the penalty weights above the multipliers, and the predicted slope of the merit function. False if the step is no
/// descent direction or negligible.
bool SqpRun::steps_down() {
  at_wall_ = searched_ = false;
  if (step_.status != QuadraticSolution::Status::solved) return false;
  // Weights may decrease slowly (Powell), but not because of multipliers of a step that was cut by its limits.
  const VectorXd y = step_.multipliers.cwiseAbs();
  const auto longest = longest_step * state_.ranges.array();
  const bool cut = !layout_.all(!(longest > 0 && step_.d.array().abs() >= longest).any());
  weights_ = (1.1 * y).cwiseMax(cut ? state_.weights : VectorXd(0.5 * (state_.weights + y)));
  const VectorXd linear = program_.offsets + along(step_.d);
  const VectorXd reduced = problem_.violations(program_.offsets) - problem_.violations(linear);
  slope_ = layout_.dot(program_.gradient, step_.d) - weights_.dot(reduced);
  return slope_ < 0 && !negligible(step_.d);
}
bool SqpRun::negligible(const VectorXd& d) const {
  return layout_.norm(d) <= options_.step_tolerance * layout_.norm(state_.at.theta);
}

double SqpRun::merit(const ConstrainedSample& s) const {
  return state_.objective_scale * s.value +
         weights_.dot(problem_.violations(problem_.side_values(s.c)));
}
bool SqpRun::good(const ConstrainedSample& trial, double length) const {
  const double noise = options_.function_tolerance * state_.objective_scale;
  return merit(trial) <=
         merit(state_.at) + armijo * length * slope_ + noise * std::abs(state_.at.value);
}

bool SqpRun::search() {
  searched_ = true;
  for (double length = state_.reach;;) {
    ConstrainedSample trial;
    trial.theta = point(length * step_.d);
    if (negligible(trial.theta - state_.at.theta)) return false;
    const bool ok = evaluate(trial), lower = ok && good(trial, length);
    if (lower && take(trial, length)) return true;
    if (!ok || lower) {  // the point or its gradients cannot be evaluated
      at_wall_ = true;
      length *= 0.25;
      continue;
    }
    if (length == 1 && correct(trial)) return true;
    // Minimum of the parabola through the merit, its slope and the trial.
    const double excess = merit(trial) - merit(state_.at) - length * slope_;
    length *= std::clamp(-0.5 * length * slope_ / excess, 0.1, 0.5);
  }
}

/// Second-order correction: a step that also compensates the curvature of the constraints seen at the full step.
bool SqpRun::correct(const ConstrainedSample& full) {
  const VectorXd now = problem_.side_values(full.c);
  if (k_ == 0 || problem_.violations(now).maxCoeff() <= options_.constraint_tolerance * 1e-3)
    return false;
  const QuadraticSolution corrected = minimum(now - along(step_.d));
  if (corrected.status != QuadraticSolution::Status::solved) return false;
  ConstrainedSample trial;
  trial.theta = point(corrected.d);
  return evaluate(trial) && good(trial, 1) && take(trial, 1);
}

VectorXd SqpRun::point(const VectorXd& d) const {
  VectorXd x = (state_.at.theta + d).cwiseMax(problem_.lower()).cwiseMin(problem_.upper());
  for (Index j = 0; j < n_; ++j) {  // exactly on bounds that the step reaches
    if (d[j] < 0 && d[j] == problem_.lower()[j] - state_.at.theta[j]) x[j] = problem_.lower()[j];
    if (d[j] > 0 && d[j] == problem_.upper()[j] - state_.at.theta[j]) x[j] = problem_.upper()[j];
  }
  return x;
}

bool SqpRun::take(ConstrainedSample& trial, double length) {
  if (!differentiate(trial)) return false;
  const bool held_back = at_wall_ || state_.reach < 1;
  const VectorXd& y = step_.multipliers;
  update(trial.theta - state_.at.theta,
         lagrangian_gradient(trial, y) - lagrangian_gradient(state_.at, y));
  state_.weights = weights_;
  state_.multipliers = y;
  state_.reach = at_wall_ ? length : std::min(1.0, 4 * state_.reach);
  accept(std::move(trial), held_back);
  return true;
}

/// BFGS with Powell's damping.
void SqpRun::update(const VectorXd& s, VectorXd y) {
  const double sy = layout_.dot(s, y);
  if (state_.updates == 0 && sy > 0) size_curvature(s, y);
  const VectorXd bs = curvature_times(s);
  const double sbs = layout_.dot(s, bs);
  if (!(sbs > 0)) return;
  if (sy < 0.2 * sbs) {
    const double theta = 0.8 * sbs / (sbs - sy);
    y = theta * y + (1 - theta) * bs;
  }
  learn_curvature(s, y, bs);
  ++state_.updates;
}

}  // namespace invar
