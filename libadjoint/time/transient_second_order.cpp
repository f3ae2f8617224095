// Second derivatives of TransientCase: the adjoint of each step, differentiated along a direction of the controls. With the history h and
// the multiplier μ = −λ of a step, r(x, h; d) = 0 and
//   r_xᵀ μ = −x̄,                h̄ += r_hᵀ μ,                d̄ += r_dᵀ μ,
//   r_xᵀ μ̇ = −ẋ̄ − (r_xᵀ)˙ μ,    ḣ̄ += r_hᵀ μ̇ + (r_hᵀ)˙ μ,    ḋ̄ += r_dᵀ μ̇ + (r_dᵀ)˙ μ.
// The maps from x and h to the next history and to observed states are linear.
#include <algorithm>
#include <numeric>

#include "libadjoint/time/storage_error.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {
namespace {

/// A state, if it is given, followed by its rate.
MarchState joined(const MarchState* state, const MarchState& rate) {
  MarchState both = state ? copy(*state) : MarchState();
  for (VecHandle& field : copy(rate).fields) both.fields.push_back(std::move(field));
  return both;
}

/// The last fields of `both` are the rate; those before them, if there are any, the state.
MarchState rate_in(const MarchState& both, std::size_t fields) {
  MarchState rate;
  for (std::size_t k = both.fields.size() - fields; k < both.fields.size(); ++k) {
    VecHandle& field = rate.fields.emplace_back(zeros_like(both.fields[k]));
    check(VecCopy(both.fields[k], field));
  }
  return rate;
}

MarchState state_in(const MarchState& both, std::size_t fields) {
  MarchState state = copy(both);
  if (both.fields.size() > fields) state.fields.resize(both.fields.size() - fields);
  return state;
}

/// Zero vectors for the transposed products with an observable.
struct ObservedBar {
  PerLevel<VecHandle> storage;
  State bar;
  explicit ObservedBar(Vec like) {
    for (Level l : all_levels) {
      storage[l] = zeros_like(like);
      bar.levels[l] = storage[l];
    }
  }
};

}  // namespace

std::string TransientCase::why_no_second_derivatives() const {
  const auto has_statistic = [](const auto& part) { return part.statistic != nullptr; };
  if (step_.has_memory()) return "processes in time with history variables have none";
  if (options_.horizon > 0) return "a sweep over the last part of a process has none";
  if (std::ranges::any_of(terms_, has_statistic) || std::ranges::any_of(data_, has_statistic)) return "statistics over the times of a process have none";
  if (std::ranges::any_of(data_, &DataSet::couples_steps)) return "residuals made of several times of a process have none";
  return {};
}

/// The rate of the state where the march begins.
MarchState TransientCase::initial_rate(const Controls& direction, SolveReport& report) {
  MarchState rate;
  rate.fields = step_.create_history();
  for (int i = 0; i < scheme_.history_size() && report.converged; ++i)
    if (const auto& level = scheme_.initial()[i]; level && evolution_) {
      report = evolution_->initial_jvp(*level, beginning(), direction, rate.fields[i]);
      step_.clear_potentials(rate.fields[i]);
    }
  if (scheme_.stages() > 1) rate.fields.push_back(residual_->create_vector());
  return rate;
}

/// Memory for rates: what kept states and factors leave. States of a schedule are dropped; the next sweep computes them again.
Trajectory::Options TransientCase::room_for_rates() {
  Trajectory::Options room = options_.storage;
  if (schedule_) {
    trajectory_ = std::make_unique<Trajectory>(residual_->comm(), options_.storage);
    sweepable_ = false;
    return room;
  }
  const auto left = [](std::size_t all, std::size_t taken) {
    if (all == Trajectory::Options().ram_bytes) return all;
    return all > taken ? all - taken : 0;
  };
  const Trajectory::Usage used = trajectory_->usage();
  room.ram_bytes = left(room.ram_bytes, used.ram + shelf_.bytes());
  room.disk_bytes = left(room.disk_bytes, used.disk);
  room.device_bytes = left(room.device_bytes, used.device);
  return room;
}

