// Derivatives of marches: forward, then reverse.
#include "libadjoint/time/transient_case.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

// ---- derivatives: forward -------------------------------------------------------------------------

/// Calls visit(j, mark, u, u̇) at all times, with u̇ = ∂u/∂d · directions[j]: all on the same factors.
SolveReport TransientCase::march_tangent(const std::vector<Controls>& directions, const RateVisit& visit) {
  const FactorsKept kept(*solver_, options_.factor_interval > 1);
  SolveReport last;
  last.converged = true;
  const int n = static_cast<int>(directions.size());
  std::vector<History> rates(n);
  History next_rate = step_.create_history();
  for (int j = 0; j < n; ++j) {
    rates[j] = step_.create_history();
    for (int i = 0; i < scheme_.history_size(); ++i)
      if (const auto& level = scheme_.initial()[i]; level && evolution_) {
        last = evolution_->initial_jvp(*level, beginning(), directions[j], rates[j][i]);
        if (!last.converged) return last;
      }
  }
  if (!scheme_.needs_start())
    observe_initial(initial_state(), [&](int mark, const EvaluationPoint& u) {
      for (int j = 0; j < n; ++j) visit(j, mark, u, step_.observed_direction(nullptr, rates[j]));
    });
  VecHandle r_dot = residual_->create_vector(), x_dot = residual_->create_vector();
  march_through([&](int number, const MarchState& before, const MarchState& after) {
    if (!last.converged) return;
    const StepTable table = table_of(steps_[number - 1]);
    const Vec x = unknown_of(table, after);
    step_.set_step(table, before.fields);
    Linearization linear = linearized(x, (number - 1) % options_.factor_interval == 0);
    for (int j = 0; j < n; ++j) {
      step_.history_jvp(point(x), rates[j], &directions[j], r_dot);
      last = linear.solve_tangent(r_dot, x_dot);
      if (!last.converged) return;
      observe_at(steps_[number - 1], before, after,
                 [&](int mark, const EvaluationPoint& u) { visit(j, mark, u, step_.observed_direction(x_dot, rates[j])); });
      step_.advance_jvp(point(x), x_dot, rates[j], &directions[j], next_rate);
      std::swap(rates[j], next_rate);
    }
  });
  return last;
}

SolveReport TransientCase::tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                                   Eigen::VectorXd& value_dot) {
  const int n = static_cast<int>(directions.size());
  rho_dot.setZero(residual_count(), n);
  value_dot.setZero(n);
  return march_tangent(directions, [&](int j, int mark, const EvaluationPoint& u, const State& u_dot) {
    add_residual_rates(mark, u, u_dot, directions[j], j, rho_dot);
    visit_objective(mark, [&](Observable& observable, const auto& y_bar, const auto&) {
      std::vector<double> y_dot(observable.size());
      observable.jvp(u, u_dot, &directions[j], y_dot.data());
      for (std::size_t k = 0; k < y_dot.size(); ++k) value_dot[j] += y_bar[k] * y_dot[k];
    });
  });
}

SolveReport TransientCase::quantity_tangent(const ProcessTerm& term, const Controls& direction, double& derivative) {
  derivative = 0;
  const std::vector<double> seeds = term_seeds(term);
  return march_tangent({direction}, [&](int, int mark, const EvaluationPoint& u, const State& u_dot) {
    for (std::size_t k = 0; k < seeds.size(); ++k) {
      if (term.steps[k] != mark) continue;
      std::vector<double> y_dot(term.observable->size());
      term.observable->jvp(u, u_dot, &direction, y_dot.data());
      for (double v : y_dot) derivative += seeds[k] * v;
    }
  });
}

// ---- derivatives: reverse -------------------------------------------------------------------------

/// The linear systems of a step, on factors that the block of steps shares; `first`: of the block.
Linearization TransientCase::linearized(Vec x, bool first) {
  if (first) solver_->invalidate();
  return Linearization(step_, *solver_, point(x));
}

/// h̄ of the state after becomes h̄ of the state before (DESIGN 3).
void TransientCase::reverse(int number, const MarchState& before, const MarchState& after, const Seed& seed,
                            History& history_bar, Controls& d_bar, SolveReport& report) {
  const Step& step = steps_[number - 1];
  const StepTable table = table_of(step);
  const Vec x = unknown_of(table, after);
  VecHandle x_bar = residual_->create_vector(), lambda = residual_->create_vector();
  History earlier_bar = step_.create_history();
  step_.set_step(table, before.fields);
  step_.advance_vjp(point(x), history_bar, x_bar, earlier_bar, d_bar);
  observe_at(step, before, after, [&](int mark, const EvaluationPoint& u) {
    PerLevel<VecHandle> storage;
    State u_bar;
    VecHandle memory_bar = residual_->create_memory();
    u_bar.memory = memory_bar;
    for (Level l : all_levels) {
      storage[l] = residual_->create_vector();
      u_bar.levels[l] = storage[l];
    }
    seed(mark, u, u_bar, d_bar);
    step_.observed_transposed(u_bar, x_bar, earlier_bar);
  });
  double size = 0;
  check(VecNorm(x_bar, NORM_INFINITY, &size));
  if (size != 0) {
    const bool first = number % options_.factor_interval == 0 || number == static_cast<int>(steps_.size());
    report = linearized(x, first).solve_adjoint(x_bar, lambda);
    ++report_.adjoint_solves;
    if (!report.converged) {
      report.reason = "step to t = " + std::to_string(table.end) + " s: " + report.reason;
      return;
    }
    report_.adjoint_residuals.push_back({table.end, report.residual});
    step_.history_vjp(point(x), lambda, earlier_bar, d_bar);
  }
  history_bar = std::move(earlier_bar);
  if (step.stage > 0 || step.starts) return;
  check(VecNorm(history_bar[0], NORM_2, &size));
  if (size > 0) adjoint_sizes_.emplace_back(step.begin, size);
}

