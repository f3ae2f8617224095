#include "apps/invar/problem/scalar_quantity.hpp"

#include <algorithm>
#include <cmath>

#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "apps/invar/problem/tie_spec.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/contact/contact_quantities.hpp"
#include "libfem/design/entry/quantity_library.hpp"
#include "libfem/objective/sampled_displacement.hpp"

namespace invar {

using spec::Value;

std::shared_ptr<Observable> build_scalar(CaseModel& model, const Value& record, Diagnostics& diagnostics, std::optional<double> station) {
  if (!check_term_fits(record, model, diagnostics)) return nullptr;
  if (record["type"].text() == tie_quantity_name) return tie_quantity(model, record, diagnostics);
  if (const auto own = model.physics->quantity(model, record, diagnostics)) return *own;
  if (const auto common = make_quantity(common_quantities(), QuantityCase{}, model, record, diagnostics, station)) return *common;
  throw std::logic_error("the quantity '" + record["type"].text() + "' is in the tables, but has no implementation");
}

namespace {

/// Whether the quantity of this record is among these and depends on the mesh only.
template <class Case>
bool is_of_mesh(std::span<const QuantityEntry<Case>> entries, const Value& record) {
  const auto entry = std::ranges::find(entries, record["type"].text(), &QuantityEntry<Case>::name);
  return entry != entries.end() && entry->of_mesh && entry->of_mesh(entry_values(entry->parameters, record));
}

}  // namespace

double value_as_given(CaseModel& model, const Value& record, Observable& quantity, Diagnostics& diagnostics) {
  const Value& type = record["type"];
  if (!is_of_mesh(common_quantities(), record) && !is_of_mesh(contact_quantities(), record)) {
    diagnostics.error(record["relative"].position, record["relative"].yaml_path, "'" + type.text() + "' depends on the state, not only on the mesh",
                      "give absolute limits");
    return NAN;
  }
  const VecHandle rest = model.equation()->create_vector();
  double value = 0;
  quantity.evaluate({rest.get(), model.residual->given()}, &value);
  return value;
}

int component_of(const CaseModel& model, const Value& word, Diagnostics& diagnostics) {
  const auto& known = model.dofs->components();
  std::string names;
  for (std::size_t c = 0; c < known.size(); ++c) {
    if (known[c].name == word.text()) return static_cast<int>(c);
    names += (names.empty() ? "" : ", ") + known[c].name;
  }
  diagnostics.error(word.position, word.yaml_path, "the unknown has no component '" + word.text() + "'", "its components: " + names);
  return -1;
}

const DesignedField* find_field(const CaseModel& model, const Value& variable, Diagnostics& diagnostics) {
  for (const DesignedField& f : model.fields)
    if (f.path == variable.text() || model.path_here(f.path) == variable.text()) return &f;
  diagnostics.error(variable.position, variable.yaml_path, "'" + variable.text() + "' is not designed as a field",
                    "add '- {kind: field, variable: " + variable.text() + ", radius: …}' to 'design'");
  return nullptr;
}

bool check_point(const CaseModel& model, const Value& point, Diagnostics& diagnostics) {
  if (static_cast<int>(point.size()) == model.mesh->dim) return true;
  diagnostics.error(point.position, point.yaml_path,
                    "the mesh has dimension " + std::to_string(model.mesh->dim) + ": give as many coordinates");
  return false;
}

std::shared_ptr<Observable> build_point_value(const CaseModel& model, const Value& point, const Value& component,
                                              Diagnostics& diagnostics) {
  const int c = component_of(model, component, diagnostics);
  if (!check_point(model, point, diagnostics) || c < 0) return nullptr;
  std::vector<double> distance;
  std::shared_ptr<Observable> value = make_point_samples(model.dofs, {{point.numbers(), c}}, distance);
  if (distance[0] > 0)
    diagnostics.error(point.position, point.yaml_path, "the point lies outside the mesh, by " + number_text(distance[0]) + " m");
  return model.observed(std::move(value));
}

int initial_field_of(const CaseModel& model, const Value& variable, Diagnostics& diagnostics) {
  const std::string& name = variable.text();
  const int control = model.control_named(name);
  if (name != initial_velocity && name != initial_source)
    diagnostics.error(variable.position, variable.yaml_path, "there is no initial field '" + name + "'",
                      std::string("there are ") + initial_velocity + " and " + initial_source);
  else if (control < 0)
    diagnostics.error(variable.position, variable.yaml_path, "the initial velocity is not designed as a field",
                      "add '- {kind: initial_field}' to 'design'");
  else
    return control;
  return -1;
}

std::shared_ptr<const TimeStatistic> statistic_of(const CaseModel& model, const std::string& word, const TimeWindow& window) {
  if (window.weights.empty()) return nullptr;  // said already
  std::vector<double> times;
  for (const int step : window.steps) times.push_back(model.times[step]);
  return std::make_shared<const TimeStatistic>(time_statistic_kind(word), std::move(times), window.weights);
}

ProcessTerm process_term(const CaseModel& model, const Value& record, std::shared_ptr<Observable> observable,
                         Diagnostics& diagnostics) {
  const std::string statistic = record["statistic"].text();
  ProcessTerm term{"", std::move(observable), {}};
  if (statistic == "value") {
    term.steps = {step_of(model, record, diagnostics)};
    return term;
  }
  if (!model.march && !model.path) {
    diagnostics.error(record["statistic"].position, record["statistic"].yaml_path, "'" + statistic + "' is for processes in time",
                      "give 'time' a 'scheme'");
    return term;
  }
  TimeWindow window = window_of(model.times, model.jumps, record, diagnostics);
  term.steps = window.steps;
  if (window.steps.empty()) return term;
  if (statistic == "largest") term.sharpness = record["sharpness"].number();
  else if (statistic == "smallest") term.sharpness = -record["sharpness"].number();
  else if (statistic == "rms") term.rms = true;
  else if (statistic != "mean") term.statistic = statistic_of(model, statistic, window);
  term.step_weights = std::move(window.weights);
  return term;
}

int step_of(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const Value* at = record.find("at");
  if (!at) return model.last_step();
  const auto it = std::find(model.times.begin(), model.times.end(), at->number());
  if (it != model.times.end()) return static_cast<int>(it - model.times.begin());
  diagnostics.error(at->position, at->yaml_path, "'at' is none of the case's 'time.values'");
  return model.last_step();
}

}  // namespace invar