/// Rates of the states of a block, the last one copied from `end` if it is given. Notes the rates of observed sums.
std::vector<MarchState> TransientCase::rates_of(int block, const std::vector<MarchState>& states, const MarchState& begin, const MarchState* end,
                                                SecondOrder& pass) {
  std::vector<MarchState> rates;
  rates.push_back(copy(begin));
  VecHandle r_dot = residual_->create_vector(), x_dot = residual_->create_vector();
  on_own_factors_ = false;
  for (int number = first_of(block); number <= last_of(block) && pass.last.converged; ++number) {
    if (end && number == last_of(block)) {
      rates.push_back(copy(*end));
      break;
    }
    const MarchState &before = states[number - first_of(block)], &after = states[number - first_of(block) + 1];
    const StepTable table = table_of(steps_[number - 1]);
    const Vec x = unknown_of(table, after);
    step_.set_step(table, before.fields);
    Linearization linear = linearized(number, x);
    const History& rate = rates.back().fields;
    step_.history_jvp(point(x), rate, &pass.direction, r_dot);
    pass.last = linear.solve_tangent(r_dot, x_dot);
    if (!pass.last.converged) break;
    note_work(pass.last);
    observe_at(steps_[number - 1], before, after,
               [&](int mark, const EvaluationPoint& u) { note_sums(mark, u, step_.observed_direction(x_dot, rate), pass); });
    MarchState next = copy(rates.back());
    step_.advance_jvp(point(x), x_dot, rate, &pass.direction, next.fields);
    if (scheme_.stages() > 1) check(VecCopy(x_dot, next.fields.back()));
    rates.push_back(std::move(next));
  }
  return rates;
}

void TransientCase::note_sums(int mark, const EvaluationPoint& u, const State& u_dot, SecondOrder& pass) {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!terms_[i].couples_steps()) continue;
    for (std::size_t k = 0; k < terms_[i].steps.size(); ++k) {
      if (terms_[i].steps[k] != mark) continue;
      std::vector<double> y_dot(terms_[i].observable->size());
      terms_[i].observable->jvp(u, u_dot, &pass.direction, y_dot.data());
      pass.sums_dot[i][k] = std::accumulate(y_dot.begin(), y_dot.end(), 0.0);
    }
  }
}

/// μ of r_xᵀ μ = −x̄ in all rows, those of constraints included. x̄ is overwritten.
SolveReport TransientCase::negative_multiplier(Linearization& linear, Vec x, Vec x_bar, Vec multiplier) {
  const SolveReport report = linear.solve_free_adjoint(x_bar, multiplier);
  if (!report.converged) return report;
  note_work(report);
  check(VecScale(multiplier, -1.0));
  step_.vjp(point(x), multiplier, State(x_bar), nullptr);
  step_.constrained_rows().combine(-1, x_bar, 0, multiplier);
  return report;
}

/// Replaces h̄ and its rate after the step by those before it.
void TransientCase::reverse_second_order(int number, const MarchState& before, const MarchState& after, const MarchState& rate_before,
                                         const MarchState& rate_after, SecondOrder& pass) {
  const Step& step = steps_[number - 1];
  const StepTable table = table_of(step);
  const Vec x = unknown_of(table, after), x_dot = unknown_of(table, rate_after);
  VecHandle x_bar = zeros_like(x), x_bar_dot = zeros_like(x);
  History earlier = step_.create_history(), earlier_dot = step_.create_history();
  Controls unwanted(pass.direction.size());
  step_.set_step(table, before.fields);
  step_.advance_vjp(point(x), pass.history_bar, x_bar, earlier, unwanted);
  step_.advance_vjp(point(x), pass.history_bar_dot, x_bar_dot, earlier_dot, unwanted);
  observe_at(step, before, after, [&](int mark, const EvaluationPoint& u) {
    if (pass.reads[mark].empty()) return;
    const ObservedBar first(x), second(x);
    add_seeds_and_rates(pass.reads[mark], pass.seeds_dot, mark, u, step_.observed_direction(x_dot, rate_before.fields), pass.direction, first.bar, nullptr,
                        second.bar, pass.d_bar_dot);
    step_.observed_transposed(first.bar, x_bar, earlier);
    step_.observed_transposed(second.bar, x_bar_dot, earlier_dot);
  });
  pass.history_bar = std::move(earlier);
  pass.history_bar_dot = std::move(earlier_dot);
  double size = 0, size_dot = 0;
  check(VecNorm(x_bar, NORM_INFINITY, &size));
  check(VecNorm(x_bar_dot, NORM_INFINITY, &size_dot));
  if (size == 0 && size_dot == 0) return;
  Linearization linear = linearized(number, x);
  VecHandle mu = zeros_like(x), mu_dot = zeros_like(x);
  pass.last = negative_multiplier(linear, x, x_bar, mu);
  if (!pass.last.converged) return;
  step_.full_vjp(point(x), mu, nullptr, pass.history_bar, unwanted);
  step_.full_vjp_tangent(point(x), mu, x_dot, rate_before.fields, nullptr, pass.direction, x_bar_dot, nullptr, nullptr);
  pass.last = negative_multiplier(linear, x, x_bar_dot, mu_dot);
  if (!pass.last.converged) return;
  step_.full_vjp_tangent(point(x), mu, x_dot, rate_before.fields, mu_dot, pass.direction, nullptr, &pass.history_bar_dot, &pass.d_bar_dot);
}

