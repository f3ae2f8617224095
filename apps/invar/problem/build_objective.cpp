#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/time/shifted_samples.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;
constexpr const char* displacement_keys[] = {"u_x", "u_y", "u_z"};

std::string term_name(const Value& term) { return term["name"].text().empty() ? term["type"].text() : term["name"].text(); }

class TermBuilder {
 public:
  TermBuilder(Problem& problem, int case_index, Diagnostics& diagnostics)
      : problem_(problem), case_index_(case_index), model_(problem.cases[case_index]), diagnostics_(diagnostics) {}

  void build(const TermData& d) {
    const std::string type = (*d.term)["type"].text();
    if (!check_term_fits(*d.term, model_, diagnostics_)) return;
    if (type == "markers") markers(d);
    else if (type == "displacement_field" || type == "velocity_field") field(d);
    else scalar(d);
  }

 private:
  void add(const Value& term, std::shared_ptr<Observable> observable, std::vector<int> steps, std::vector<double> target,
           std::shared_ptr<const TimeStatistic> statistic = {}, const std::vector<double>* shifted = nullptr) {
    double noise = 1;
    if (const Value* n = term.find("noise")) noise = n->number();
    else problem_.noise_known = false;
    DataSet set{term_name(term), std::move(observable), steps, std::move(target), {}, term["weight"].number()};
    set.noise.assign(set.target.size(), noise);
    set.statistic = std::move(statistic);
    set.sums_steps = shifted != nullptr;
    FitCurve curve{set.name, case_index_, static_cast<int>(model_.process->data().size()), {}};
    if (shifted) curve.t = *shifted;
    else
      for (int s : steps) curve.t.push_back(model_.times[s]);
    int copies = 0;
    for (const FitCurve& other : problem_.curves) copies += other.name == curve.name || other.name.starts_with(curve.name + "_");
    if (copies) curve.name += "_" + std::to_string(copies + 1);
    problem_.curves.push_back(std::move(curve));
    model_.process->data().push_back(std::move(set));
  }

  /// Data along t.
  void curve(const TermData& d, std::shared_ptr<Observable> observable) {
    const Value& term = *d.term;
    if (model_.shift_control >= 0) {
      std::vector<int> all(model_.times.size());
      std::iota(all.begin(), all.end(), 0);
      add(term, std::make_shared<ShiftedSamples>(std::move(observable), model_.shift_control, model_.times, d.t, model_.dofs->comm()), all, d.values, {}, &d.t);
      return;
    }
    std::vector<int> steps;
    for (double t : d.t) steps.push_back(static_cast<int>(std::find(model_.times.begin(), model_.times.end(), t) - model_.times.begin()));
    if (std::any_of(steps.begin(), steps.end(), [&](int s) { return s >= static_cast<int>(model_.times.size()); })) {
      diagnostics_.error(term["file"].position, term["file"].yaml_path,
                         "the case's 'time.values' do not contain every t of the data; leave 'values' out to use the data's");
      return;
    }
    add(term, std::move(observable), std::move(steps), d.values);
  }

