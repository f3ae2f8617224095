#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/solid_builder.hpp"
#include "apps/invar/report/csv_reader.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

using spec::Value;
constexpr const char* displacements[] = {"u_x", "u_y", "u_z"};

void read_curve(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  const auto table = read_csv(term["file"].file(), diagnostics);
  if (!table) return;
  const auto t = table->find(term["t"].text(), term["t"].position, term["t"].yaml_path, diagnostics);
  const auto v = table->find(term["value"].text(), term["value"].position, term["value"].yaml_path, diagnostics);
  if (!t || !v || !table->check_strictly_monotone(*t, diagnostics)) return;
  d.t = table->data[*t];
  d.values = table->data[*v];
}

void read_markers(TermData& d, Diagnostics& diagnostics) {
  const Value& term = *d.term;
  const auto table = read_csv(term["file"].file(), diagnostics);
  if (!table) return;
  const auto column = [&](const char* name) {
    const auto it = std::find(table->columns.begin(), table->columns.end(), name);
    return it == table->columns.end() ? -1 : static_cast<int>(it - table->columns.begin());
  };
  const int position[3] = {column("x"), column("y"), column("z")};
  const int displacement[3] = {column("u_x"), column("u_y"), column("u_z")};
  if (position[0] < 0 || position[1] < 0 || (displacement[0] < 0 && displacement[1] < 0 && displacement[2] < 0)) {
    diagnostics.error(table->file, term.yaml_path,
                      "a marker file needs columns x, y, (z) and at least one of u_x, u_y, u_z named in its first line");
    return;
  }
  for (std::size_t row = 0; row < table->row_count(); ++row) {
    std::vector<double> x;
    std::array<double, 3> u;
    for (int i = 0; i < 3; ++i) {
      if (position[i] >= 0) x.push_back(table->data[position[i]][row]);
      u[i] = displacement[i] >= 0 ? table->data[displacement[i]][row] : std::numeric_limits<double>::quiet_NaN();
    }
    d.points.push_back(std::move(x));
    d.places.push_back(table->positions[position[0]][row]);
    d.measured.push_back(u);
  }
}

std::string term_name(const Value& term) { return term["name"].text().empty() ? term["type"].text() : term["name"].text(); }

class TermBuilder {
 public:
  TermBuilder(Problem& problem, int case_index, Diagnostics& diagnostics)
      : problem_(problem), case_index_(case_index), model_(problem.cases[case_index]), diagnostics_(diagnostics) {}

  void build(const TermData& d) {
    const std::string type = d.term->operator[]("type").text();
    if (type == "reaction") reaction(d);
    else if (type == "markers") markers(d);
    else if (type == "displacement_field") field(d);
    else scalar(d, type);
  }

 private:
  /// Step at which the process has load parameter t (times are met exactly); the last without t.
  int step_of(const Value* at) {
    const int last = static_cast<int>(model_.times.size()) - 1;
    if (!at) return last;
    const auto it = std::find(model_.times.begin(), model_.times.end(), at->number());
    if (it != model_.times.end()) return static_cast<int>(it - model_.times.begin());
    diagnostics_.error(at->position, at->yaml_path, "'at' is none of the case's 'time.values'");
    return last;
  }

  void add(const Value& term, std::shared_ptr<Observable> observable, std::vector<int> steps, std::vector<double> target) {
    double noise = 1;
    if (const Value* n = term.find("noise")) noise = n->number();
    else problem_.noise_known = false;
    DataSet set{term_name(term), std::move(observable), steps, std::move(target), {}, term["weight"].number()};
    set.noise.assign(set.target.size(), noise);
    FitCurve curve{set.name, case_index_, static_cast<int>(model_.process->data().size()), {}};
    for (int s : steps) curve.t.push_back(model_.times[s]);
    int copies = 0;
    for (const FitCurve& other : problem_.curves) copies += other.name == curve.name || other.name.starts_with(curve.name + "_");
    if (copies) curve.name += "_" + std::to_string(copies + 1);
    problem_.curves.push_back(std::move(curve));
    model_.process->data().push_back(std::move(set));
  }

