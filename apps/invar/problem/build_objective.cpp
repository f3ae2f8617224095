#include <algorithm>
#include <numeric>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/time/shifted_samples.hpp"

namespace invar {
namespace {

using spec::Value;

std::string term_name(const Value& term) { return term["name"].text().empty() ? term["type"].text() : term["name"].text(); }

class TermBuilder {
 public:
  TermBuilder(Problem& problem, int case_index, MeasuredTerms& measured, Diagnostics& diagnostics)
      : problem_(problem), case_index_(case_index), model_(problem.cases[case_index]), measured_(measured), diagnostics_(diagnostics) {}

  void build(const TermData& d) {
    if (!d.readable || !check_term_fits(*d.term, model_, diagnostics_)) return;
    if (d.entry) data(d);
    else scalar(d);
  }

 private:
  /// Whether the wanted values are formulas over a region.
  static bool is_formula(const Value& term) {
    const DataEntry<QuantityCase>* entry = data_named(term["type"].text());
    return entry && std::ranges::find(entry->parameters, EntryParameter::Kind::components, &EntryParameter::kind) != entry->parameters.end();
  }

  /// A name of a file in curves/ that neither another data set nor a quantity of the output has.
  std::string free_name(const std::string& wanted) const {
    const auto is_curve = [&](const std::string& name) { return std::ranges::find(problem_.curves, name, &FitCurve::name) != problem_.curves.end(); };
    const Value* quantities = problem_.spec["output"].find("quantities");
    const auto taken = [&](const std::string& name) { return is_curve(name) || (quantities && quantities->has(name)); };
    if (!taken(wanted)) return wanted;
    auto number = 1 + std::ranges::count_if(problem_.curves, [&](const FitCurve& c) { return c.name == wanted || c.name.starts_with(wanted + "_"); });
    std::string name;
    do name = wanted + "_" + std::to_string(std::max<std::ptrdiff_t>(number++, 2));
    while (taken(name));
    return name;
  }

  /// Adds a data set. curve: times of a curve whose values are sums over steps; null: values of single steps.
  void add(const Value& term, MeasuredSet made, std::vector<int> steps, std::shared_ptr<const TimeStatistic> statistic = {},
           const std::vector<double>* curve = nullptr) {
    DataSet set{term_name(term), std::move(made.observable), steps, std::move(made.targets), std::move(made.deviations), weight_at_start(term)};
    const Value* noise = term.find("noise");
    if (!set.noise.empty() && noise)
      diagnostics_.error(noise->key_position, noise->yaml_path, "the data have standard deviations of their own", "leave one of the two out");
    const bool has_own = !set.noise.empty(), is_goal = !has_own && !noise && (term.has("target") || is_formula(term));
    if (!has_own) set.noise.assign(set.target.size(), noise ? noise->number() : 1);
    if (set.weight != 0) {
      if (is_goal) problem_.goals.push_back(set.name);
      else (has_own || noise ? measured_.with_noise : measured_.without_noise).push_back(&term);
    }
    if (is_formula(term)) problem_.mean_squares.insert({case_index_, static_cast<int>(model_.process->data().size())});
    set.statistic = std::move(statistic);
    set.sums_steps = curve != nullptr;
    FitCurve fit{set.name, case_index_, static_cast<int>(model_.process->data().size()), {}};
    if (curve) fit.t = *curve;
    else
      for (int s : steps) fit.t.push_back(model_.times[s]);
    fit.name = free_name(fit.name);
    if (!made.sample_rows.empty()) add_samples(set.name, term, std::move(made), fit);
    problem_.curves.push_back(std::move(fit));
    model_.process->data().push_back(std::move(set));
  }

  void add_samples(const std::string& name, const Value& term, MeasuredSet made, const FitCurve& fit) {
    MeasuredSamples samples{name, case_index_, fit.data_set, std::move(made.sample_rows), std::move(made.at_samples), term.yaml_path, {}};
    MeasuredPlaces::Set& where = samples.where;
    const std::size_t n = samples.rows.size();
    where.times = fit.t;
    where.times.resize(n, fit.t.empty() ? 0 : fit.t.back());  // of places, all at one time
    where.places = std::move(made.places);
    where.components = std::move(made.components);
    where.components.resize(n, 0);
    where.removed = std::move(made.removed);
    problem_.samples.push_back(std::move(samples));
  }

  /// Adds a data set at the steps of its times, or at the step of the term.
  void add_at_its_times(const TermData& d, MeasuredSet made) {
    const Value& term = *d.term;
    std::vector<int> steps;
    for (std::size_t i = 0; i < made.times.size(); ++i) {
      const auto at = std::ranges::find(model_.times, made.times[i]);
      if (at == model_.times.end()) {
        EntryMistakes missing;
        missing.add_in_row("file", made.rows.empty() ? -1 : made.rows[i], "t = " + number_text(made.times[i]) + " is none of the case's 'time.values'",
                           "omit 'values' to use those of the data");
        report(missing, term, diagnostics_, d.tables);
        return;
      }
      steps.push_back(static_cast<int>(at - model_.times.begin()));
    }
    if (steps.empty()) steps = {step_of(model_, term, diagnostics_)};
    add(term, std::move(made), std::move(steps));
  }

