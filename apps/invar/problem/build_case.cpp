#include <algorithm>
#include <cmath>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/physics_fit.hpp"
#include "apps/invar/problem/build_shape.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "apps/invar/problem/check_start.hpp"
#include "apps/invar/problem/design_entries.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/tie_spec.hpp"
#include "libadjoint/number_text.hpp"
#include "libadjoint/row_set.hpp"
#include "libadjoint/time/step_table.hpp"
#include "libfem/form/unconstrained_node.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfluid/solve/linear_start.hpp"

namespace invar {

int CaseModel::component(std::string_view name) const {
  const std::vector<Component>& all = dofs->components();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Component& c) { return c.name == name; });
  return it == all.end() ? -1 : static_cast<int>(it - all.begin());
}

std::shared_ptr<Residual> CaseModel::equation() const {
  if (ties) return ties->equation();
  return residual;
}

std::shared_ptr<Observable> CaseModel::observed(std::shared_ptr<Observable> observable) const {
  return ties ? ties->observed(std::move(observable)) : observable;
}

std::optional<std::string> CaseModel::path_here(const std::string& path) const {
  const std::string prefix = "cases." + name + ".";
  if (path.starts_with(prefix)) return path.substr(prefix.size());
  if (path.starts_with("cases.") || own_sections.contains(path.substr(0, path.find('.')))) return std::nullopt;
  return path;
}

std::string CaseModel::path_of(const std::string& control_name) const {
  const bool own = own_sections.contains(control_name.substr(0, control_name.find('.')));
  return own ? "cases." + name + "." + control_name : control_name;
}

namespace {

/// Load parameters of the case, and where it starts.
std::vector<double> times_of(const spec::Value* section, const spec::Value& place, const std::vector<double>& data_times,
                             double& start, Diagnostics& diagnostics) {
  start = section ? (*section)["start"].number() : 0.0;
  if (section && section->has("values")) {
    const spec::Value& list = (*section)["values"];
    std::vector<double> values = list.numbers();
    double least = start, greatest = start;  // so far
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool first = values[i] == start && i == 0;
      if (!first && values[i] >= least && values[i] <= greatest)
        diagnostics.error(list[i].position, list[i].yaml_path,
                          "load parameters must move away from the start (" + number_text(start) + "), on each side of it");
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
    return values;
  }
  if (!data_times.empty() && !(section && section->has("steps"))) {
    // Descending from the start, then ascending from it; the values of loads are those at the end.
    std::vector<double> values(data_times.rend() - (std::lower_bound(data_times.begin(), data_times.end(), start) - data_times.begin()),
                               data_times.rend());
    values.insert(values.end(), std::lower_bound(data_times.begin(), data_times.end(), start), data_times.end());
    return values;
  }
  const int steps = section && section->has("steps") ? static_cast<int>((*section)["steps"].integer()) : 1;
  const double end = section ? (*section)["end"].number() : 1.0;
  if (end == start) {
    diagnostics.error(section->position, section->yaml_path, "the load parameter ends where it starts: change 'end'");
    return {end};
  }
  std::vector<double> values;
  for (int k = 1; k <= steps; ++k) values.push_back(start + (end - start) * k / steps);
  for (double t : data_times) {  // data between the steps become steps
    const bool there = std::any_of(values.begin(), values.end(), [&](double v) { return v == t; });
    if ((t - start) * (end - start) < 0 || std::abs(t - start) > std::abs(end - start))
      diagnostics.error(section ? section->position : place.position, section ? section->yaml_path : place.yaml_path,
                        "the objective needs t = " + number_text(t) + ", which is outside the range of the load parameter, from " +
                            number_text(start) + " to " + number_text(end));
    if (!there) values.push_back(t);
  }
  std::sort(values.begin(), values.end(), [&](double a, double b) { return end > start ? a < b : a > b; });
  return values;
}

/// Space, equations, and what is designed besides numbers.
void add_equations(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  physics_of(model.physics_word).build(model, sections, order, comm, diagnostics);
  prepare_design(model, *sections.top, diagnostics);
  if (model.residual && designs_shape(*sections.top)) model.residual->add_coordinates();
}

/// Checks that nodes without cells are prescribed.
void check_surfaces(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const std::optional<UnconstrainedNode> loose = find_unconstrained_node(*model.residual);
  if (!loose) return;
  const spec::Value& mesh = *sections.find("mesh");
  diagnostics.error(mesh.key_position, mesh.yaml_path, "the body '" + loose->region + "' has no cells, and '" + loose->component + "' of its nodes is not prescribed",
                    "give all its components in 'boundary', below '" + loose->region + "'");
}

/// Checks that a saved state is the initial state.
void check_saved_state(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const spec::Value* initial = sections.find("initial");
  const spec::Value* from = initial ? initial->find(initial_from) : nullptr;
  if (!from) return;
  if (model.control_named(initial_velocity) >= 0)
    diagnostics.error(from->key_position, from->yaml_path, "the initial state is designed ('initial_field')", "leave out one of the two");
}

/// Whether prescribed values are not zero where a march begins at rest. With given values of the initial state, these are taken to fit.
/// Collective.
bool jumps_at_start(const CaseModel& model, const CaseSections& sections) {
  if (model.march->from_equilibrium || model.control_named(initial_velocity) >= 0) return false;
  if (const spec::Value* initial = sections.find("initial"))
    for (const spec::Value& region : *initial)
      if (region.key == initial_from || std::ranges::any_of(region, [&](const spec::Value& v) { return model.component(v.key) >= 0; })) return false;
  const VecHandle start = model.residual->create_vector();
  const Setting given{.controls = std::make_shared<const Controls>(model.residual->control_values())};
  model.residual->impose_constraints(given.at(model.start), start);
  // What is prescribed for the potential of a pressure correction are pressures, which may begin at any value.
  const std::vector<char> kinds = model.residual->algebraic_unknowns();
  rows_by_mark<unknown_kinds>(kinds)[static_cast<std::size_t>(UnknownKind::potential)].clear(start);
  PetscReal largest = 0;
  check(VecNorm(start, NORM_INFINITY, &largest));
  return largest > 0;
}

/// Whether Newton's method starts from the solution on linear elements, i.e. whether that is worth its cost.
bool begins_linear(const CaseModel& model, const CaseSections& sections) {
  return !model.march && !model.ties && model.physics->begins_on_linear_elements(model) && model.dofs->n_global() >= LinearStart::worthwhile &&
         (*sections.top)["solver"]["start"].text() == "auto";
}

}  // namespace