  void reaction(const TermData& d) {
    const Value& term = *d.term;
    const std::string region = term["region"].text();
    const int dim = model_.mesh->dim;
    if (!check_region(*model_.mesh, region, -1, term["region"], diagnostics_)) return;
    std::shared_ptr<Observable> observable;
    if (const Value* direction = term.find("direction")) {
      if (static_cast<int>(direction->size()) != dim) {
        diagnostics_.error(direction->position, direction->yaml_path,
                           "the direction must have " + std::to_string(dim) + " components");
        return;
      }
      observable = Reaction::force(model_.residual, region, direction->numbers());
    } else {
      const auto p = term["point"].numbers(), a = term["axis"].numbers();
      observable = Reaction::moment(model_.residual, region, {p[0], p[1], p[2]}, {a[0], a[1], a[2]});
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
      for (int c = 0; c < model_.mesh->dim; ++c)
        if (std::isfinite(d.measured[i][c])) {
          samples.push_back({d.points[i], c});
          rows.push_back(i);
          target.push_back(d.measured[i][c]);
        }
    }
    std::vector<double> distance;
    std::shared_ptr<Observable> observable = make_point_samples(model_.dofs, samples, distance);
    bool outside = false;
    for (std::size_t i = 0; i < distance.size(); ++i)
      if (distance[i] > 0) {
        diagnostics_.error(d.places[rows[i]], term["file"].yaml_path,
                           "this marker lies outside the mesh, by " + number_text(distance[i]) + " m");
        outside = true;
      }
    if (outside) return;
    add(term, std::move(observable), {step_of(term.find("at"))}, std::move(target));
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
      const Value* v = term.find(displacements[c]);
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
    const int step = step_of(term.find("at"));
    const double t = term.has("at") ? term["at"].number() : last;
    std::vector<double> target;
    std::shared_ptr<Observable> observable = make_field_samples(
        model_.dofs, region, dim, 4, components,
        [&](int c, const double* x) { return (*formulas[c])(x[0], x[1], x[2], t); }, target);
    add(term, std::move(observable), {step}, std::move(target));
  }

  void scalar(const TermData& d, const std::string& type) {
    std::vector<double> factors(model_.residual->form_count(), 0.0);
    if (type == "stored_energy") {
      for (std::size_t f = 0; f < model_.parts.size(); ++f) factors[f] = 1;
    } else {
      for (int f : model_.dead_load_forms) factors[f] = -1;  // potential of the loads is −work
      if (model_.dead_load_forms.empty())
        diagnostics_.error(d.term->position, d.term->yaml_path, "the case has no dead loads whose work could be minimised");
    }
    model_.process->terms().push_back({term_name(*d.term), std::make_shared<FormValue>(model_.residual, factors),
                                       {static_cast<int>(model_.times.size()) - 1}, (*d.term)["weight"].number()});
    problem_.sum_of_squares = false;
  }

  Problem& problem_;
  int case_index_;
  CaseModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<TermData> read_term_data(const std::vector<const Value*>& terms, Diagnostics& diagnostics) {
  std::vector<TermData> out;
  for (const Value* term : terms) {
    TermData d;
    d.term = term;
    const std::string type = (*term)["type"].text();
    if (type == "reaction") read_curve(d, diagnostics);
    if (type == "markers") read_markers(d, diagnostics);
    if (const Value* at = term->find("at")) d.t = {at->number()};
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<double> times_wanted(const std::vector<TermData>& terms) {
  std::vector<double> t;
  for (const TermData& d : terms) t.insert(t.end(), d.t.begin(), d.t.end());
  const bool falling = !t.empty() && t.back() < t.front();
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end()), t.end());
  if (falling) std::reverse(t.begin(), t.end());
  return t;
}

void build_terms(Problem& problem, int case_index, const std::vector<TermData>& terms, Diagnostics& diagnostics) {
  TermBuilder builder(problem, case_index, diagnostics);
  for (const TermData& d : terms) builder.build(d);
}

}  // namespace invar
