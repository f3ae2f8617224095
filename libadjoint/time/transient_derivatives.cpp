// Derivatives of transient cases: forward, then reverse.
#include "libadjoint/time/transient_case.hpp"

#include <algorithm>
#include <cmath>

#include "libadjoint/processor_seconds.hpp"

namespace invar {
namespace {

/// ‖v‖₂ without constrained rows, whose entries have other units.
double free_size(Vec v, const Residual& equation) {
  double squares = equation.constrained_rows().squares_of_others(v);
  MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, equation.comm());
  return std::sqrt(squares);
}

}  // namespace

// ---- derivatives: forward -------------------------------------------------------------------------

/// Calls visit(j, mark, u, u̇) at all times with u̇ = ∂u/∂d · directions[j]; all directions share the factors.
SolveReport TransientCase::march_tangent(const std::vector<Controls>& directions, const RateVisit& visit) {
  const KeepFactorsScope kept(*solver_, options_.factor_interval > 1 || shelf_.size() > 0);
  derivative_pace_ = {};
  SolveReport last;
  last.converged = true;
  const int n = static_cast<int>(directions.size());
  std::vector<History> rates(n);
  History next_rate = step_.create_history();
  marched_.assign(n, {std::vector<double>(steps_.size() + 1, 0.0), std::vector<double>(steps_.size() + 1, 0.0)});
  for (int j = 0; j < n; ++j) {
    rates[j] = step_.create_history();
    for (int i = 0; i < scheme_.history_size(); ++i)
      if (const auto& level = scheme_.initial()[i]; level && evolution_) {
        last = evolution_->initial_jvp(*level, beginning(), directions[j], rates[j][i]);
        step_.clear_potentials(rates[j][i]);
        if (!last.converged) return last;
      }
  }
  VecHandle r_dot = residual_->create_vector(), x_dot = residual_->create_vector();
  march_through([&](int number, const MarchState& before, const MarchState& after) {
    if (!last.converged) return;
    const StepTable table = table_of(steps_[number - 1]);
    const Vec x = unknown_of(table, after);
    step_.set_step(table, before.fields);
    if (begins_block(number)) on_own_factors_ = false;
    Linearization linear = linearized(number, x);
    for (int j = 0; j < n; ++j) {
      step_.history_jvp(point(x), rates[j], &directions[j], r_dot);
      last = linear.solve_tangent(r_dot, x_dot);
      if (!last.converged) return;
      note_work(last);
      marched_[j].solution[number] = free_size(x_dot, step_);
      marched_[j].left[number] = last.residual * linear.load_norm();
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
  begin_rates(n);
  const auto measured = measurements();
  const Sensitivities objective = sensitivities();
  compared_error_ = 0;
  const SolveReport report = march_tangent(directions, [&](int j, int mark, const EvaluationPoint& u, const State& u_dot) {
    add_residual_rates(measured[mark], u, u_dot, directions[j], j, rho_dot);
    value_dot[j] += rate(objective[mark], u, u_dot, directions[j], j);
  });
  if (!report.converged) return report;
  const Eigen::VectorXd rho = residuals();
  for (int j = 0; j < n; ++j) {
    const Eigen::VectorXd parts = rho_dot.col(j).cwiseProduct(rho);
    const double magnitude = parts.lpNorm<1>() + std::abs(value_dot[j] - parts.sum());
    if (magnitude > 0) compared_error_ = std::max(compared_error_, error_between(nullptr, marched_[j]) / magnitude);
  }
  return report;
}

SolveReport TransientCase::quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                             std::vector<double>& derivatives) {
  derivatives.assign(terms.size(), 0.0);
  begin_rates(terms.size());
  const std::vector<Sensitivities> of_terms = sensitivities(terms);
  compared_error_ = 0;
  const SolveReport report = march_tangent({direction}, [&](int, int mark, const EvaluationPoint& u, const State& u_dot) {
    for (std::size_t k = 0; k < terms.size(); ++k) derivatives[k] += rate(of_terms[k][mark], u, u_dot, direction, k);
  });
  for (std::size_t k = 0; k < terms.size() && report.converged; ++k)
    if (derivatives[k] != 0) compared_error_ = std::max(compared_error_, error_between(terms[k], marched_[0]) / std::abs(derivatives[k]));
  return report;
}

/// Expected difference between adjoint and tangent derivatives of a term due to the residuals of their solves. With K ẋ = b − ρ and Kᵀ λ =
/// x̄ − σ in each step the difference is Σ (σ·ẋ − λ·ρ) to first order. Residuals of different steps are assumed independent, and those of
/// one step parallel to the vector that multiplies them. 0 if the last sweep was not for this term.
double TransientCase::error_between(const ProcessTerm* term, const SolveSizes& tangent) const {
  const auto swept = swept_.find(term);
  if (swept == swept_.end()) return 0;
  const SolveSizes& adjoint = swept->second;
  double squares = 0;
  for (std::size_t n = 0; n < std::min(adjoint.left.size(), tangent.left.size()); ++n)
    squares += std::pow(adjoint.left[n] * tangent.solution[n], 2) + std::pow(adjoint.solution[n] * tangent.left[n], 2);
  return std::sqrt(squares);
}

// ---- derivatives: reverse -------------------------------------------------------------------------

/// The linear systems of a step, with factors shared by its block of steps: those kept from the march, else new ones. The factors that the
/// march left in the solver are not used, because they depend on how states are kept.
Linearization TransientCase::linearized(int number, Vec x) {
  const StoredFactors* kept = on_own_factors_ ? nullptr : shelf_.of(block_of(number));
  if (!kept && !on_own_factors_ && number > 1 && !steps_[number - 2].starts && begins_with_factors(steps_[number - 1]))
    kept = shelf_.of(block_of(number) - 1);  // with which it was solved
  if (kept) {
    solver_->attach_factors(*kept);
    derivative_pace_.restart(options_.by_work ? making() : 0);
  } else if (!on_own_factors_ || (options_.by_work && derivative_pace_.worn())) {
    solver_->invalidate();
  }
  on_own_factors_ = true;
  return Linearization(step_, *solver_, point(x));
}

/// Work of a derivative solve; each solve of a step counts separately.
void TransientCase::note_work(const SolveReport& solve) {
  if (!options_.by_work) return;
  if (solve.factored) derivative_pace_.restart(making());
  derivative_pace_.add(solve.iterations + 1);
}

/// Adds the products of a step's multiplier λ_f with the derivatives by state, history and controls, and then those of constrained rows,
/// λ_c = x̄_c − K_fcᵀ λ_f; both with a minus sign. x̄ and λ are overwritten.
void TransientCase::pull_back_step(Vec x, Vec lambda, Vec x_bar, History& history_bar, Controls& d_bar) {
  check(VecScale(lambda, -1.0));
  step_.full_vjp(point(x), lambda, x_bar, history_bar, d_bar);
  check(VecSet(lambda, 0.0));
  step_.constrained_rows().combine(-1, x_bar, 0, lambda);
  step_.full_vjp(point(x), lambda, nullptr, history_bar, d_bar);
}

/// Replaces h̄ of the state after the step by h̄ of the state before, for all seeds with the same matrix.
void TransientCase::reverse(int number, const MarchState& before, const MarchState& after, std::vector<Adjoint>& adjoints,
                            SolveReport& report) {
  const Step& step = steps_[number - 1];
  const StepTable table = table_of(step);
  const Vec x = unknown_of(table, after);
  VecHandle lambda = zeros_like(x);
  std::vector<VecHandle> x_bars;
  std::vector<History> earlier;  // h̄ of the state before
  step_.set_step(table, before.fields);
  for (Adjoint& a : adjoints) {
    x_bars.push_back(zeros_like(x));
    earlier.push_back(step_.create_history());
    step_.advance_vjp(point(x), a.history_bar, x_bars.back(), earlier.back(), *a.d_bar);
  }
  const std::vector<int> marks = observed_with(step);
  const auto reads = [&](const Adjoint& a) { return std::ranges::any_of(marks, [&](int mark) { return !a.reads[mark].empty(); }); };
  if (std::ranges::any_of(adjoints, reads))
    observe_at(step, before, after, [&](int mark, const EvaluationPoint& u) {
      PerLevel<VecHandle> storage;
      State u_bar;
      VecHandle memory_bar = residual_->create_memory();
      u_bar.memory = memory_bar;
      for (Level l : all_levels) {
        storage[l] = zeros_like(x);
        u_bar.levels[l] = storage[l];
      }
      for (std::size_t i = 0; i < adjoints.size(); ++i) {
        if (adjoints[i].reads[mark].empty()) continue;
        for (Level l : all_levels) check(VecSet(storage[l], 0.0));
        if (memory_bar) check(VecSet(memory_bar, 0.0));
        pull_back(adjoints[i].reads[mark], u, u_bar, adjoints[i].d_bar);
        step_.observed_transposed(u_bar, x_bars[i], earlier[i]);
        for (Level l : all_levels) {
          double size = 0;
          check(VecNorm(storage[l], NORM_2, &size));
          adjoints[i].read += size;
        }
      }
    });
  if (number == static_cast<int>(steps_.size()) || begins_block(number + 1)) on_own_factors_ = false;
  std::optional<Linearization> linear;
  double largest = 0;
  for (std::size_t i = 0; i < adjoints.size(); ++i) {
    Adjoint& a = adjoints[i];
    double size = 0;
    check(VecNorm(x_bars[i], NORM_INFINITY, &size));
    if (size != 0) {
      if (!linear) linear.emplace(linearized(number, x));
      SolutionExtrapolation& forecast = a.lambdas[step.stage];
      VecHandle guess;
      if (solver_->inexact()) {
        guess = zeros_like(lambda);
        forecast.improve(table.end, guess);
        if (!forecast.improved()) guess.reset();
      }
      report = linear->solve_free_adjoint(x_bars[i], lambda, guess);
      note_work(report);
      if (report.converged) {
        if (solver_->inexact()) forecast.note(table.end, lambda);
        SolveSizes& sizes = swept_.at(a.term);
        sizes.left[number] = report.residual * free_size(x_bars[i], step_);
        sizes.solution[number] = free_size(lambda, step_);
      }
      ++report_.adjoint_solves;
      report_.adjoint_iterations += report.iterations;
      report_.adjoint_factorisations += report.factored;
      if (!report.converged) {
        report.reason = "step to t = " + std::to_string(table.end) + " s: " + report.reason;
        return;
      }
      largest = std::max(largest, report.residual);
      pull_back_step(x, lambda, x_bars[i], earlier[i], *a.d_bar);
    }
    a.history_bar = std::move(earlier[i]);
    if (step.stage > 0 || step.starts) continue;
    check(VecNorm(a.history_bar[0], NORM_2, &size));
    if (size > 0) a.sizes.emplace_back(step.begin, a.read > 0 ? size / a.read : size);
  }
  if (linear) report_.adjoint_residuals.push_back({table.end, largest});
}

/// Calls visit for all steps, the last first; the checkpoints are used up.
void TransientCase::visit_backwards(const StepVisit& visit) {
  const int n_steps = static_cast<int>(steps_.size());
  if (!schedule_) {
    MarchState before = copy(end_), after = copy(end_);
    for (int number = n_steps; number >= 1; --number) {
      trajectory_->get(number - 1, before);
      visit(number, before, after);
      std::swap(before, after);
    }
    return;
  }
  if (!sweepable_) march_again();
  sweepable_ = false;
  reverse_sweep(
      *schedule_, *trajectory_, static_cast<int>(blocks_.size()), block_begin_, end_,
      [&](int b, MarchState& state) {
        for (int number = first_of(b); number <= last_of(b); ++number, ++report_.repeated_steps) retake(number, state);
      },
      [&](int b, const MarchState& begin, const MarchState& end) {
        const std::vector<MarchState> states = states_of(b, begin, &end);
        report_.repeated_steps += last_of(b) - first_of(b);
        for (int number = last_of(b); number >= first_of(b); --number)
          visit(number, states[number - first_of(b)], states[number - first_of(b) + 1]);
      });
}

SolveReport TransientCase::gradients(std::span<const Seed> seeds) {
  const KeepFactorsScope kept(*solver_, options_.factor_interval > 1 || shelf_.size() > 0);
  const double begun = processor_seconds();
  SolveReport report;
  report.converged = true;
  const int n_steps = static_cast<int>(steps_.size());
  report_.adjoint_solves = report_.repeated_steps = report_.adjoint_iterations = report_.adjoint_factorisations = 0;
  report_.adjoint_residuals.clear();
  swept_.clear();
  compared_error_ = 0;
  std::vector<Adjoint> adjoints;
  for (const Seed& seed : seeds) {
    Sensitivities reads = sensitivities(seed.term);
    if (std::ranges::all_of(reads, [](const auto& at_step) { return at_step.empty(); })) continue;
    swept_[seed.term] = {std::vector<double>(n_steps + 1, 0.0), std::vector<double>(n_steps + 1, 0.0)};
    adjoints.push_back({seed.term, std::move(reads), seed.d_bar, step_.create_history(), {}, forecasts()});
  }
  report_.adjoint_growth = 0;
  derivative_pace_ = {};
  if (adjoints.empty()) return report;
  visit_backwards([&](int number, const MarchState& before, const MarchState& after) {
    if (!report.converged || (options_.horizon > 0 && number <= n_steps - options_.horizon)) return;
    reverse(number, before, after, adjoints, report);
    if (SolveMonitor* monitor = solver_->monitor())
      monitor->progress("case " + name_ + ", adjoint", 1 - (number - 1.0) / n_steps);
  });
  if (!report.converged) return report;
  if (options_.horizon == 0 || options_.horizon >= n_steps)
    if (const SolveReport start = pull_back_initial(adjoints); !start.converged) return start;
  report_.adjoint_growth = growth_rate(adjoints);
  report_.sweep_seconds = processor_seconds() - begun;
  return report;
}

SolveReport TransientCase::pull_back_initial(std::vector<Adjoint>& adjoints) {
  SolveReport done;
  done.converged = true;
  for (int i = 0; i < scheme_.history_size(); ++i)
    if (const auto& level = scheme_.initial()[i]; level && evolution_)
      for (Adjoint& a : adjoints) {
        step_.clear_potentials(a.history_bar[i]);
        if (const SolveReport report = evolution_->initial_vjp(*level, beginning(), a.history_bar[i], *a.d_bar); !report.converged)
          return report;
      }
  return done;
}

/// Recomputes the checkpoints that a sweep has used up.
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

/// Least-squares fit of ln ‖h̄‖ against the time before the end.
double TransientCase::growth_rate(const std::vector<Adjoint>& adjoints) {
  std::optional<double> largest;
  for (const Adjoint& a : adjoints) {
    const std::size_t n = a.sizes.size();
    if (n < 3) continue;
    double mean_t = 0, mean_y = 0, ty = 0, tt = 0;
    for (const auto& [t, size] : a.sizes) {
      mean_t -= t / n;
      mean_y += std::log(size) / n;
    }
    for (const auto& [t, size] : a.sizes) {
      ty += (-t - mean_t) * (std::log(size) - mean_y);
      tt += (-t - mean_t) * (-t - mean_t);
    }
    if (tt > 0) largest = std::max(largest.value_or(ty / tt), ty / tt);
  }
  return largest.value_or(0);
}

/// On an unstable trajectory the error of one solve grows like the adjoint: adjoint and tangent, whose errors differ, then agree only to
/// the digits that remain. Where the adjoint grows and decays again, as during contact, `error_between` uses the norms in each step.
double TransientCase::derivative_error() const {
  const double of_solves = std::max(Case::derivative_error(), std::numeric_limits<double>::epsilon());
  const double covered = options_.horizon > 0 ? options_.horizon * (times().back() - times().front()) / static_cast<double>(steps_.size())
                                              : times().back() - times().front();
  return std::max(of_solves * std::exp(std::max(0.0, report_.adjoint_growth) * covered), compared_error_);
}

}  // namespace invar
