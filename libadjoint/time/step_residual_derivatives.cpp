// Derivatives of StepResidual: of its history and observed states, forward and reverse; then of the equation.
#include "libadjoint/time/step_residual.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace invar {

template <class Wanted>
State StepResidual::cotangent(Wanted wanted) {
  State y_bar;
  for (Level l : all_levels) {
    if (!wanted(l)) continue;
    if (!y_bar_[l]) y_bar_[l] = inner_.create_vector();
    check(VecSet(y_bar_[l], 0.0));
    y_bar.levels[l] = y_bar_[l];
  }
  return y_bar;
}

State StepResidual::direction_of(Vec x_dot, const History* history_dot) {
  State y_dot;
  y_dot.unknown = x_dot;
  if (history_dot) y_dot.memory = memory_of(*history_dot);
  for (Level l : all_levels) {
    const KindRows rows = equation_rows(l);
    fill(y_dot, l, y_dot_, !x_dot ? rows.of_history() : history_dot ? rows : rows.of_unknown(), x_dot, history_dot ? *history_dot : no_history_);
  }
  return y_dot;
}

void StepResidual::advance_jvp(const EvaluationPoint& x, Vec x_dot, const History& history_dot, const Controls* d_dot, History& next_dot) {
  advance_rows(x_dot, history_dot, next_dot);
  if (!memory_) return;
  if (table_.starts) check(VecCopy(memory_of(history_dot), memory_of(next_dot)));
  else memory_->update_memory_jvp(levels_at(x), direction_of(x_dot, &history_dot), d_dot, memory_of(next_dot));
}

void StepResidual::advance_vjp(const EvaluationPoint& x, const History& next_bar, Vec x_bar, History& history_bar, Controls& d_bar) {
  for (int i = 0; i < history_size_; ++i)
    combine_transposed(history_rows(i), next_bar[i], x_bar, history_bar);
  if (!memory_) return;
  if (table_.starts) {
    check(VecAXPY(memory_of(history_bar), 1.0, memory_of(next_bar)));
    return;
  }
  State y_bar = cotangent([&](Level l) { return !equation_rows(l).vanishes(); });
  y_bar.memory = memory_of(history_bar);
  memory_->update_memory_vjp(levels_at(x), memory_of(next_bar), y_bar, &d_bar);
  for (Level l : all_levels)
    if (y_bar.levels[l]) combine_transposed(equation_rows(l), y_bar.levels[l], x_bar, history_bar);
}

State StepResidual::observed_direction(Vec x_dot, const History& history_dot) {
  return observe(x_dot, history_dot, seen_dot_);
}

void StepResidual::observed_transposed(const State& bar, Vec x_bar, History& history_bar) const {
  if (bar.memory) check(VecAXPY(memory_of(history_bar), 1.0, bar.memory));
  for (Level l : all_levels)
    if (bar.levels[l]) combine_transposed(observed_rows(l), bar.levels[l], x_bar, history_bar);
}

/// A copy of λ with zeros in the step's own rows; null where it has none.
VecHandle StepResidual::without_own_rows(Vec lambda) const {
  if (!has_own_rows()) return {};
  VecHandle others = zeros_like(lambda);
  check(VecCopy(lambda, others));
  own_rows().clear(others);
  return others;
}

/// target_c = ẋ_c − (derivative of the prescribed value); nullptr: zero.
void StepResidual::write_own_rates(const Setting& given, Vec x_dot, const Controls* d_dot, Vec target) {
  if (!has_own_rows()) return;
  if (x_dot) own_rows().copy(x_dot, target);
  else own_rows().clear(target);
  Evolution* evolution = inner_.capabilities().evolution;
  if (!evolution || !d_dot) return;
  VecHandle rate = zeros_like(target);
  for (const Prescribed& p : prescription(given)) {
    evolution->initial_jvp(p.level, p.at, *d_dot, rate);
    own_rows().add(-p.factor, rate, target);
  }
}

/// d_bar −= (∂ prescribed value / ∂d)ᵀ λ_c. Returns λ with zeros in these rows; null where the step has no rows of its own.
VecHandle StepResidual::pull_back_own_rows(const Setting& given, Vec lambda, Controls* d_bar) {
  VecHandle others = without_own_rows(lambda);
  Evolution* evolution = inner_.capabilities().evolution;
  if (!others || !evolution || !d_bar) return others;
  VecHandle bar = zeros_like(lambda);
  for (const Prescribed& p : prescription(given)) {
    own_rows().combine(-p.factor, lambda, 0, bar);
    evolution->initial_vjp(p.level, p.at, bar, *d_bar);
  }
  return others;
}

