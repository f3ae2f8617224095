#include "libadjoint/time/transient_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libadjoint/processor_seconds.hpp"
#include "libadjoint/residual_system.hpp"
#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/time/storage_error.hpp"

namespace invar {

TransientCase::TransientCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                             TimeScheme scheme, std::vector<double> times, MarchOptions options)
    : Case(std::move(name), std::move(residual), std::move(times)), solver_(std::move(solver)),
      scheme_(std::move(scheme)), options_(std::move(options)), lengths_(lengths_between(times_)), step_(*residual_, scheme_.history_size(), scheme_.differences_motion()),
      evolution_(options_.start ? options_.start.get() : residual_->capabilities().evolution), shelf_(residual_->comm()) {
  if (times_.size() < 2 || !std::is_sorted(times_.begin(), times_.end(), std::less_equal<>()))
    throw std::invalid_argument("a time integration needs two or more ascending times");
  if (options_.factor_interval < 1 || options_.max_cuts < 0 || options_.horizon < 0 || !(options_.tolerance >= 0))
    throw std::invalid_argument("the number of steps per factorisation must be positive; the number of halvings, the tolerance and the horizon must not be negative");
  const std::vector<char> kinds = residual_->algebraic_unknowns();
  const auto any = [&](UnknownKind kind) { return static_cast<int>(std::ranges::count(kinds, static_cast<char>(kind)) > 0); };
  std::vector<int> without_rate;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i]) without_rate.push_back(static_cast<int>(i));
  without_rate_ = RowSet(std::move(without_rate));
  int has[2] = {any(UnknownKind::algebraic), any(UnknownKind::potential)};
  MPI_Allreduce(MPI_IN_PLACE, has, 2, MPI_INT, MPI_MAX, residual_->comm());
  if (scheme_.corrects_pressure() != (has[1] > 0))
    throw std::invalid_argument("pressure_correction needs equations of flow written for it, which no other scheme can use");
  if (scheme_.needs_start() && has[0])
    throw std::invalid_argument("this scheme needs the initial acceleration, which unknowns without a rate do not have");
  if (step_.has_memory() && !scheme_.balances_at_end())
    throw std::invalid_argument("an equation with history variables needs a scheme that satisfies the equations at the end of each step: backward_euler, bdf2 or newmark");
  describe_matrix_to(*solver_);
}

std::vector<double> TransientCase::step_lengths() const {
  std::vector<double> lengths;
  for (const Step& s : steps_)
    if (!s.starts && s.stage == 0) lengths.push_back(s.length);
  return lengths;
}

/// The distinct lengths between the given times; lengths that differ by round-off of the times are merged.
std::vector<double> TransientCase::lengths_between(const std::vector<double>& times) {
  std::vector<double> lengths;
  for (std::size_t k = 1; k < times.size(); ++k)
    if (const double h = times[k] - times[k - 1]; known_length(lengths, h, times) == nullptr)
      lengths.insert(std::ranges::lower_bound(lengths, h), h);
  return lengths;
}

const double* TransientCase::known_length(const std::vector<double>& lengths, double h, const std::vector<double>& times) {
  const double round_off = 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(times.front()), std::abs(times.back()));
  const auto at = std::ranges::lower_bound(lengths, h - round_off);
  return at != lengths.end() && *at <= h + round_off ? &*at : nullptr;
}

// Steps of equal length get bitwise equal tables, so that results computed from them can be reused.
StepTable TransientCase::table_of(const Step& step) const {
  if (step.starts) return scheme_.start(step.begin, first_length());
  const auto settled = [&](double h) {
    const double* known = known_length(lengths_, h, times_);
    return known ? *known : h;
  };
  return scheme_.step(step.begin, settled(step.length), settled(step.before), step.stage, settled(step.earlier));
}

/// Positions in `times` that are observed with a step: its end, and the initial state with the first solve.
std::vector<int> TransientCase::observed_with(const Step& step) const {
  std::vector<int> marks;
  if (step.begin == times_.front() && step.stage == 0 && !step.starts && !scheme_.needs_start()) marks.push_back(0);
  if (step.mark >= 0) marks.push_back(step.mark);
  return marks;
}

// ---- forward ----------------------------------------------------------------------------------

