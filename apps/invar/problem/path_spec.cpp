#include "apps/invar/problem/path_spec.hpp"

#include <algorithm>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/scalar_quantity.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/number_text.hpp"

namespace invar {

using spec::Value;

PathSpec::PathSpec(const Value& given) : control(&given), chords(given.is_text()) {}

std::optional<PathSpec> path_of(const Value* time, const Physics& physics, Diagnostics& diagnostics) {
  if (!time) return std::nullopt;
  const Value& control = (*time)["control"];
  if (control.is_text() && control.text() == "load") {
    if (const Value* scaled = time->find("scaled"))
      diagnostics.error(scaled->key_position, scaled->yaml_path, "'scaled' names loads whose factor is unknown, and the control is 'load'",
                        "set 'control' to arc_length or to a quantity");
    return std::nullopt;
  }
  if ((*time)["scheme"].text() != "static")
    diagnostics.error(control.key_position, control.yaml_path, "'control' is for static processes", "leave 'scheme' out");
  else if (!physics.finds_loads)
    diagnostics.error(control.key_position, control.yaml_path, "'control' is for solids, and the physics is '" + physics.word() + "'", "leave it out");
  else
    return PathSpec(control);
  return std::nullopt;
}

namespace {

/// As given: points may go to and fro, and data must be among them.
std::vector<double> points_given(const Value& list, const std::vector<double>& data_times, Diagnostics& diagnostics) {
  const std::vector<double> values = list.numbers();
  for (const double t : data_times)
    if (std::find(values.begin(), values.end(), t) == values.end())
      diagnostics.error(list.position, list.yaml_path, "t = " + number_text(t) + " is needed, and is not among the values");
  return values;
}

}  // namespace

std::vector<double> path_times(const Value& time, const PathSpec& path, const std::vector<double>& data_times, double& start,
                               Diagnostics& diagnostics) {
  start = time["start"].number();
  std::vector<double> values = data_times;
  if (time.has("values")) {
    values = points_given(time["values"], data_times, diagnostics);
  } else if (time.has("steps") || data_times.empty()) {
    const int n = time.has("steps") ? static_cast<int>(time["steps"].integer()) : 1;
    const double end = time["end"].number();
    const std::string type = path.chords ? "" : (*path.control)["type"].text();
    if ((type == "enclosed_volume" || type == "centroid") && time["start"].defaulted)
      diagnostics.error(time.position, time.yaml_path, "'start' is missing: the value of '" + type + "' at rest, from which the steps begin",
                        "or give the points as 'values'");
    if (end == start) diagnostics.error(time.position, time.yaml_path, "the path ends where it starts: change 'end'");
    for (int k = 1; k <= n; ++k) values.push_back(k == n ? end : start + (end - start) * k / n);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (end < start) std::reverse(values.begin(), values.end());
  }
  for (std::size_t k = 0; path.chords && k < values.size(); ++k)
    if (const double last = k ? values[k - 1] : start; values[k] <= last)
      diagnostics.error(time.position, time.yaml_path, "the length of a path increases from its start (" + number_text(start) + "), and " +
                                                           number_text(values[k]) + " follows " + number_text(last));
  return values;
}

void choose_scaled(CaseModel& model, const Value& time, Diagnostics& diagnostics) {
  const std::vector<ControlInfo>& controls = model.residual->controls();
  std::vector<int>& scaled = model.path->scaled;
  if (const Value* wanted = time.find("scaled")) {
    std::vector<int> known = scaled, chosen;
    known.insert(known.end(), model.path->factors.begin(), model.path->factors.end());
    std::vector<std::string> names;
    for (const int k : known) names.push_back(controls[k].name);
    for (const Value& v : *wanted) {
      const auto at = std::find(names.begin(), names.end(), v.text());
      const int control = at == names.end() ? -1 : known[at - names.begin()];
      if (control < 0)
        diagnostics.error(v.position, v.yaml_path, "no load is called '" + v.text() + "'" + did_you_mean(v.text(), names),
                          "loads that can be scaled: " + comma_list(names));
      else if (std::find(chosen.begin(), chosen.end(), control) != chosen.end())
        diagnostics.error(v.position, v.yaml_path, "'" + v.text() + "' is listed twice");
      else
        chosen.push_back(control);
    }
    scaled = std::move(chosen);
    return;
  }
  if (std::all_of(scaled.begin(), scaled.end(), [&](int k) { return model.residual->control_values()[k][0] == 0; }))
    diagnostics.error(time["control"].key_position, time["control"].yaml_path,
                      "there is no load whose factor can be the unknown: all numbers in 'loads' and 'boundary' are zero, or formulas",
                      "give a load as a number, e.g. p: 1; of a formula its 'factor' may be named in 'scaled'");
}

bool finds_alone(const CaseModel& model, int control) {
  if (!model.path) return false;
  const std::vector<int>& scaled = model.path->scaled;
  const auto acts = [&](int k) { return k == control || model.residual->control_values()[k][0] != 0; };
  return std::find(scaled.begin(), scaled.end(), control) != scaled.end() && std::count_if(scaled.begin(), scaled.end(), acts) == 1;
}

std::shared_ptr<Observable> path_quantity(CaseModel& model, Diagnostics& diagnostics) {
  return model.path->chords ? model.observed(model.physics->mean_square(model)) : build_scalar(model, *model.path->control, diagnostics);
}

}  // namespace invar
