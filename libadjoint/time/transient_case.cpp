#include "libadjoint/time/transient_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "libadjoint/solve/residual_system.hpp"
#include "libadjoint/time/storage_error.hpp"

namespace invar {
namespace {

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

}  // namespace

TransientCase::TransientCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver,
                             TimeScheme scheme, std::vector<double> times, MarchOptions options)
    : Case(std::move(name), std::move(residual), std::move(times)), solver_(std::move(solver)),
      scheme_(std::move(scheme)), options_(std::move(options)), step_(*residual_) {
  if (times_.size() < 2 || !std::is_sorted(times_.begin(), times_.end(), std::less_equal<>()))
    throw std::invalid_argument("a march needs two or more ascending times");
  if (scheme_.needs_start() && !residual_->algebraic_unknowns().empty())
    throw std::invalid_argument("this scheme needs the initial acceleration, which unknowns without a rate do not have");
  if (auto blocks = residual_->saddle_point()) solver_->set_saddle_point(std::move(blocks));
  if (residual_->near_null_space()) solver_->set_near_null_space(residual_->near_null_space());
}

std::vector<double> TransientCase::step_lengths() const {
  std::vector<double> lengths;
  for (const Step& s : steps_)
    if (!s.starts && s.stage == 0) lengths.push_back(s.length);
  return lengths;
}

StepTable TransientCase::table_of(const Step& step) const {
  return step.starts ? scheme_.start(step.begin) : scheme_.step(step.begin, step.length, step.before, step.stage);
}

StepTable TransientCase::initial_table() const {
  StepTable table;
  table.time = table.end = times_.front();
  table.observed[Level::value].history = {1};
  for (int i = 0; i < scheme_.history_size() && scheme_.order() == 2; ++i)
    if (scheme_.initial()[i] == Level::rate) {
      table.observed[Level::rate].history.assign(i + 1, 0.0);
      table.observed[Level::rate].history[i] = 1;
      break;
    }
  return table;
}

// ---- forward ----------------------------------------------------------------------------------

// Fields: the history, and what was solved for where the history does not hold it. Numbers: the largest load.
MarchState TransientCase::initial_state() {
  residual_->set_time(times_.front());
  MarchState s;
  for (const auto& level : scheme_.initial()) {
    s.fields.push_back(residual_->create_vector());
    if (level) residual_->initial(*level, s.fields.back());
  }
  if (scheme_.stages() > 1) s.fields.push_back(residual_->create_vector());
  s.numbers = {0.0};
  return s;
}

Vec TransientCase::unknown_of(const StepTable& table, const MarchState& after) const {
  if (scheme_.stages() > 1) return after.fields.back();
  const StepRow pure{1, {}};
  for (std::size_t i = 0; i < table.history.size(); ++i)
    if (table.history[i] == pure) return after.fields[i];
  throw std::logic_error("a scheme whose history does not hold its unknown");
}

/// Step `number` (1, 2, …) from state to state; the same bits for the same state. One that fails leaves the
/// state as it was.
NewtonReport TransientCase::solve(const Step& step, int number, MarchState& state) {
  const StepTable table = table_of(step);
  step_.set_step(table, state.fields);
  VecHandle x = residual_->create_vector();
  if (!table.starts) {
    step_.combine(table.equation[Level::predicted], true, nullptr, state.fields, x);
    if (const std::vector<char> algebraic = residual_->algebraic_unknowns(); !algebraic.empty()) {
      double* a = nullptr;
      const double* before = nullptr;
      check(VecGetArray(x, &a));
      check(VecGetArrayRead(state.fields[0], &before));
      for (std::size_t i = 0; i < algebraic.size(); ++i)
        if (algebraic[i]) a[i] = before[i];
      check(VecRestoreArrayRead(state.fields[0], &before));
      check(VecRestoreArray(x, &a));
    }
  }
  step_.impose_constraints(x);
  if ((number - 1) % options_.factor_interval == 0) solver_->invalidate();
  const bool kept = solver_->options().keep_factors;
  solver_->set_keep_factors(true);
  ResidualSystem system(step_);
  VecHandle r = residual_->create_vector();
  double force = state.numbers[0], size = 0;
  NewtonReport newton;
  if (!system.residual(x, r) && !table.starts) {  // the guess: the state before is admissible
    check(VecCopy(state.fields[0], x));
    step_.impose_constraints(x);
  }
  if (system.residual(x, r)) {
    check(VecNorm(r, NORM_2, &size));
    force = std::max(force, size);
    Newton method(*solver_, residual_->matrix(), options_.newton);
    newton = method.solve(system, x, force);
  } else {
    newton.reason = "the state at the start of the step is inadmissible (an inverted element, or a load that is not a number)";
  }
  solver_->set_keep_factors(kept);
  if (!newton.converged) return newton;
  MarchState next = copy(state);
  History history(std::make_move_iterator(next.fields.begin()),
                  std::make_move_iterator(next.fields.begin() + scheme_.history_size()));
  step_.advance(x, state.fields, history);
  std::move(history.begin(), history.end(), next.fields.begin());
  if (scheme_.stages() > 1) check(VecCopy(x, next.fields.back()));
  next.numbers[0] = force;
  state = std::move(next);
  return newton;
}