Setting TransientCase::beginning() const {
  Setting begin = given_.at(times_.front());
  begin.step_length = first_length();
  return begin;
}

// Fields: the history, and the unknown if the history does not contain it. Numbers: the largest load.
MarchState TransientCase::initial_state() {
  MarchState s;
  s.fields = step_.create_history();
  start_report_ = {};
  start_report_.converged = true;
  for (int i = 0; i < scheme_.history_size(); ++i)
    if (const auto& level = scheme_.initial()[i]; level && evolution_ && start_report_.converged) {
      start_report_ = evolution_->initial(*level, beginning(), s.fields[i]);
      step_.clear_potentials(s.fields[i]);
    }
  if (start_memory_ && step_.has_memory()) check(VecCopy(start_memory_, s.fields[scheme_.history_size()]));
  if (scheme_.stages() > 1) s.fields.push_back(residual_->create_vector());
  s.numbers = {evolution_ ? evolution_->initial_force() : 0.0};
  return s;
}

std::vector<SolutionExtrapolation> TransientCase::forecasts() const {
  std::vector<SolutionExtrapolation> of_stages;
  for (int stage = 0; stage < scheme_.stages(); ++stage) of_stages.emplace_back(residual_->comm(), residual_->algebraic_unknowns());
  return of_stages;
}

/// Block solves set up their factors in every solve, so keeping them has no benefit; divisions need none.
double TransientCase::making() const {
  if (residual_->matrix_hints().triangular_blocks || solver_->divides()) return std::numeric_limits<double>::infinity();
  return options_.making > 0 ? options_.making : solver_->factors_in_iterations();
}

Vec TransientCase::unknown_of(const StepTable& table, const MarchState& after) const {
  if (scheme_.stages() > 1) return after.fields.back();
  const StepRow pure{1, {}};
  for (std::size_t i = 0; i < table.history.size(); ++i)
    if (table.history[i] == pure) return after.fields[i];
  throw std::logic_error("a scheme whose history does not contain its unknown");
}

void TransientCase::retake(int number, MarchState& state) {
  const NewtonReport newton = solve(steps_[number - 1], state);
  if (!newton.converged)
    throw std::logic_error("a step that succeeded in the forward sweep failed when it was recomputed: " + newton.reason);
}

void TransientCase::record_observations(int mark, const EvaluationPoint& u) {
  const auto record = [&](Observable* observable) {
    std::vector<double>& y = observations_[{observable, mark}];
    if (!y.empty()) return;
    y.resize(observable->size());
    observable->evaluate(u, y.data());
  };
  for (Observable* observable : read_at_[mark]) record(observable);
  for (const auto& observable : watched_) record(observable.get());
}

/// Calls use(mark, state) for the times that are observed with the step, which is set again at the end.
void TransientCase::observe_at(const Step& step, const MarchState& before, const MarchState& after,
                               const MarkVisit& use) {
  const StepTable table = table_of(step);
  for (const int mark : observed_with(step)) {
    const bool ends = mark == step.mark;
    step_.set_step(ends ? table : scheme_.beginning(step.begin, table), before.fields);
    EvaluationPoint seen = step_.observed(point(unknown_of(table, after)), before.fields);
    if (!ends) seen.unknown = nullptr;  // constraints of the step hold at its end
    use(mark, seen);
  }
  step_.set_step(table, before.fields);
}

void TransientCase::observe(int mark, Observable& observable, double* y) {
  const auto at = observations_.find({&observable, mark});
  if (at == observations_.end()) throw std::logic_error("an observable that was not registered before the forward sweep");
  std::copy(at->second.begin(), at->second.end(), y);
}

// ---- states kept for the reverse sweep ------------------------------------------------------------

/// Keeps the state after step `number`. If there are more steps than the storage allows, nothing is kept: the sweep then repeats the march
/// with a schedule for their number.
void TransientCase::keep_step(int number, const MarchState& before, const MarchState& after) {
  if (!schedule_) {
    if (number >= expected_solves()) shelf_.set_room(room_for_factors(number + 1L, after));
    if (number < report_.slots) trajectory_->put(number, after);
    else report_.keeps_all = false;
  } else if (begins_block(number)) {
    record(*schedule_, *trajectory_, next_block_++, before);
    copy(before, block_begin_);
  }
}