SolveReport TransientCase::sweep(const Seed& seed, Controls& d_bar) {
  const FactorsKept kept(*solver_, options_.factor_interval > 1);
  SolveReport report;
  report.converged = true;
  const int n_steps = static_cast<int>(steps_.size()), block = options_.factor_interval;
  report_.adjoint_solves = report_.repeated_steps = 0;
  report_.adjoint_residuals.clear();
  adjoint_sizes_.clear();
  History history_bar = step_.create_history();
  const auto visit = [&](int number, const MarchState& before, const MarchState& after) {
    if (!report.converged || (options_.horizon > 0 && number <= n_steps - options_.horizon)) return;
    reverse(number, before, after, seed, history_bar, d_bar, report);
    if (SolveMonitor* monitor = solver_->monitor())
      monitor->progress("case " + name_ + ", adjoint", 1 - (number - 1.0) / n_steps);
  };
  if (!schedule_) {
    MarchState before = copy(end_), after = copy(end_);
    for (int number = n_steps; number >= 1; --number) {
      trajectory_->get(number - 1, before);
      visit(number, before, after);
      std::swap(before, after);
    }
  } else {
    if (!sweepable_) march_again();
    sweepable_ = false;
    const auto again = [&](int number, MarchState& state) {
      retake(number, state);
      ++report_.repeated_steps;
    };
    reverse_sweep(
        *schedule_, *trajectory_, (n_steps + block - 1) / block, block_begin_, end_,
        [&](int b, MarchState& state) {
          for (int number = first_of(b); number <= last_of(b); ++number) again(number, state);
        },
        [&](int b, const MarchState& begin, const MarchState& end) {
          std::vector<MarchState> inner;
          inner.push_back(copy(begin));
          for (int number = first_of(b); number < last_of(b); ++number) {
            inner.push_back(copy(inner.back()));
            again(number, inner.back());
          }
          for (int number = last_of(b); number >= first_of(b); --number)
            visit(number, inner[number - first_of(b)], number == last_of(b) ? end : inner[number - first_of(b) + 1]);
        });
  }
  if (!report.converged) return report;
  if (options_.horizon == 0 || options_.horizon >= n_steps)
    if (const SolveReport start = pull_back_initial(seed, history_bar, d_bar); !start.converged) return start;
  report_.adjoint_growth = growth_rate();
  return report;
}

SolveReport TransientCase::pull_back_initial(const Seed& seed, History& history_bar, Controls& d_bar) {
  if (!scheme_.needs_start())
    observe_initial(initial_state(), [&](int mark, const EvaluationPoint& u) {
      PerLevel<VecHandle> storage;
      State u_bar;
      for (Level l : {Level::value, Level::rate, Level::predicted}) {
        storage[l] = residual_->create_vector();
        u_bar.levels[l] = storage[l];
      }
      seed(mark, u, u_bar, d_bar);
      step_.observed_transposed(u_bar, nullptr, history_bar);
    });
  for (int i = 0; i < scheme_.history_size(); ++i)
    if (const auto& level = scheme_.initial()[i]; level && evolution_)
      if (const SolveReport report = evolution_->initial_vjp(*level, beginning(), history_bar[i], d_bar); !report.converged)
        return report;
  SolveReport done;
  done.converged = true;
  return done;
}

/// The checkpoints once more, which a sweep has used up.
void TransientCase::march_again() {
  MarchState state = initial_state();
  begin_keeping(state);
  for (int number = 1; number <= static_cast<int>(steps_.size()); ++number) {
    const MarchState before = copy(state);
    retake(number, state);
    ++report_.repeated_steps;
    keep_step(number, before, state);
  }
  end_ = std::move(state);
  sweepable_ = true;
}

/// Least squares of ln ‖h̄‖ against the time before the end.
double TransientCase::growth_rate() const {
  const std::size_t n = adjoint_sizes_.size();
  if (n < 3) return 0;
  double mean_t = 0, mean_y = 0, ty = 0, tt = 0;
  for (const auto& [t, size] : adjoint_sizes_) {
    mean_t -= t / n;
    mean_y += std::log(size) / n;
  }
  for (const auto& [t, size] : adjoint_sizes_) {
    ty += (-t - mean_t) * (std::log(size) - mean_y);
    tt += (-t - mean_t) * (-t - mean_t);
  }
  return tt > 0 ? ty / tt : 0.0;
}

SolveReport TransientCase::gradient(Controls& d_bar) {
  return sweep(
      [&](int mark, const EvaluationPoint& u, const State& u_bar, Controls& bar) {
        visit_objective(mark, [&](Observable& observable, const auto& y_bar, const auto&) {
          observable.vjp(u, y_bar.data(), u_bar, &bar);
        });
      },
      d_bar);
}

SolveReport TransientCase::quantity_gradient(const ProcessTerm& term, Controls& d_bar) {
  const std::vector<double> seeds = term_seeds(term);
  return sweep(
      [&](int mark, const EvaluationPoint& u, const State& u_bar, Controls& bar) {
        for (std::size_t k = 0; k < seeds.size(); ++k)
          if (term.steps[k] == mark)
            term.observable->vjp(u, std::vector<double>(term.observable->size(), seeds[k]).data(), u_bar, &bar);
      },
      d_bar);
}

SolveReport TransientCase::hessian_action(const Controls&, Controls&) {
  SolveReport none;
  none.reason = "processes in time have no second derivatives here";
  return none;
}

}  // namespace invar