SolveReport TransientCase::hessian_action(const Controls& direction, Controls& d_bar_dot) {
  if (!why_no_second_derivatives().empty()) return without_second_derivatives();
  const KeepFactorsScope kept_factors(*solver_, options_.factor_interval > 1 || shelf_.size() > 0);
  derivative_pace_ = {};
  SecondOrder pass{direction, d_bar_dot, sensitivities(), {}, {}, step_.create_history(), step_.create_history(), {}};
  pass.last.converged = true;
  for (const ProcessTerm& term : terms_) pass.sums_dot.emplace_back(term.couples_steps() ? term.steps.size() : 0, 0.0);

  // Forward: rates, kept at the beginning of blocks, with states unless all states are kept.
  MarchState rate = initial_rate(direction, pass.last), state = copy(end_);
  if (!pass.last.converged) return pass.last;
  const std::size_t fields = rate.fields.size();
  const bool with_states = schedule_ != nullptr;
  const auto both_of = [&](const MarchState& s, const MarchState& r) { return joined(with_states ? &s : nullptr, r); };
  const auto state_of = [&](const MarchState& both) { return with_states ? state_in(both, fields) : copy(end_); };
  if (with_states) state = initial_state();
  const int blocks = static_cast<int>(blocks_.size());
  MarchState begin = both_of(state, rate);
  Trajectory kept(residual_->comm(), room_for_rates());
  const int slots = std::min(kept.slots(begin), blocks);
  if (slots < 1) throw StorageError("the memory for the trajectory leaves none for the rates that second derivatives need");
  const std::unique_ptr<CheckpointSchedule> schedule = binomial_schedule(blocks, slots);
  for (int b = 1; b <= blocks; ++b) {
    std::vector<MarchState> states = states_of(b, state);
    begin = both_of(states.front(), rate);
    record(*schedule, kept, b - 1, begin);
    std::vector<MarchState> rates = rates_of(b, states, rate, nullptr, pass);
    if (!pass.last.converged) return pass.last;
    state = std::move(states.back());
    rate = std::move(rates.back());
  }
  for (std::size_t i = 0; i < terms_.size(); ++i)
    pass.seeds_dot.push_back(terms_[i].couples_steps() ? seed_rates(terms_[i], pass.sums_dot[i]) : std::vector<double>());

  // Backwards.
  MarchState end = both_of(state, rate);
  reverse_sweep(
      *schedule, kept, blocks, begin, end,
      [&](int b, MarchState& both) {
        if (!pass.last.converged) return;
        std::vector<MarchState> states = states_of(b, state_of(both));
        std::vector<MarchState> rates = rates_of(b, states, rate_in(both, fields), nullptr, pass);
        both = both_of(states.back(), rates.back());
      },
      [&](int b, const MarchState& from, const MarchState& to) {
        if (!pass.last.converged) return;
        const MarchState last_state = state_of(to), last_rate = rate_in(to, fields);
        const std::vector<MarchState> states = states_of(b, state_of(from), &last_state);
        const std::vector<MarchState> rates = rates_of(b, states, rate_in(from, fields), &last_rate, pass);
        on_own_factors_ = false;
        for (int number = last_of(b); number >= first_of(b) && pass.last.converged; --number) {
          const int i = number - first_of(b);
          reverse_second_order(number, states[i], states[i + 1], rates[i], rates[i + 1], pass);
        }
      });
  if (!pass.last.converged) return pass.last;
  for (int i = 0; i < scheme_.history_size(); ++i)
    if (const auto& level = scheme_.initial()[i]; level && evolution_) {
      step_.clear_potentials(pass.history_bar[i]);
      step_.clear_potentials(pass.history_bar_dot[i]);
      const SolveReport start = evolution_->initial_vjp_tangent(*level, beginning(), pass.history_bar[i], direction, pass.history_bar_dot[i], d_bar_dot);
      if (!start.converged) return start;
    }
  return pass.last;
}

}  // namespace invar