/// d_bar_dot −= derivative of (∂ prescribed value / ∂d)ᵀ λ_c when λ and the controls vary.
void StepResidual::add_own_rows_curvature(const Setting& given, Vec lambda, const Controls& d_dot, Vec lambda_dot, Controls& d_bar_dot) {
  Evolution* evolution = inner_.capabilities().evolution;
  if (!has_own_rows() || !evolution) return;
  VecHandle bar = zeros_like(lambda), bar_dot = zeros_like(lambda);
  for (const Prescribed& p : prescription(given)) {
    own_rows().combine(-p.factor, lambda, 0, bar);
    if (lambda_dot) own_rows().combine(-p.factor, lambda_dot, 0, bar_dot);
    evolution->initial_vjp_tangent(p.level, p.at, bar, d_dot, bar_dot, d_bar_dot);
  }
}

void StepResidual::jvp(const EvaluationPoint& x, const State& x_dot, const Controls* d_dot, Vec r_dot) {
  inner_.jvp(levels_at(x), x_dot.unknown ? direction_of(x_dot.unknown, nullptr) : State(), d_dot, r_dot);
  write_own_rates(x.given, x_dot.unknown, d_dot, r_dot);
}

void StepResidual::history_jvp(const EvaluationPoint& x, const History& history_dot, const Controls* d_dot, Vec r_dot) {
  State y_dot = direction_of(nullptr, &history_dot);
  inner_.jvp(levels_at(x), y_dot, d_dot, r_dot);
  write_own_rates(x.given, nullptr, d_dot, r_dot);
}

void StepResidual::vjp(const EvaluationPoint& x, Vec lambda, const State& x_bar, Controls* d_bar) {
  const VecHandle others = pull_back_own_rows(x.given, lambda, d_bar);
  State y_bar;
  if (x_bar.unknown) {
    y_bar = cotangent([&](Level l) { return !equation_rows(l).of_unknown().vanishes(); });
    if (!table_.starts) y_bar.unknown = x_bar.unknown;
  }
  inner_.vjp(levels_at(x), others ? others.get() : lambda, y_bar, d_bar);
  if (!x_bar.unknown) return;
  for (Level l : all_levels)
    if (y_bar.levels[l]) combine_transposed(equation_rows(l).of_unknown(), y_bar.levels[l], x_bar.unknown, no_history_);
  if (has_own_rows()) own_rows().add(1, lambda, x_bar.unknown);  // x_c itself
}

void StepResidual::full_vjp(const EvaluationPoint& x, Vec lambda, Vec x_bar, History& history_bar, Controls& d_bar) {
  const VecHandle others = pull_back_own_rows(x.given, lambda, &d_bar);
  State y_bar = cotangent([&](Level l) { return (x_bar && !equation_rows(l).of_unknown().vanishes()) || !equation_rows(l).of_history().vanishes(); });
  y_bar.memory = memory_of(history_bar);
  if (!table_.starts) y_bar.unknown = x_bar;
  inner_.vjp(levels_at(x), others ? others.get() : lambda, y_bar, &d_bar);
  for (Level l : all_levels)
    if (y_bar.levels[l]) combine_transposed(equation_rows(l), y_bar.levels[l], x_bar, history_bar);
}

void StepResidual::full_vjp_tangent(const EvaluationPoint& x, Vec lambda, Vec x_dot, const History& history_dot, Vec lambda_dot, const Controls& d_dot,
                                    Vec x_bar_dot, History* history_bar_dot, Controls* d_bar_dot) {
  assert(!memory_);
  if (d_bar_dot) add_own_rows_curvature(x.given, lambda, d_dot, lambda_dot, *d_bar_dot);
  const VecHandle others = without_own_rows(lambda), others_dot = lambda_dot ? without_own_rows(lambda_dot) : VecHandle();
  State y_bar_dot = cotangent([&](Level l) {
    const KindRows rows = equation_rows(l);
    return (x_bar_dot && !rows.of_unknown().vanishes()) || (history_bar_dot && !rows.of_history().vanishes());
  });
  if (!table_.starts) y_bar_dot.unknown = x_bar_dot;
  inner_.vjp_tangent(levels_at(x), others ? others.get() : lambda, direction_of(x_dot, &history_dot), others_dot ? others_dot.get() : lambda_dot, &d_dot,
                     y_bar_dot, d_bar_dot);
  for (Level l : all_levels)
    if (y_bar_dot.levels[l]) combine_transposed(equation_rows(l), y_bar_dot.levels[l], x_bar_dot, history_bar_dot ? *history_bar_dot : no_history_);
}

void StepResidual::vjp_tangent(const EvaluationPoint&, Vec, const State&, Vec, const Controls*, const State&, Controls*) {
  throw std::logic_error("a step in time depends on its history, too: use full_vjp_tangent");
}

}  // namespace invar