CaseModel build_case(const CaseSections& sections, const std::vector<double>& data_times, MPI_Comm comm,
                     MeshCache& cache, Diagnostics& diagnostics) {
  CaseModel model;
  model.name = sections.name.empty() ? "case" : sections.name;
  if (sections.own)
    for (const spec::Value& section : *sections.own) model.own_sections.insert(section.key);
  bool complete = true;
  for (const char* section : {"mesh", "physics", "materials"})
    if (!sections.find(section)) {
      const spec::Value& at = sections.place();
      diagnostics.error(at.position, at.yaml_path, std::string("section '") + section + "' is missing");
      complete = false;
    }
  if (!complete) return model;
  const std::size_t before = diagnostics.size();
  check_fits_physics(sections, diagnostics);
  const bool fits = diagnostics.size() == before;
  const spec::Value& options = *sections.find("physics");
  model.physics_word = options["type"].text();
  const Physics& physics = physics_of(model.physics_word);
  const int order = physics.order(options);
  model.mesh = build_mesh(sections, physics, comm, cache, diagnostics);
  const spec::Value* time = sections.find("time");
  model.march = march_of(time, time ? physics.time_order(*time) : 1, diagnostics);
  model.path = path_of(time, physics, diagnostics);
  if (model.march) {
    model.times = march_times(*time, data_times, diagnostics);
    model.start = model.times.front();
  } else if (model.path) {
    model.times = path_times(*time, *model.path, data_times, model.start, diagnostics);
  } else {
    model.times = times_of(time, sections.place(), data_times, model.start, diagnostics);
  }
  if (!model.march)
    if (const spec::Value* initial = sections.find("initial"))
      diagnostics.error(initial->key_position, initial->yaml_path, "'initial' is for processes in time", "give 'time' a 'scheme'");
  if (!model.mesh || !fits) return model;
  add_equations(model, sections, order, comm, diagnostics);
  if (diagnostics.size() == before) check_surfaces(model, sections, diagnostics);
  if (diagnostics.size() == before) check_saved_state(model, sections, diagnostics);
  if (diagnostics.size() == before) build_ties(model, sections, diagnostics);
  if (diagnostics.size() == before) check_start(model, sections, diagnostics);
  if (model.march && model.residual && model.march->scheme.corrects_pressure() && !model.physics->corrects_pressure())
    diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path, "pressure_correction is for incompressible flow");
  if (model.march && model.residual && time->has("data_shift"))
    model.shift_control = model.residual->add_control({"time.data_shift", "s"}, {(*time)["data_shift"].number()});
  if (diagnostics.size() == before && model.march) model.jumps = jumps_at_start(model, sections);
  if (diagnostics.size() == before && model.path) choose_scaled(model, *time, diagnostics);
  if (diagnostics.size() == before && begins_linear(model, sections)) {
    CaseModel linear;
    linear.name = model.name;
    linear.physics_word = model.physics_word;
    linear.mesh = model.mesh;
    linear.times = model.times;
    linear.start = model.start;
    Diagnostics said;  // the same messages as for the model
    add_equations(linear, sections, 1, comm, said);
    if (said.size() == 0) model.linear_start = linear.residual;
  }
  return model;
}

}  // namespace invar