  void markers(const TermData& d) {
    const Value& term = *d.term;
    std::vector<Sample> samples;
    std::vector<double> target;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < d.points.size(); ++i) {
      if (static_cast<int>(d.points[i].size()) < model_.mesh->dim) {
        diagnostics_.error(term["file"].position, term["file"].yaml_path, "markers of a three-dimensional mesh need a column z");
        return;
      }
      const auto take = [&](int component, double value) {
        if (!std::isfinite(value)) return;
        samples.push_back({d.points[i], component});
        rows.push_back(i);
        target.push_back(value);
      };
      for (int c = 0; c < model_.mesh->dim; ++c) take(c, d.measured[i][c]);
      const int pressure = model_.component("p");
      if (pressure >= 0) take(pressure, d.measured[i][3]);
      if (pressure < 0 && std::isfinite(d.measured[i][3])) {
        diagnostics_.error(d.places[i], term["file"].yaml_path, "the case has no pressure that a column p could be compared with");
        return;
      }
    }
    std::vector<double> distance;
    make_point_samples(model_.dofs, samples, distance);
    bool outside = false;
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (distance[i] > 0) {
        diagnostics_.error(d.places[rows[i]], term["file"].yaml_path,
                           "this marker lies outside the mesh, by " + number_text(distance[i]) + " m");
        outside = true;
      }
    if (outside) return;
    if (d.t.size() != d.points.size()) {
      add(term, make_point_samples(model_.dofs, samples, distance), {step_of(model_, term, diagnostics_)}, std::move(target));
      return;
    }
    std::map<int, std::pair<std::vector<Sample>, std::vector<double>>> at_steps;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double t = d.t[rows[i]];
      const auto at = std::find(model_.times.begin(), model_.times.end(), t);
      if (at == model_.times.end()) {
        diagnostics_.error(d.places[rows[i]], term["file"].yaml_path, "t = " + number_text(t) + " is none of the case's 'time.values'",
                           "leave 'values' out to use those of the data");
        return;
      }
      auto& [of_step, values] = at_steps[static_cast<int>(at - model_.times.begin())];
      of_step.push_back(samples[i]);
      values.push_back(target[i]);
    }
    for (auto& [step, of_step] : at_steps) add(term, make_point_samples(model_.dofs, of_step.first, distance), {step}, std::move(of_step.second));
  }

  void field(const TermData& d) {
    const Value& term = *d.term;
    const std::string region = term["region"].text();
    int dim = -1;
    for (const Region& r : model_.mesh->regions)
      if (r.name == region && r.dim >= model_.mesh->dim - 1) dim = r.dim;
    if (dim < 0) {
      check_region(*model_.mesh, region, model_.mesh->dim, term["region"], diagnostics_);
      return;
    }
    std::vector<int> components;
    std::vector<std::shared_ptr<Expression>> formulas(3);
    const double last = model_.times.back();
    for (int c = 0; c < 3; ++c) {
      const Value* v = term.find(displacement_keys[c]);
      if (!v) continue;
      if (c >= model_.mesh->dim) {
        diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
        return;
      }
      try {
        formulas[c] = std::make_shared<Expression>(v->is_number() ? number_text(v->number()) : v->text());
        components.push_back(c);
      } catch (const ExpressionError& e) {
        diagnostics_.error(v->position, v->yaml_path, e.what());
      }
    }
    if (components.empty()) return;
    const int step = step_of(model_, term, diagnostics_);
    const double t = term.has("at") ? term["at"].number() : last;
    std::vector<double> target;
    std::shared_ptr<Observable> observable = make_field_samples(
        model_.dofs, region, dim, 4, components,
        [&](int c, const double* x) { return (*formulas[c])(x[0], x[1], x[2], t); }, target);
    add(term, std::move(observable), {step}, std::move(target));
  }

  /// Something that is minimised as it is.
  void minimise(const Value& term, std::shared_ptr<Observable> observable) {
    ProcessTerm made = process_term(model_, term, std::move(observable), diagnostics_);
    made.name = term_name(term);
    made.weight = term["weight"].number();
    model_.process->terms().push_back(std::move(made));
    problem_.sum_of_squares = false;
  }

  /// A statistic of the signal is what was measured.
  void measured_statistic(const Value& term, std::shared_ptr<Observable> observable) {
    const Value& word = term["statistic"];
    if (word.text() == "largest" || word.text() == "smallest") {
      diagnostics_.error(word.position, word.yaml_path, "a smooth extremum is not what is measured",
                         std::string("use ") + (word.text() == "largest" ? "max" : "min"));
      return;
    }
    ProcessTerm made = process_term(model_, term, observable, diagnostics_);
    if (made.steps.size() < 2) return;
    const TimeWindow window = window_of(model_.times, term, diagnostics_);
    add(term, std::move(observable), window.steps, {term["target"].number()}, statistic_of(model_, word.text(), window));
  }

  void scalar(const TermData& d) {
    const Value& term = *d.term;
    std::shared_ptr<Observable> observable = build_scalar(model_, term, diagnostics_);
    if (!observable) return;
    const Value& statistic = term["statistic"];
    if (statistic.text() != "value" && term.has("file"))
      diagnostics_.error(statistic.position, statistic.yaml_path, "'" + statistic.text() + "' is one number, and 'file' has many",
                         "give the measured one as 'target'");
    else if (statistic.text() != "value" && term.has("target"))
      measured_statistic(term, std::move(observable));
    else if (term.has("file"))
      curve(d, std::move(observable));
    else if (const Value* target = term.find("target"))
      add(term, std::move(observable), {step_of(model_, term, diagnostics_)}, {target->number()});
    else if (const Value* noise = term.find("noise"))
      diagnostics_.error(noise->key_position, noise->yaml_path, "'noise' is that of a measured value: give 'target' too");
    else
      minimise(term, std::move(observable));
  }

  Problem& problem_;
  int case_index_;
  CaseModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

void build_terms(Problem& problem, int case_index, const std::vector<TermData>& terms, Diagnostics& diagnostics) {
  TermBuilder builder(problem, case_index, diagnostics);
  for (const TermData& d : terms) builder.build(d);
}

}  // namespace invar