  /// Adds a term of a library of data.
  void data(const TermData& d) {
    const Value& term = *d.term;
    QuantityCase c;
    c.time = model_.times[d.times.empty() || term.has("at") ? step_of(model_, term, diagnostics_) : model_.last_step()];
    if (!describe_case(c, d.entry->parameters, model_, term, diagnostics_)) return;
    EntryMistakes mistakes;
    std::vector<MeasuredSet> sets = d.entry->make(c, d.values, mistakes);
    report(mistakes, term, diagnostics_, d.tables);
    if (mistakes.any()) return;
    for (MeasuredSet& set : sets) {
      set.observable = model_.observed(std::move(set.observable));
      for (const std::string& note : set.notes) problem_.notes.push_back(term_name(term) + ": " + note);
      add_at_its_times(d, std::move(set));
    }
  }

  /// Measured values of a quantity along t.
  void curve(const TermData& d, std::shared_ptr<Observable> observable) {
    MeasuredSet made{.observable = std::move(observable), .targets = d.measured, .times = d.times, .rows = d.rows, .sample_rows = d.rows};
    const std::size_t rows = d.tables.at("file").row_count();
    if (const std::size_t missing = rows - d.rows.size())
      problem_.notes.push_back(term_name(*d.term) + ": " + std::to_string(missing) + " of " + std::to_string(rows) + " rows have no value and are left out");
    if (model_.shift_control < 0) return add_at_its_times(d, std::move(made));
    std::vector<int> all(model_.times.size());
    std::iota(all.begin(), all.end(), 0);
    made.observable = std::make_shared<ShiftedSamples>(std::move(made.observable), model_.shift_control, model_.times, d.times, model_.dofs->comm());
    add(*d.term, std::move(made), std::move(all), {}, &d.times);
  }

  /// Adds a quantity that is minimised.
  void minimise(const Value& term, std::shared_ptr<Observable> observable) {
    ProcessTerm made = process_term(model_, term, std::move(observable), diagnostics_);
    made.name = term_name(term);
    made.weight = weight_at_start(term);
    if (!term["weight"].is_number()) problem_.found_weights.push_back({&term, made.name, case_index_, model_.process->terms().size()});
    model_.process->terms().push_back(std::move(made));
    problem_.sum_of_squares = false;
  }

  /// Adds a measured statistic of the signal.
  void measured_statistic(const Value& term, std::shared_ptr<Observable> observable) {
    const Value& word = term["statistic"];
    if (word.text() == "largest" || word.text() == "smallest") {
      diagnostics_.error(word.position, word.yaml_path, "a measured value is compared with the true extremum, not with a smoothed one",
                         std::string("use ") + (word.text() == "largest" ? "max" : "min"));
      return;
    }
    ProcessTerm made = process_term(model_, term, observable, diagnostics_);
    if (made.steps.empty()) return;
    const TimeWindow window = window_of(model_.times, model_.jumps, term, diagnostics_);
    add(term, {.observable = std::move(observable), .targets = {term["target"].number()}}, window.steps, statistic_of(model_, word.text(), window));
  }

  void scalar(const TermData& d) {
    const Value& term = *d.term;
    std::shared_ptr<Observable> observable = build_scalar(model_, term, diagnostics_);
    if (!observable) return;
    if (const Value& weight = term["weight"]; !weight.is_number() && (term.has("file") || term.has("target"))) {
      diagnostics_.error(weight.position, weight.yaml_path, "the weight of a term that is minimised can be found, and this one is compared with data", "give a number, or leave 'target' or 'file' out");
      return;
    }
    const Value& statistic = term["statistic"];
    if (statistic.text() != "value" && term.has("file"))
      diagnostics_.error(statistic.position, statistic.yaml_path, "'" + statistic.text() + "' is a single number, and 'file' has many",
                         "give the measured value as 'target'");
    else if (statistic.text() != "value" && term.has("target"))
      measured_statistic(term, std::move(observable));
    else if (term.has("file"))
      curve(d, std::move(observable));
    else if (const Value* target = term.find("target"))
      add_at_its_times(d, {.observable = std::move(observable), .targets = {target->number()}});
    else if (const Value* noise = term.find("noise"))
      diagnostics_.error(noise->key_position, noise->yaml_path, "'noise' is the standard deviation of a measured value: give 'target', too");
    else
      minimise(term, std::move(observable));
  }

  Problem& problem_;
  int case_index_;
  CaseModel& model_;
  MeasuredTerms& measured_;
  Diagnostics& diagnostics_;
};

}  // namespace

void build_terms(Problem& problem, int case_index, const std::vector<TermData>& terms, MeasuredTerms& measured, Diagnostics& diagnostics) {
  TermBuilder builder(problem, case_index, measured, diagnostics);
  for (const TermData& d : terms) builder.build(d);
}

}  // namespace invar
