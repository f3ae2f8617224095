#include "libadjoint/optimize/mma_optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libadjoint/optimize/mma_subproblem.hpp"

namespace invar {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double widest_step = 0.9;  // in σ: trials keep a distance from the asymptotes
constexpr double first_asymptote = 0.5, nearest_asymptote = 0.01, farthest_asymptote = 10;  // ranges
constexpr double least_rho = 1e-5;   // relative to typical_rho
constexpr double first_cap = 1e3;    // in objective slopes per constraint slope, both by ranges
constexpr double highest_cap = 1e12;
// relative round-off of objectives that involve solves: smaller differences are meaningless
constexpr double value_round_off = 1e-12;

/// Rounds up to a power of √2. Late in a run measured values of ρ contain round-off that depends on the number of
/// ranks; rounding keeps it out of the iterates.
double rounded_up(double x) { return x > 0 ? std::exp2(0.5 * std::ceil(2 * std::log2(x))) : x; }

class MmaRun final : public ConstrainedRun {
 public:
  MmaRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start,
         MmaState& state)
      : ConstrainedRun(options, functional, start, state), state_(state),
        k_(problem_.side_count()) {
    entries_ = layout_.sum(1, [&](Index j, VectorXd& sum) { sum[0] += !problem_.fixed(j); })[0];
    entries_ = std::max(entries_, 1.0);
  }

 private:
  void begin() override {
    state_.move = 1;
    state_.previous = state_.at.theta;
    state_.sigma = first_asymptote * state_.ranges;
    for (Index j = 0; j < layout_.n(); ++j)
      if (problem_.fixed(j)) state_.sigma[j] = 1;
    state_.weights = VectorXd::Zero(k_);
    state_.caps.resize(k_);
    for (Index k = 0; k < k_; ++k) {
      const double slope = layout_.norm(side_gradient(k).cwiseProduct(state_.ranges));
      state_.caps[k] = slope > 0 ? first_cap / slope : first_cap;
    }
    const VectorXd slope = state_.objective_scale * state_.at.gradient.cwiseProduct(state_.sigma);
    const double typical = mean(slope.cwiseAbs());
    state_.curvature = (slope.cwiseAbs().array() + (typical > 0 ? typical : 1)) /
                       state_.sigma.array().square();
    state_.rho = typical_rho();
  }

  VectorXd model() override {
    const auto n = layout_.n();
    model_.slopes.resize(n, 1 + k_);
    model_.slopes.col(0) = state_.objective_scale * state_.at.gradient.cwiseProduct(state_.sigma);
    for (Index k = 0; k < k_; ++k)
      model_.slopes.col(1 + k) = side_gradient(k).cwiseProduct(state_.sigma);
    const VectorXd g = problem_.side_values(state_.at.c);
    model_.values.resize(1 + k_);
    model_.values << 0, g;
    model_.equation.clear();
    for (const ConstraintSide& side : problem_.sides()) model_.equation.push_back(side.equation);
    model_.caps = state_.caps;
    model_.rho = state_.rho;
    model_.omega = omega();
    typical_rho_ = typical_rho();
    step_ = solve_within(state_.move);
    return step_.multipliers;
  }

  void advance() override {
    if (hopeless()) return finish_without_step();
    double move = state_.move;
    bool failed = false;
    VectorXd weights = state_.weights;
    for (int k = 0;; ++k) {
      ConstrainedSample trial;
      trial.theta = point();
      const double length = layout_.norm(trial.theta - state_.at.theta);
      if (length == 0 || (k > 0 && length <= options_.step_tolerance * layout_.norm(trial.theta)))
        return give_up(failed, k);
      bool ok = options_.conservative ? evaluate(trial) : evaluate_with_gradients(trial);
      bool conservative = true;
      if (ok && options_.conservative) {
        conservative = is_conservative(trial, weights);
        if (conservative) ok = differentiate(trial);
      }
      if (ok && conservative) return take(std::move(trial), move, failed, weights);
      if (!ok) {
        failed = true;
        move = 0.5 * std::min(move, reach());
      }
      step_ = solve_within(move);
    }
  }

  /// Whether a side stays violated at the highest penalty.
  bool hopeless() const {
    const VectorXd violated = problem_.violations(model_.values.tail(k_));
    for (Index k = 0; k < k_; ++k)
      if (at_cap(k) && state_.caps[k] >= highest_cap && violated[k] > options_.constraint_tolerance)
        return true;
    return false;
  }
  bool at_cap(Index k) const {
    return std::abs(step_.multipliers[k]) >= 0.99 * model_.caps[k];
  }

