#include "libadjoint/optimize/sqp_optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/optimize/quadratic_program.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double armijo = 1e-4;      // part of the predicted fall of the merit that must come true
constexpr double longest_step = 10;  // in ranges of each variable

class SqpRun final : public ConstrainedRun {
 public:
  SqpRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start,
         SqpState& state)
      : ConstrainedRun(options, functional, start, state), state_(state), n_(layout_.n()),
        k_(problem_.side_count()) {}

 private:
  void begin() override {
    state_.weights = VectorXd::Zero(k_);
    begin_hessian();
  }

  /// Makes an unconstrained step max_move ranges long.
  void begin_hessian() {
    VectorXd r = state_.ranges;
    for (Index j = 0; j < n_; ++j)
      if (problem_.fixed(j)) r[j] = 1;
    const double slope = std::max(gradient(state_.at).cwiseProduct(r).norm(), 0.01);
    state_.hessian = (slope / options_.max_move * r.cwiseAbs2().cwiseInverse()).asDiagonal();
    state_.updates = 0;
  }

  /// Of the scaled objective in the variables that are not fixed.
  VectorXd gradient(const ConstrainedSample& s) const {
    VectorXd g = state_.objective_scale * s.gradient;
    for (Index j = 0; j < n_; ++j)
      if (problem_.fixed(j)) g[j] = 0;
    return g;
  }
  VectorXd lagrangian_gradient(const ConstrainedSample& s, const VectorXd& y) const {
    return gradient(s) + problem_.pull_back(s, y);
  }

  VectorXd model() override {
    const ConstrainedSample& at = state_.at;
    program_.hessian = state_.hessian;
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
    step_ = minimum_of(program_);
    if (step_.status == QuadraticSolution::Status::infeasible) step_ = relaxed();
    return step_.multipliers;
  }

  /// The programme with the violated sides reduced to (1 − ξ) of their violation, 0 ≤ ξ ≤ 1 at a
  /// price that is raised until ξ no longer falls. d = 0, ξ = 1 is always feasible.
  QuadraticSolution relaxed() const {
    QuadraticProgram p = program_;
    const VectorXd violations = problem_.violations(p.offsets);
    p.rows.conservativeResize(k_, n_ + 1);
    for (Index k = 0; k < k_; ++k) p.rows(k, n_) = violations[k] > 0 ? -p.offsets[k] : 0.0;
    p.gradient.conservativeResize(n_ + 1);
    p.gradient[n_] = 0;
    p.lower.conservativeResize(n_ + 1);
    p.upper.conservativeResize(n_ + 1);
    p.lower[n_] = 0;
    p.upper[n_] = 1;
    p.hessian = MatrixXd::Zero(n_ + 1, n_ + 1);
    p.hessian.topLeftCorner(n_, n_) = program_.hessian;
    QuadraticSolution s = step_;
    double xi = 2;
    for (double price = 1e3; price < 1e12 && xi > 1e-3; price *= 10) {
      p.hessian(n_, n_) = price;
      const QuadraticSolution dearer = minimum_of(p);
      if (dearer.status != QuadraticSolution::Status::solved || dearer.d[n_] > 0.9 * xi) break;
      s = dearer;
      xi = s.d[n_];
    }
    s.d.conservativeResize(n_);
    return s;
  }

  void advance() override {
    if (steps_down() && search()) return;
    if (state_.updates > 0) {  // the matrix may be what misleads
      begin_hessian();
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

  /// Sets the weights above the multipliers and the predicted slope of the merit; false where the
  /// step does not lead down, or nowhere.
  bool steps_down() {
    at_wall_ = searched_ = false;
    if (step_.status != QuadraticSolution::Status::solved) return false;
    // The weights may fall slowly (Powell), but not by multipliers that the longest step has cut.
    const VectorXd y = step_.multipliers.cwiseAbs();
    const auto longest = longest_step * state_.ranges.array();
    const bool cut = (longest > 0 && step_.d.array().abs() >= longest).any();
    weights_ = (1.1 * y).cwiseMax(cut ? state_.weights : VectorXd(0.5 * (state_.weights + y)));
    const VectorXd linear = program_.offsets + program_.rows * step_.d;
    const VectorXd reduced = problem_.violations(program_.offsets) - problem_.violations(linear);
    slope_ = program_.gradient.dot(step_.d) - weights_.dot(reduced);
    return slope_ < 0 && !negligible(step_.d);
  }
  bool negligible(const VectorXd& d) const {
    return d.norm() <= options_.step_tolerance * state_.at.theta.norm();
  }

  double merit(const ConstrainedSample& s) const {
    return state_.objective_scale * s.value +
           weights_.dot(problem_.violations(problem_.side_values(s.c)));
  }
  bool good(const ConstrainedSample& trial, double length) const {
    const double noise = options_.function_tolerance * state_.objective_scale;
    return merit(trial) <=
           merit(state_.at) + armijo * length * slope_ + noise * std::abs(state_.at.value);
  }

  bool search() {
    searched_ = true;
    for (double length = state_.reach;;) {
      ConstrainedSample trial;
      trial.theta = point(length * step_.d);
      if (negligible(trial.theta - state_.at.theta)) return false;
      const bool ok = evaluate(trial), lower = ok && good(trial, length);
      if (lower && take(trial, length)) return true;
      if (!ok || lower) {  // it, or its constraint gradients, cannot be evaluated
        at_wall_ = true;
        length *= 0.25;
        continue;
      }
      if (length == 1 && correct(trial)) return true;
      // The minimum of the parabola through the merit, its slope and the trial.
      const double excess = merit(trial) - merit(state_.at) - length * slope_;
      length *= std::clamp(-0.5 * length * slope_ / excess, 0.1, 0.5);
    }
  }

  /// The second-order correction: a step that also makes up for the constraints' curvature, which
  /// the full step has shown.
  bool correct(const ConstrainedSample& full) {
    const VectorXd now = problem_.side_values(full.c);
    if (k_ == 0 || problem_.violations(now).maxCoeff() <= options_.constraint_tolerance * 1e-3)
      return false;
    QuadraticProgram p = program_;
    p.offsets = now - program_.rows * step_.d;
    const QuadraticSolution corrected = minimum_of(p);
    if (corrected.status != QuadraticSolution::Status::solved) return false;
    ConstrainedSample trial;
    trial.theta = point(corrected.d);
    return evaluate(trial) && good(trial, 1) && take(trial, 1);
  }

  VectorXd point(const VectorXd& d) const {
    VectorXd x = (state_.at.theta + d).cwiseMax(problem_.lower()).cwiseMin(problem_.upper());
    for (Index j = 0; j < n_; ++j) {  // where the step ends at a bound, exactly there
      if (d[j] < 0 && d[j] == problem_.lower()[j] - state_.at.theta[j]) x[j] = problem_.lower()[j];
      if (d[j] > 0 && d[j] == problem_.upper()[j] - state_.at.theta[j]) x[j] = problem_.upper()[j];
    }
    return x;
  }

  bool take(ConstrainedSample& trial, double length) {
    if (!differentiate(trial)) return false;
    const bool held_back = at_wall_ || state_.reach < 1;
    const VectorXd& y = step_.multipliers;
    update_hessian(trial.theta - state_.at.theta,
                   lagrangian_gradient(trial, y) - lagrangian_gradient(state_.at, y));
    state_.weights = weights_;
    state_.multipliers = y;
    state_.reach = at_wall_ ? length : std::min(1.0, 4 * state_.reach);
    accept(std::move(trial), held_back);
    return true;
  }

  /// BFGS with Powell's damping; the matrix is brought to the measured size before its first update.
  void update_hessian(const VectorXd& s, VectorXd y) {
    MatrixXd& b = state_.hessian;
    const double sy = s.dot(y);
    if (state_.updates == 0 && sy > 0) {
      const VectorXd inverse = b.diagonal().cwiseInverse();
      b *= std::clamp(y.cwiseAbs2().dot(inverse) / sy, 1e-6, 1e6);
    }
    const VectorXd bs = b * s;
    const double sbs = s.dot(bs);
    if (!(sbs > 0)) return;
    if (sy < 0.2 * sbs) {
      const double theta = 0.8 * sbs / (sbs - sy);
      y = theta * y + (1 - theta) * bs;
    }
    b += y * y.transpose() / s.dot(y) - bs * bs.transpose() / sbs;
    ++state_.updates;
  }

  SqpState& state_;
  Index n_, k_;  // variables, sides
  QuadraticProgram program_;
  QuadraticSolution step_;
  VectorXd weights_;  // [K] of the merit in this iteration
  double slope_ = 0;  // of the merit along the step
  bool searched_ = false, at_wall_ = false;  // along this step; a trial there could not be evaluated
};

}  // namespace

OptimizerResult SqpOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  auto local = static_cast<long long>(start.local.size());
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_LONG_LONG, MPI_SUM, functional.comm());
  if (local > 0)
    throw std::invalid_argument("sqp cannot take design fields, only single variables; use 'mma'");
  return SqpRun(options_, functional, start, begin()).solve(start);
}

}  // namespace invar