/// Memory left by this number of states, if memory is limited.
std::size_t TransientCase::room_for_factors(long states, const MarchState& like) const {
  const std::size_t memory = options_.storage.ram_bytes, taken = static_cast<std::size_t>(states) * trajectory_->bytes(like);
  return memory == Trajectory::Options().ram_bytes || memory < taken ? 0 : memory - taken;
}

/// Keeps the factors of the present block, after its last step.
void TransientCase::keep_factors() {
  if (!schedule_ && !blocks_.empty() && !begins_with_factors(steps_.back())) shelf_.put(static_cast<int>(blocks_.size()), *solver_);
}

/// Keeps the factors of a step's initial state for the step before, which ended there. The step goes on with them.
void TransientCase::keep_factors_of_start() {
  if (schedule_ || steps_.size() < 2 || steps_[steps_.size() - 2].starts) return;
  const int block = static_cast<int>(blocks_.size()) - 1;
  if (shelf_.put(block, *solver_)) solver_->attach_factors(*shelf_.of(block));
}

int TransientCase::last_of(int block) const {
  return block < static_cast<int>(blocks_.size()) ? blocks_[block] - 1 : static_cast<int>(steps_.size());
}

/// Before a march: with unknown length the first time, with the known number of steps in a repetition.
void TransientCase::begin_keeping(const MarchState& like) {
  trajectory_ = std::make_unique<Trajectory>(residual_->comm(), options_.storage);
  shelf_.drop_after(0);
  const bool known = !steps_.empty();
  const long expected = known ? static_cast<long>(steps_.size()) : expected_solves();
  report_.slots = trajectory_->slots(like);
  report_.keeps_all = report_.slots > expected;
  schedule_.reset();
  next_block_ = 0;
  block_begin_ = copy(like);
  if (report_.keeps_all) {
    trajectory_->put(0, like);
    shelf_.set_room(room_for_factors(expected + 1, like));
    return;
  }
  shelf_.set_room(0);
  if (report_.slots < 1) throw StorageError("the memory for the trajectory does not hold a single state");
  const long most = options_.factor_interval, blocks = known ? static_cast<long>(blocks_.size()) : (expected + most - 1) / most;
  schedule_ = (options_.tolerance > 0 || options_.by_work) && !known ? online_schedule(report_.slots)
                                                                     : binomial_schedule(static_cast<int>(blocks), report_.slots);
}

std::vector<int> TransientCase::states_at_hand() const {
  if (sweepable_) return first_steps(times_.size());
  if (stopped_at_ < 0) return {};
  if (!schedule_ && report_.keeps_all) return first_steps(stopped_at_ + 1);
  return around_last_ ? std::vector<int>{stopped_at_} : std::vector<int>();
}

// ---- the march ------------------------------------------------------------------------------------

ProcessReport TransientCase::run(const Controls& d, std::span<const Seed> seeds) {
  const double begun = processor_seconds();
  given_.controls = std::make_shared<const Controls>(d);
  ProcessReport report;
  report_ = {};
  steps_.clear();
  blocks_.clear();
  forecasts_ = forecasts();
  pace_ = {};
  observations_.clear();
  read_at_ = observables();
  tried_length_ = largest_ = earlier_length_ = 0;
  sweepable_ = refactor_ = false;
  unsolved_.reset();
  stopped_at_ = -1;
  around_last_.reset();
  MarchState state = initial_state();
  if (!start_report_.converged) {
    report.reason = "the initial state: " + start_report_.reason;
    return report;
  }
  report.reason = begin_from({State(state.fields[0]), beginning()});
  if (!report.reason.empty()) return report;
  begin_keeping(state);
  if (scheme_.is_explicit()) report.reason = unstable_at(times_.front(), lengths_.back(), state);
  if (!report.reason.empty() || !begin_march(state, report)) return report;
  for (std::size_t mark = 1; mark < times_.size(); ++mark) {
    const int to = static_cast<int>(mark);
    if (!(held_.empty() ? advance_to(to, state, report) : repeat_to(to, state, report))) {
      if (solver_->stop_asked()) {
        stopped_at_ = to > 1 || scheme_.needs_start() ? to - 1 : -1;  // the initial state is observed with the first step
        end_ = std::move(state);
      }
      report.reason = "step to t = " + plain_number(times_[mark]) + " s (shortened " +
                      std::to_string(report_.rejected) + " times): " + report.reason;
      if (!scheme_.is_explicit() || solver_->stop_asked()) return report;
      if (const std::string why = unstable_at(times_[mark - 1], times_[mark] - times_[mark - 1], state); !why.empty()) report.reason += "; " + why;
      return report;
    }
    if (on_step) on_step(static_cast<int>(mark), newton_);
  }
  keep_factors();
  report_.kept_factors = shelf_.size();
  report_.factor_bytes = shelf_.bytes();
  report_.steps = static_cast<int>(steps_.size());
  sweepable_ = schedule_ || report_.keeps_all;
  if (!sweepable_) begin_keeping(state);  // more steps than expected
  end_ = std::move(state);
  report_.march_seconds = processor_seconds() - begun;
  finish_run(report, seeds);
  return report;
}