  VectorXd side_gradient(Index k) const {
    const ConstraintSide& side = problem_.sides()[static_cast<std::size_t>(k)];
    return side.factor * state_.at.jacobian.col(side.constraint);
  }

  /// Mean over the variables that are not fixed.
  double mean(const VectorXd& x) const {
    return layout_.sum(1, [&](Index j, VectorXd& sum) {
      if (!problem_.fixed(j)) sum[0] += x[j] / entries_;
    })[0];
  }

  /// Curvatures in units of σ, normalised to about mean one, with a lower bound, [n].
  VectorXd omega() const {
    const VectorXd w = state_.curvature.cwiseProduct(state_.sigma.cwiseAbs2());
    return (w / mean(w)).cwiseMax(1e-3);
  }

  /// A tenth of the mean slope (Svanberg 2007), [1+K].
  VectorXd typical_rho() const {
    const VectorXd rho = layout_.sum(1 + k_, [&](Index j, VectorXd& sum) {
      if (problem_.fixed(j)) return;
      sum[0] += std::abs(state_.objective_scale * state_.at.gradient[j] * state_.sigma[j]);
      for (Index k = 0; k < k_; ++k) {
        const ConstraintSide& side = problem_.sides()[static_cast<std::size_t>(k)];
        sum[1 + k] += std::abs(side.factor * state_.at.jacobian(j, side.constraint) * state_.sigma[j]);
      }
    });
    return (0.1 / entries_) * rho.cwiseMax(1e-3);
  }

  /// Limit of |t_j| from the asymptotes and the move limit, before any failure.
  double limit(Index j) const {
    if (!problem_.boxed(j)) return widest_step;
    return std::min(widest_step, options_.max_move * state_.ranges[j] / state_.sigma[j]);
  }

  MmaStep solve_within(double move) {
    const VectorXd& x = state_.at.theta;
    model_.lower.resize(layout_.n());
    model_.upper.resize(layout_.n());
    for (Index j = 0; j < layout_.n(); ++j) {
      const double most = move * limit(j), s = state_.sigma[j];
      model_.lower[j] = std::max(-most, std::min((problem_.lower()[j] - x[j]) / s, 0.0));
      model_.upper[j] = std::min(most, std::max((problem_.upper()[j] - x[j]) / s, 0.0));
    }
    return minimum_of(model_, layout_, state_.multipliers);
  }

  /// The trial point of the step, exactly on bounds that it reaches.
  VectorXd point() const {
    VectorXd x = state_.at.theta;
    for (Index j = 0; j < layout_.n(); ++j) {
      const double lower = problem_.lower()[j], upper = problem_.upper()[j], s = state_.sigma[j];
      const double t = step_.t[j];
      if (t < 0 && t <= (lower - x[j]) / s)
        x[j] = lower;
      else if (t > 0 && t >= (upper - x[j]) / s)
        x[j] = upper;
      else
        x[j] = std::clamp(x[j] + s * t, lower, upper);
    }
    return x;
  }

  /// Largest entry of the step relative to its limit.
  double reach() const {
    double most = 0;
    for (Index j = 0; j < layout_.n(); ++j)
      if (limit(j) > 0) most = std::max(most, std::abs(step_.t[j]) / limit(j));
    return layout_.max(most);
  }

  /// Whether the approximations lie above the functions at the trial. Increases ρ of those that do not, as in Svanberg
  /// 2002. Equalities are included in the objective through their penalty.
  bool is_conservative(const ConstrainedSample& trial, VectorXd& weights) {
    const VectorXd before = model_.values.tail(k_), now = problem_.side_values(trial.c);
    const double scale = state_.objective_scale;
    double actual = scale * (trial.value - state_.at.value), predicted = step_.predicted[0];
    VectorXd excess = VectorXd::Zero(1 + k_);
    for (Index k = 0; k < k_; ++k) {
      if (!model_.equation[static_cast<std::size_t>(k)]) {
        excess[1 + k] = now[k] - step_.predicted[1 + k] - 0.01 * options_.constraint_tolerance;
        continue;
      }
      weights[k] = std::max(weights[k], 1.5 * std::abs(step_.multipliers[k]));
      actual += weights[k] * (std::abs(now[k]) - std::abs(before[k]));
      predicted += weights[k] * (std::abs(step_.predicted[1 + k]) - std::abs(before[k]));
    }
    const double noise = std::max(options_.function_tolerance, value_round_off) * scale *
                         std::max(std::abs(trial.value), std::abs(state_.at.value));
    excess[0] = actual - predicted - noise;
    measured_rho_ = (model_.rho + excess / step_.distance).unaryExpr(&rounded_up);
    for (Index i = 0; i <= k_; ++i)
      if (excess[i] > 0)
        model_.rho[i] = std::min(std::max(10 * model_.rho[i], typical_rho_[i]), measured_rho_[i]);
    return (excess.array() <= 0).all();
  }