void TransientCase::retake(int number, MarchState& state) {
  const NewtonReport newton = solve(steps_[number - 1], number, state);
  if (!newton.converged)
    throw std::logic_error("a step that succeeded in the march failed when it was taken again: " + newton.reason);
}

/// Change of the value against its extrapolation by the rate before, relative to its size: of second order in
/// the step's length.
double TransientCase::local_error(const MarchState& before, const MarchState& after) const {
  const StepTable table = table_of(steps_.back());
  VecHandle guess = residual_->create_vector();
  step_.combine(table.equation[Level::predicted], true, nullptr, before.fields, guess);
  check(VecAXPY(guess, -1.0, after.fields[0]));
  for (const std::vector<char> algebraic = residual_->algebraic_unknowns(); !algebraic.empty();) {
    double* a = nullptr;
    check(VecGetArray(guess, &a));
    for (std::size_t i = 0; i < algebraic.size(); ++i)
      if (algebraic[i]) a[i] = 0;
    check(VecRestoreArray(guess, &a));
    break;
  }
  double error = 0, size = 0;
  check(VecNorm(guess, NORM_2, &error));
  check(VecNorm(after.fields[0], NORM_2, &size));
  return size > 0 ? 0.5 * error / size : 0.0;
}

void TransientCase::record_observations(int mark, const State& u) {
  const auto record = [&](const std::shared_ptr<Observable>& observable) {
    std::vector<double>& y = observations_[{observable.get(), mark}];
    if (!y.empty()) return;
    y.resize(observable->size());
    observable->evaluate(u, y.data());
  };
  const auto names = [mark](const std::vector<int>& steps) { return std::find(steps.begin(), steps.end(), mark) != steps.end(); };
  for (const DataSet& set : data_)
    if (names(set.steps)) record(set.observable);
  for (const ProcessTerm& term : terms_)
    if (names(term.steps)) record(term.observable);
  for (const auto& observable : watched_) record(observable);
}

/// Calls use(mark, state) where the step ends at one of the times, which the residual is set to.
void TransientCase::observe_at(const Step& step, const MarchState& before, const MarchState& after,
                               const std::function<void(int mark, const State& u)>& use) {
  if (step.mark < 0) return;
  const StepTable table = table_of(step);
  step_.set_step(table, before.fields);
  residual_->set_time(table.end);
  use(step.mark, step_.observed(unknown_of(table, after), before.fields));
}

void TransientCase::observe(int mark, Observable& observable, double* y) {
  const auto at = observations_.find({&observable, mark});
  if (at == observations_.end()) throw std::logic_error("an observable that was not told of before the march");
  std::copy(at->second.begin(), at->second.end(), y);
}

/// Steps up to times()[mark], halved where they fail, shortened where they are not accurate enough.
bool TransientCase::advance_to(int mark, MarchState& state, ProcessReport& report) {
  const double begin = times_[mark - 1], end = times_[mark];
  double t = begin, length = options_.tolerance > 0 && tried_length_ > 0 ? std::min(tried_length_, end - begin) : end - begin;
  int cuts = 0;
  while (t < end) {
    if (t + length * (1 + 1e-9) >= end) length = end - t;
    const bool ends = t + length >= end;
    double before = 0;
    if (!steps_.empty() && !steps_.back().starts) before = steps_.back().length;
    const MarchState start = copy(state);
    const std::size_t taken = steps_.size();
    bool ok = true;
    for (int stage = 0; stage < scheme_.stages() && ok; ++stage) {
      const bool last = stage + 1 == scheme_.stages();
      const MarchState from = copy(state);
      steps_.push_back({t, length, before, stage, last && ends ? mark : -1, false});
      const int number = static_cast<int>(steps_.size());
      begin_step(number - 1, state);
      const NewtonReport newton = solve(steps_.back(), number, state);
      report_.newton_iterations += newton.iterations;
      report.linear_iterations += newton.linear_iterations;
      ok = newton.converged;
      if (!ok) report.reason = newton.reason;
      else if (!schedule_) trajectory_->put(number, state);
      if (ok && last) {
        double error = 0;
        if (options_.tolerance > 0 && (error = local_error(from, state) / options_.tolerance) > 2) {
          report.reason = "the error of a step stays above the tolerance";
          ok = false;
        } else {
          observe_at(steps_.back(), from, state, [&](int m, const State& u) { record_observations(m, u); });
          if (options_.tolerance > 0)
            tried_length_ = length * std::clamp(0.9 / std::sqrt(std::max(error, 1e-10)), 0.3, 2.0);
        }
      }
    }
    if (ok) {
      t = ends ? end : t + length;
      if (options_.tolerance > 0) length = tried_length_;
      continue;
    }
    steps_.resize(taken);
    copy(start, state);
    ++report_.rejected;
    ++report.cuts;
    if (++cuts > options_.max_cuts) return false;
    length *= 0.5;
    tried_length_ = length;
  }
  return true;
}

