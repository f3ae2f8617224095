// Time stepping: one step with all its stages; all steps to the next given time.
#include <algorithm>
#include <cmath>
#include <optional>

#include "libadjoint/solve/scientific.hpp"
#include "libadjoint/time/transient_case.hpp"

namespace invar {

void TransientCase::count(const NewtonReport& newton, ProcessReport& report) {
  report_.newton_iterations += newton.iterations;
  report_.linear_solves += newton.iterations;
  report.newton_iterations += newton.iterations;
  report.linear_iterations += newton.linear_iterations;
  if (!newton.converged) report.reason = newton.reason;
  newton_ = newton;
}

/// ‖v‖ over the unknowns with rates.
double TransientCase::size_of(Vec v) const {
  double sum = without_rate_.squares_of_others(v);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
  return std::sqrt(sum);
}

/// ½ h² ‖ü‖ from the last three values, relative to the largest state so far, also for rejected steps; initially from two values and the
/// initial rate, or the whole change if that is unknown.
double TransientCase::local_error(Vec before, Vec after, double length) {
  VecHandle bend = zeros_like(after);
  check(VecWAXPY(bend, -1.0, before, after));
  double scale = 0.5;
  if (earlier_length_ > 0) {
    const double w = length / earlier_length_;
    check(VecAXPY(bend, -w, before));
    check(VecAXPY(bend, w, earlier_));
    scale = length / (length + earlier_length_);
  } else if (scheme_.order() == 2) {
    VecHandle rate = residual_->create_vector();
    if (evolution_) evolution_->initial(Level::rate, beginning(), rate);
    check(VecAXPY(bend, -length, rate));
    scale = 1;
  }
  largest_ = std::max({largest_, size_of(before), size_of(after)});
  return largest_ > 0 ? scale * size_of(bend) / largest_ : 0.0;
}

void TransientCase::report_step(double begin, double length, const std::string& what, const std::string& why) {
  if (SolveMonitor* monitor = solver_->monitor())
    monitor->stage("case " + name_ + ": the step of " + plain_number(length) + " s from t = " + plain_number(begin) + " " + what + ": " + why);
}

bool TransientCase::asks_for_block(const Step& next) const {
  if (blocks_.empty()) return true;
  const int length = static_cast<int>(steps_.size()) - blocks_.back() + 1;
  return length >= options_.factor_interval || (options_.by_work && next.stage == 0 && (steps_.back().starts || pace_.worn()));
}

/// Before a step: decides whether it gets its own factors, and whether a block begins with it.
void TransientCase::begin_step(Step& step) {
  const bool begins = asks_for_block(step);
  if (begins) keep_factors();
  step.fresh = begins || std::exchange(refactor_, false);
  steps_.push_back(step);
  if (begins) blocks_.push_back(static_cast<int>(steps_.size()));
}

/// Removes all steps after the first `taken`: they were tried in vain.
void TransientCase::take_back(std::size_t taken) {
  steps_.resize(taken);
  while (!blocks_.empty() && blocks_.back() > static_cast<int>(taken)) blocks_.pop_back();
  shelf_.drop_after(static_cast<int>(blocks_.size()));
  refactor_ = true;
}

/// Work of the step just solved. Each Newton iteration counts like a Krylov iteration.
void TransientCase::note_work(const NewtonReport& newton, int factorisations_before) {
  const int made = solver_->factorisations() - factorisations_before;
  report_.factorisations += made;
  report_.linear_iterations += newton.linear_iterations;
  if (!options_.by_work) return;
  if (made > 0 || solver_->divides()) pace_.restart(making());
  pace_.add(newton.linear_iterations + newton.iterations);
}

/// One step with all its stages.
TransientCase::Outcome TransientCase::attempt(Step step, MarchState& state, ProcessReport& report) {
  const std::size_t taken = steps_.size();
  const int mark = std::exchange(step.mark, -1), stages = scheme_.stages();
  std::vector<MarchState> states;  // before each stage, and after the last
  states.push_back(copy(state));
  for (step.stage = 0; step.stage < stages; ++step.stage) {
    if (step.stage + 1 == stages) step.mark = mark;
    begin_step(step);
    const int before = solver_->factorisations();
    states.push_back(copy(states.back()));
    count(solve(step, states.back()), report);
    note_work(newton_, before);
    if (newton_.converged && !newton_.detour.empty()) {
      report_.troubles.push_back({step.begin, step.length, false, newton_.detour});
      report_step(step.begin, step.length, "was reached by way of shorter ones", newton_.detour);
    }
    if (newton_.converged) continue;
    take_back(taken);
    return Outcome::failed;
  }
  if (options_.tolerance > 0 && held_.empty()) {
    const Vec before = states.front().fields[0], after = states.back().fields[0];
    excess_ = local_error(before, after, step.length) / options_.tolerance;
    if (!(excess_ <= 2)) {
      report.reason = "the error of a step stays above the tolerance";
      take_back(taken);
      return Outcome::inaccurate;
    }
    earlier_ = zeros_like(before);
    check(VecCopy(before, earlier_));
    earlier_length_ = step.length;
  }
  for (int stage = 0; stage < stages; ++stage) {
    const int number = static_cast<int>(taken) + stage + 1;
    keep_step(number, states[stage], states[stage + 1]);
    observe_at(steps_[number - 1], states[stage], states[stage + 1], [&](int m, const EvaluationPoint& u) { record_observations(m, u); });
  }
  if (steps_.back().mark >= 0 && (schedule_ || !report_.keeps_all)) around_last_ = {std::move(states[stages - 1]), copy(states[stages])};
  state = std::move(states.back());
  return Outcome::taken;
}

/// Advances to times()[mark]; steps are halved if they fail and shortened if they are too inaccurate. After two halves in a row a divided
/// step is as long as before again, so that a short difficulty, such as an impact, does not make all steps to times()[mark] short. Gives up
/// after more than max_cuts failures in a row, when a step would be halved more than 3 max_cuts times, or after 16 max_cuts failures in all.
bool TransientCase::advance_to(int mark, MarchState& state, ProcessReport& report) {
  const bool adapts = options_.tolerance > 0;
  const double begin = times_[mark - 1], end = times_[mark], shortest = 1e-10 * (end - begin);
  double t = begin, length = adapts && tried_length_ > 0 ? tried_length_ : end - begin;
  int failures = 0, failures_in_row = 0, halvings = 0, taken_in_row = 0;
  while (t < end) {
    const double left = end - t, wanted = length;
    if (length * (1 + 1e-9) >= left) length = left;
    else if (adapts && 2 * length > left) length = 0.5 * left;  // two equal steps instead of one and a short rest
    const bool ends = length == left;
    Step step{.begin = t, .length = length, .mark = ends ? mark : -1};
    if (!steps_.empty() && !steps_.back().starts) {
      step.before = steps_.back().length;
      step.earlier = steps_.back().before;
    }
    switch (attempt(step, state, report)) {
      case Outcome::taken: {
        t = ends ? end : t + length;
        if (SolveMonitor* monitor = solver_->monitor())
          monitor->progress("case " + name_ + ", time", (t - times_.front()) / (times_.back() - times_.front()));
        failures_in_row = 0;
        if (!adapts) {
          if (++taken_in_row == 2 && halvings > 0) length *= 2, --halvings, taken_in_row = 0;
          break;
        }
        halvings = 0;
        const double next = length * std::clamp(0.9 / std::sqrt(std::max(excess_, 1e-10)), 0.3, 2.0);
        length = tried_length_ = length < wanted ? std::max(next, std::min(wanted, 2 * length)) : next;
        break;
      }
      case Outcome::failed:
        if (solver_->stop_asked()) return false;
        ++report_.rejected;
        ++report.cuts;
        report_.troubles.push_back({t, length, true, newton_.reason});
        report_step(t, length, "is divided", newton_.reason);
        if (++failures_in_row > options_.max_cuts || ++halvings > 3 * options_.max_cuts || ++failures > 16 * options_.max_cuts) return false;
        length = tried_length_ = 0.5 * length;
        taken_in_row = 0;
        break;
      case Outcome::inaccurate:
        ++report_.rejected;
        report_step(t, length, "is shortened", "its error is " + plain_number(excess_) + " times the tolerance");
        length = tried_length_ = length * std::clamp(0.9 / std::sqrt(excess_), 0.1, 0.5);
        if (length < shortest) {
          report.reason += ", however short it is: the state jumps at t = " + plain_number(t) +
                           " s, e.g. because prescribed values differ from the initial state";
          return false;
        }
    }
  }
  return true;
}

/// The same with the held steps of an earlier run.
bool TransientCase::repeat_to(int mark, MarchState& state, ProcessReport& report) {
  for (const Step& held : held_)
    if (held.to == mark) {
      Step step{.begin = held.begin, .length = held.length, .before = held.before, .earlier = held.earlier, .mark = held.mark};
      if (attempt(step, state, report) == Outcome::taken) continue;
      report.reason = "with the steps of the neighbouring process: " + report.reason;
      return false;
    }
  return true;
}

/// Computes the initial acceleration, with which the initial state is observed, if the scheme needs it.
bool TransientCase::begin_march(MarchState& state, ProcessReport& report) {
  if (!scheme_.needs_start()) return true;
  const MarchState from = copy(state);
  Step start{.begin = times_.front(), .mark = 0, .starts = true};
  begin_step(start);
  const int before = solver_->factorisations();
  count(solve(start, state), report);
  note_work(newton_, before);
  if (!newton_.converged) {
    report.reason = "the initial acceleration: " + newton_.reason;
    return false;
  }
  keep_step(1, from, state);
  observe_at(steps_.back(), from, state, [&](int mark, const EvaluationPoint& u) { record_observations(mark, u); });
  return true;
}

}  // namespace invar