  void take(ConstrainedSample trial, double move, bool failed, VectorXd weights) {
    const VectorXd moved = trial.theta - state_.at.theta;
    const VectorXd violated = problem_.violations(problem_.side_values(trial.c)),
                   violated_before = problem_.violations(model_.values.tail(k_));
    for (Index k = 0; k < k_; ++k) {
      const double y = std::abs(step_.multipliers[k]);
      if (at_cap(k) && violated[k] > 0.5 * violated_before[k] &&
          violated[k] > options_.constraint_tolerance)
        state_.caps[k] = std::min(10 * state_.caps[k], highest_cap);
      state_.weights[k] = std::max(1.5 * y, 0.5 * (weights[k] + 1.5 * y));
    }
    const bool held_back = failed || (move < 1 && reach() >= 0.99 * move);
    state_.move = std::min(1.0, 2 * move);
    state_.multipliers = step_.multipliers;
    learn_curvature(trial, moved);
    const VectorXd before = state_.at.theta;
    accept(std::move(trial), held_back);
    move_asymptotes(moved, before - state_.previous);
    state_.previous = before;
    if (options_.conservative)
      state_.rho = measured_rho_.cwiseMax(0.1 * model_.rho).cwiseMin(model_.rho);
    state_.rho = state_.rho.cwiseMax(least_rho * typical_rho());
  }

  void learn_curvature(const ConstrainedSample& trial, const VectorXd& moved) {
    const VectorXd& y = step_.multipliers;
    const VectorXd change = state_.objective_scale * (trial.gradient - state_.at.gradient) +
                            problem_.pull_back(trial, y) - problem_.pull_back(state_.at, y);
    for (Index j = 0; j < layout_.n(); ++j) {
      double& h = state_.curvature[j];
      if (std::abs(moved[j]) > 1e-4 * state_.ranges[j])  // otherwise dominated by round-off
        h = std::clamp(std::abs(change[j] / moved[j]), 0.1 * h, 10 * h);
    }
  }

  /// Moves asymptotes outwards for variables that continue in one direction, inwards for those that oscillate.
  void move_asymptotes(const VectorXd& moved, const VectorXd& moved_before) {
    for (Index j = 0; j < layout_.n(); ++j) {
      const double range = state_.ranges[j];
      double& sigma = state_.sigma[j];
      if (problem_.fixed(j)) continue;
      const bool moving = std::min(std::abs(moved[j]), std::abs(moved_before[j])) > 1e-9 * range;
      const double turn = moving ? moved[j] * moved_before[j] : 0.0;
      const bool at_limit = !problem_.boxed(j) && std::abs(step_.t[j]) > 0.8 * widest_step;
      sigma *= turn < 0 ? 0.7 : at_limit ? 2.0 : turn > 0 ? 1.2 : 1.0;
      sigma = std::clamp(sigma, nearest_asymptote * range, farthest_asymptote * range);
    }
  }

  void give_up(bool failed, int tried) {
    if (failed || (tried > 0 && state_.held_back)) return finish_at_wall();
    if (tried == 0) return finish_without_step();
    finish(false, "no approximation lies above the functions: they are flat to their accuracy here, "
                  "or a gradient is wrong");
  }

  MmaState& state_;
  Index k_;             // sides
  double entries_ = 0;  // variables of all ranks that are not fixed
  MmaModel model_;
  MmaStep step_;
  VectorXd typical_rho_;   // [1+K] at the present point
  VectorXd measured_rho_;  // [1+K] that would make the approximations exact at the last trial
};

}  // namespace

OptimizerResult MmaOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  return MmaRun(options_, functional, start, begin()).solve(start);
}

}  // namespace invar
