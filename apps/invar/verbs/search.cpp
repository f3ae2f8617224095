#include "apps/invar/verbs/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/verbs/design_size.hpp"
#include "libadjoint/maps/prior_field.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/optimize/multi_start.hpp"
#include "libadjoint/optimize/optimizer_choice.hpp"
#include "libadjoint/optimize/search_sequence.hpp"

namespace invar {
namespace {

constexpr double least_pause = 20;  // between two checkpoints, in times that the last one took

}  // namespace

long long field_entries(const Problem& problem) {
  return design_size(*problem.functional).entries;
}

bool has_prior(const Problem& problem) {
  return std::ranges::any_of(problem.functional->design(), [](const auto& block) { return dynamic_cast<const PriorField*>(block.get()) != nullptr; });
}

std::string optimizer_of(const Problem& problem) {
  const std::string named = problem.spec["optimizer"]["method"].text();
  if (named != "auto") return named;
  return std::string(suitable_optimizer({.constraints = !problem.constraints.empty(), .sum_of_squares = problem.sum_of_squares, .prior = has_prior(problem),
                                         .fields = field_entries(problem) > 0}));
}

Search::Search(Session& session, double value_at_start)
    : session_(session), problem_(session.problem()), iterates_(problem_, session.path() / "fields"),
      checkpoints_(session.path() / "checkpoints") {
  now_.identity = identity_of(problem_.spec, session.line().petsc_options);
  now_.method = optimizer_of(problem_);
  now_.value_at_start = value_at_start;
}

OptimizerOptions optimizer_options(const Problem& problem) {
  const spec::Value& o = problem.spec["optimizer"];
  OptimizerOptions options;
  options.max_iterations = static_cast<int>(o["max_iterations"].integer());
  options.gradient_tolerance = o["gradient_tolerance"].number();
  options.function_tolerance = o["function_tolerance"].number();
  options.step_tolerance = o["step_tolerance"].number();
  options.constraint_tolerance = o["constraint_tolerance"].number();
  options.max_move = o["max_move"].number();
  options.conservative = o["conservative"].boolean();
  return options;
}

void Search::open_history() {
  if (!session_.folder()) return;
  std::vector<std::string> columns = {"iteration", "objective",   "relative_gradient", "violation",
                                      "step",      "evaluations", "rejected",          "seconds"};
  for (const CaseConstraint& c : problem_.constraints) columns.push_back((c.info.competes ? "worst_of." : "constraints.") + c.info.name);
  for (const std::string& name : problem_.functional->names()) columns.push_back(name);
  const std::filesystem::path file = session_.folder()->file("history.csv");
  if (from_) history_.emplace(file, columns, ended(*from_) ? from_->history_at_end : from_->history);
  else history_.emplace(file, columns);
}

OptimizerResult Search::minimize(const std::optional<Checkpoint>& from) {
  from_ = newest_ = from;
  open_history();
  if (from && ended(*from)) return recalled(*from);
  const OptimizerResult optimum = search_or_break_off();
  session_.console().underway("");
  if (std::isfinite(optimum.value) && !optimum.stopped) keep_optimum(optimum);
  return optimum;
}

/// An interrupted solve looks like a failed evaluation to the optimiser, so its result is ignored then: the search ends at the
/// last accepted iterate.
OptimizerResult Search::search_or_break_off() {
  OptimizerResult result;
  try {
    result = search();
    if (!session_.cut_short()) return result;
  } catch (const std::exception&) {
    if (!session_.cut_short_for_all()) throw;
    result = {};
  }
  write_newest();
  result.converged = false;
  result.stopped = true;
  return result;
}

/// Whether a checkpoint holds the end of the search that the spec now describes.
bool Search::ended(const Checkpoint& from) const {
  return from.optimum && from.search == problem_.spec["optimizer"].yaml();
}

/// The result of a finished search, from its checkpoint.
OptimizerResult Search::recalled(const Checkpoint& ended) {
  session_.console().line("  the optimum was found before");
  iterates_.restore(ended.optimum->iterations);
  if (problem_.staged) problem_.staged->begin_stage(problem_.staged->stage_count() - 1);
  if (problem_.weight) {
    now_.done = ended.done;
    for (const WeightTrial& t : ended.trials) problem_.weight->search.add(t);
    at_chosen_weight(*ended.optimum);
  }
  problem_.functional->recall(ended.memory_at_end);
  return *ended.optimum;
}

/// Stores the newest state of the search, to continue it with other limits.
void Search::keep_optimum(const OptimizerResult& optimum) {
  if (!newest_) return;
  if (history_) newest_->history_at_end = history_->size();
  newest_->optimum = optimum;
  if (problem_.weight) newest_->done = now_.done, newest_->trials = now_.trials;
  newest_->search = problem_.spec["optimizer"].yaml();
  newest_->memory_at_end = problem_.functional->memory();
  is_kept_ = false;
  write_newest();
}

OptimizerResult Search::search() {
  Console& console = session_.console();
  if (from_) {
    earlier_ = from_->seconds;
    now_.method = from_->method;
    now_.done = from_->done;
    iterates_.restore(from_->iteration);
    console.line("  goes on after iteration " + std::to_string(from_->iteration));
  }
  console.table(iteration_columns());
  OptimizerOptions options = optimizer_options(problem_);
  most_ = options.max_iterations;
  if (problem_.staged) {
    most_ = 0;
    for (int k = 0; k < problem_.staged->stage_count(); ++k) most_ += problem_.staged->iterations_in(k);
    return in_stages(options);
  }
  if (problem_.weight) return over_weights(options);
  options.on_iteration = [&, limit = options.max_iterations](const IterationReport& report, const DesignVector& theta) {
    return note(report, theta, limit);
  };
  prepare(options);
  if (problem_.spec["optimizer"]["starts"].integer() > 1) return from_many_starts();
  return optimizer_->minimize(*problem_.functional, problem_.functional->start());
}

void Search::prepare(const OptimizerOptions& options) {
  optimizer_ = make_optimizer(now_.method, options);
  if (!from_) return;
  optimizer_->restore(from_->optimizer);
  problem_.functional->recall(from_->memory);
  from_.reset();
}

/// Reports and stores an accepted iterate; false if the search has to stop.
bool Search::note(IterationReport report, const DesignVector& theta, int limit) {
  report.seconds = earlier_ + MPI_Wtime() - begin_;
  const int iteration = report.iteration;
  report.iteration += now_.before.iterations;
  report.evaluations += now_.before.evaluations;
  report.rejected += now_.before.rejected;
  session_.console().row({static_cast<long long>(report.iteration), report.value, report.violation, report.relative_gradient,
                          report.step, static_cast<long long>(report.evaluations), report.seconds});
  if (history_) {
    std::vector<double> row = {double(report.iteration), report.value,              report.relative_gradient, report.violation,
                               report.step,              double(report.evaluations), double(report.rejected), report.seconds};
    report.constraints.resize(problem_.constraints.size(), std::nan(""));
    row.insert(row.end(), report.constraints.begin(), report.constraints.end());
    for (double p : problem_.functional->physical(theta)) row.push_back(p);
    history_->row(row);
  }
  say_time_left(report.iteration);
  iterates_.add(report.iteration, theta);
  now_.iteration = report.iteration;
  now_.seconds = report.seconds;
  const bool stop = session_.interrupted();
  keep(stop || iteration >= limit);
  return !stop;
}

/// For the line of progress: an upper bound of the remaining time, at the rate of the iterations so far.
void Search::say_time_left(int iteration) {
  if (problem_.weight) return session_.console().underway("weight " + std::to_string(now_.stage + 1) + ", iteration " + std::to_string(iteration - now_.before.iterations + 1));
  const double now = MPI_Wtime();
  if (!first_ || iteration < first_->first) first_ = {iteration, now};
  const auto [begun, since] = *first_;
  std::string text = "iteration " + std::to_string(iteration + 1) + " of at most " + std::to_string(most_);
  if (iteration > begun && iteration < most_ && problem_.spec["optimizer"]["starts"].integer() == 1)
    text += ", at most " + duration_text((now - since) / (iteration - begun) * (most_ - iteration)) + " left";
  session_.console().underway(iteration < most_ ? text : "");
}

/// Stores the present iterate in memory, and in a file if that is due or `always`.
void Search::keep(bool always) {
  if (history_) now_.history = history_->size();
  now_.optimizer = optimizer_->state();
  now_.memory = problem_.functional->memory();
  newest_ = now_;
  is_kept_ = false;
  const double begin = MPI_Wtime();
  int due = always || begin >= next_;
  MPI_Bcast(&due, 1, MPI_INT, 0, PETSC_COMM_WORLD);
  if (!due) return;
  write_newest();
  const double end = MPI_Wtime();
  next_ = end + least_pause * (end - begin);
}

void Search::write_newest() {
  if (!newest_ || is_kept_) return;
  if (session_.folder()) session_.folder()->require_own();
  if (history_) history_->sync();  // rows counted by the checkpoint must be on disk before it
  write_checkpoint(checkpoints_, *newest_, PETSC_COMM_WORLD);
  is_kept_ = true;
}

/// One optimisation per stage of the design, with continued counts.
OptimizerResult Search::in_stages(OptimizerOptions options) {
  StagedDesign& staged = *problem_.staged;
  OptimizerResult before;
  before.theta = problem_.functional->start();
  if (from_) before = from_->before;
  return search_in_stages(*problem_.functional, staged, from_ ? from_->stage : 0, before, [&](int k, const OptimizerResult& so_far) {
    now_.stage = k;
    now_.before = so_far;
    options.max_iterations = staged.iterations_in(k);
    options.on_iteration = [&, k](const IterationReport& report, const DesignVector& theta) { return note(report, theta, staged.iterations_in(k)); };
    session_.console().line("  " + staged.stage_text(k));
    prepare(options);
    OptimizerResult result = optimizer_->minimize(*problem_.functional, now_.before.theta);
    result.stopped |= session_.cut_short();
    return result;
  });
}

OptimizerResult Search::from_many_starts() {
  const spec::Value& o = problem_.spec["optimizer"];
  MultiStartOptions multi{static_cast<int>(o["starts"].integer()), static_cast<std::uint64_t>(o["seed"].integer()), {}, {},
                          now_.done, [&](const OptimizerResult& r) { now_.done.push_back(r); }};
  for (std::size_t k = 0; k < problem_.ranges.size(); ++k) {
    const auto bounds = problem_.numbers->entries()[k].transform.bounds(problem_.ranges[k][0], problem_.ranges[k][1]);
    multi.lower.push_back(bounds[0]);
    multi.upper.push_back(bounds[1]);
  }
  const MultiStartResult result = multi_start(*optimizer_, *problem_.functional, problem_.functional->start(), multi);
  for (std::size_t i = 0; i < result.results.size() && !session_.cut_short(); ++i) {
    const OptimizerResult& r = result.results[i];
    char text[160];
    std::snprintf(text, sizeof text, "  start %2zu: objective %.8g, %s%s", i + 1, r.value, r.reason.c_str(),
                  static_cast<int>(i) == result.best_start ? "   <- best" : "");
    session_.console().line(text);
  }
  OptimizerResult best = result.best;
  best.stopped = result.results.back().stopped;  // the other starts are still to come
  return best;
}

}  // namespace invar