bool TransientCase::compare_values(bool on) {
  options_.newton.to_floor = on;
  held_.clear();
  if (!on || report_.steps == 0) return true;
  int mark = 1;
  for (const Step& step : steps_) {
    if (step.starts || step.stage + 1 < scheme_.stages()) continue;
    held_.push_back(step);
    held_.back().to = mark;
    if (step.mark >= 0) mark = step.mark + 1;
  }
  return true;
}

/// States before the first step of a block and after each of its steps. Where states are not kept, they are recomputed from `begin`, the last
/// one only if `end` is not given.
std::vector<MarchState> TransientCase::states_of(int block, const MarchState& begin, const MarchState* end) {
  std::vector<MarchState> states;
  if (!schedule_) {
    for (int number = first_of(block) - 1; number <= last_of(block); ++number) trajectory_->get(number, states.emplace_back(copy(begin)));
    return states;
  }
  states.push_back(copy(begin));
  for (int number = first_of(block); number <= last_of(block); ++number) {
    if (end && number == last_of(block)) {
      states.push_back(copy(*end));
      break;
    }
    states.push_back(copy(states.back()));
    retake(number, states.back());
  }
  return states;
}

// Whole blocks are recomputed before they are visited, because visits may change the factors.
void TransientCase::march_through(const StepVisit& visit) {
  MarchState begin = initial_state();
  const int n_steps = static_cast<int>(steps_.size());
  if (!schedule_) {
    MarchState before = std::move(begin), after = copy(before);
    for (int number = 1; number <= n_steps; ++number) {
      trajectory_->get(number, after);
      visit(number, before, after);
      std::swap(before, after);
    }
    return;
  }
  for (int block = 1; block <= static_cast<int>(blocks_.size()); ++block) {
    std::vector<MarchState> states = states_of(block, begin);
    for (int number = first_of(block); number <= last_of(block); ++number) {
      const int i = number - first_of(block);
      visit(number, states[i], states[i + 1]);
    }
    begin = std::move(states.back());
  }
}

void TransientCase::visit_states(const std::function<void(int step, const EvaluationPoint& u)>& shown) {
  const auto visit = [&](int step, const EvaluationPoint& q) { show(q, [&](const EvaluationPoint& u) { shown(step, u); }); };
  march_through([&](int number, const MarchState& before, const MarchState& after) {
    observe_at(steps_[number - 1], before, after, visit);
  });
}

void TransientCase::with_state(int mark, const std::function<void(const EvaluationPoint& u)>& use) {
  const auto wanted = [&](int at, const EvaluationPoint& u) {
    if (at == mark) show(u, use);
  };
  if (mark == stopped_at_ && around_last_) {
    for (const Step& step : steps_)
      if (step.mark == mark) observe_at(step, around_last_->front(), around_last_->back(), wanted);
    return;
  }
  if (schedule_) {  // the states must be recomputed
    visit_states([&](int at, const EvaluationPoint& u) {
      if (at == mark) use(u);
    });
    return;
  }
  for (std::size_t number = 1; number <= steps_.size(); ++number) {
    if (std::ranges::count(observed_with(steps_[number - 1]), mark) == 0) continue;
    MarchState before = copy(end_), after = copy(end_);
    trajectory_->get(static_cast<int>(number) - 1, before);
    trajectory_->get(static_cast<int>(number), after);
    observe_at(steps_[number - 1], before, after, wanted);
  }
}

}  // namespace invar