/// Before the step from S_n: keeps it if it begins a block that the schedule wants.
void TransientCase::begin_step(int n, const MarchState& state) {
  if (!schedule_ || n % options_.factor_interval != 0 || n / options_.factor_interval != next_block_) return;
  record(*schedule_, *trajectory_, next_block_++, state);
  copy(state, block_begin_);
}

void TransientCase::begin_keeping(const MarchState& like) {
  trajectory_ = std::make_unique<Trajectory>(residual_->comm(), options_.storage);
  const long expected = static_cast<long>(times_.size() - 1) * scheme_.stages() + scheme_.needs_start();
  report_.slots = trajectory_->slots(like);
  report_.keeps_all = report_.slots > expected;
  schedule_.reset();
  next_block_ = 0;
  block_begin_ = copy(like);
  if (report_.keeps_all) {
    trajectory_->put(0, like);
    return;
  }
  if (report_.slots < 1) throw StorageError("the memory for the trajectory does not hold a single state");
  const int block = options_.factor_interval;
  schedule_ = options_.tolerance > 0
                  ? online_schedule(report_.slots)
                  : binomial_schedule(static_cast<int>((expected + block - 1) / block), report_.slots);
}

ProcessReport TransientCase::run(const Controls& d, Controls* d_bar) {
  residual_->set_controls(d);
  ProcessReport report;
  report_ = {};
  steps_.clear();
  observations_.clear();
  tried_length_ = 0;
  sweepable_ = false;
  MarchState state = initial_state();
  begin_keeping(state);
  if (!begin_march(state, report)) return report;
  for (std::size_t mark = 1; mark < times_.size(); ++mark) {
    if (!advance_to(static_cast<int>(mark), state, report)) {
      report.reason = "step to t = " + short_number(times_[mark]) + " s (halved " + std::to_string(options_.max_cuts) +
                      " times): " + report.reason;
      return report;
    }
    if (on_step) on_step(static_cast<int>(mark), {});
  }
  end_ = std::move(state);
  sweepable_ = true;
  report_.steps = static_cast<int>(steps_.size());
  report.newton_iterations = static_cast<int>(report_.newton_iterations);
  report.ok = true;
  if (d_bar)
    if (const SolveReport adjoint = gradient(*d_bar); !adjoint.converged) {
      report.ok = false;
      report.reason = "adjoint: " + adjoint.reason;
    }
  return report;
}

/// The initial acceleration where the scheme needs one, and what is observed at the start.
bool TransientCase::begin_march(MarchState& state, ProcessReport& report) {
  const auto record = [&](int mark, const State& u) { record_observations(mark, u); };
  if (!scheme_.needs_start()) {
    observe_initial(state, record);
    return true;
  }
  const MarchState from = copy(state);
  begin_step(0, state);
  steps_.push_back({times_.front(), 0, 0, 0, 0, true});
  const NewtonReport newton = solve(steps_.back(), 1, state);
  if (!newton.converged) {
    report.reason = "the initial acceleration: " + newton.reason;
    return false;
  }
  if (!schedule_) trajectory_->put(1, state);
  observe_at(steps_.back(), from, state, record);
  return true;
}

/// The initial state as observers see it, where no first solve ends there.
void TransientCase::observe_initial(const MarchState& initial, const std::function<void(int mark, const State& u)>& use) {
  step_.set_step(initial_table(), initial.fields);
  use(0, step_.observed(nullptr, initial.fields));
}

void TransientCase::march_through(const StepVisit& visit) {
  MarchState before = initial_state(), after = copy(before);
  for (int number = 1; number <= static_cast<int>(steps_.size()); ++number) {
    if (schedule_) retake(number, after);
    else trajectory_->get(number, after);
    visit(number, before, after);
    copy(after, before);
  }
}

void TransientCase::visit_states(const std::function<void(int step, const State& u)>& visit) {
  if (!scheme_.needs_start()) observe_initial(initial_state(), visit);
  march_through([&](int number, const MarchState& before, const MarchState& after) {
    observe_at(steps_[number - 1], before, after, visit);
  });
}

}  // namespace invar
