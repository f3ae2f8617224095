#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <regex>

#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfem/mesh/wall_distance.hpp"
#include "libfem/space/expression.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/flow/grad_div.hpp"
#include "libfluid/flow/open_boundary.hpp"
#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/pressure_level.hpp"
#include "libfluid/flow/pseudo_mass_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/solve/corrected_flow.hpp"
#include "libfluid/solve/flow_preconditioner.hpp"
#include "libfluid/turbulence/branch_forms.hpp"
#include "libfluid/turbulence/first_factor.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"

namespace invar {
namespace {

using spec::Value;

FlowKind flow_kind_of(const std::string& word) {
  if (word == "planar") return FlowKind::planar;
  return word == "axisymmetric" ? FlowKind::axisymmetric : FlowKind::spatial;
}

bool is_viscosity(std::string_view key) { return key.starts_with("viscosity") || key == "consistency"; }

std::vector<int> numbers_to(int first, int end) {
  std::vector<int> numbers(end - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

bool is_simplex(Shape shape) { return shape == Shape::triangle || shape == Shape::tetrahedron; }

class FlowBuilder : CaseBuilder {
 public:
  FlowBuilder(FlowCase& flow, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, false, diagnostics), flow_(flow) {}

  void fluids();
  void add_equations(const Value& physics);
  void boundary();
  void loads();
  /// An enclosed flow must say how high its pressure is.
  void require_pressure_level();
  /// The potential of a pressure correction vanishes where the flow is open, or at the point where the pressure is held.
  void hold_potential();
  /// The grad-div parameter that the spec gives, or the one of its boundary's velocities.
  void choose_grad_div(const Value& given);
  using CaseBuilder::initial_state;

 private:
  void fluid(const Value& m);
  const Value* volume_load_of(const FluidPart& part, const char* type);
  std::vector<ControlledValue> volume_load(const FluidPart& part, const char* type, int coefficient_count);
  std::vector<CellBatches> domains_of(const FluidPart& part, bool by_shape);
  void add_stabilised_inertia(const FluidPart& part);
  bool is_linear(const FluidPart& part) const;
  void correct_pressure(const FluidPart& part);
  void carry_scalar();
  /// What a support says by 'speed' and 'angle'.
  void free_stream(const Value& support);
  void transport_turbulence(const Value& physics);
  void follow_in_pseudo_time();
  void turbulence_constants(const Value& m, const std::string& path, FluidPart& part);
  void prescribe_turbulence(const Value& s, bool wall);
  bool is_negative_somewhere(const Value& value, const Value& support);
  void hold_pressure(const Value& s, const Value& p);
  /// Whether there is a scalar that the key could mean; else it is a mistake.
  bool carries(const Value& key);
  void check_volume_load(const FlowLoad& load, const Value& l, const std::string& region);
  std::optional<std::vector<ControlledValue>> density_for(const FlowLoad& load, const Value& l);

  FlowCase& flow_;
  std::vector<int> viscosities_;  // controls that scale with the viscosity
  bool holds_pressure_ = false;   // at a point
};

void FlowBuilder::fluid(const Value& m) {
  const std::optional<std::string> region = region_of(m, model_.mesh->dim);
  if (!region) return;
  const std::string path = "materials." + m.key;
  FluidPart part{.name = m.key, .region = *region, .law_name = m["model"].text(), .law = {}, .constants = {}, .resistance = {}, .diffusivity = {}, .turbulence = {}};
  part.law = make_viscosity_law(part.law_name);
  for (const ParamSpec& p : flow_law_parameters(part.law_name)) {
    const int control = constant(m, path, p, p.default_value);
    if (is_viscosity(p.key)) viscosities_.push_back(control);
    part.constants.push_back({control, {}});
  }
  part.resistance = {constant(m, path, resistance_parameter, 0.0), {}};
  if (flow_.scalar) part.diffusivity = {constant(m, path, diffusivity_parameter, std::nullopt), {}};
  else if (const Value* given = m.find(diffusivity_parameter.key)) carries(*given);
  if (flow_.turbulent) turbulence_constants(m, path, part);
  flow_.parts.push_back(std::move(part));
}

void FlowBuilder::fluids() {
  const std::size_t before = diagnostics_.size();
  for (const Value& m : *sections_.find("materials")) fluid(m);
  std::vector<std::string> regions;
  for (const FluidPart& part : flow_.parts) regions.push_back(part.region);
  if (diagnostics_.size() == before) check_covered(regions);
}

bool FlowBuilder::carries(const Value& key) {
  if (!flow_.scalar)
    diagnostics_.error(key.key_position, key.yaml_path, "'" + key.key + "' is of a scalar, and this flow carries none",
                       "set 'scalar: true' in 'physics'");
  return flow_.scalar;
}

/// The load of that type over the volume of a fluid: it enters the stabilised equations in more than one place.
const Value* FlowBuilder::volume_load_of(const FluidPart& part, const char* type) {
  const Value *loads = sections_.find("loads"), *found = nullptr;
  if (!loads) return nullptr;
  for (const Value& l : *loads) {
    if (l["type"].text() != type) continue;
    const std::string region = l["region"].text();
    if (region != "all" && region != part.region) continue;
    if (found)
      diagnostics_.error(l.position, l.yaml_path, "the fluid '" + part.name + "' already has the " + std::regex_replace(std::string(type), std::regex("_"), " ") + " '" + found->key + "'",
                         "give one with the sum of the two");
    found = &l;
  }
  return found;
}

/// Its coefficients; zeros where there is none.
std::vector<ControlledValue> FlowBuilder::volume_load(const FluidPart& part, const char* type, int coefficient_count) {
  const Value* load = volume_load_of(part, type);
  return load ? coefficients(*find_term(flow_loads(), type), *load, "loads." + load->key)
              : std::vector<ControlledValue>(coefficient_count, binder_.zero());
}

/// The cells of a fluid, in as many parts as the stabilisation wants; as many on every rank.
std::vector<CellBatches> FlowBuilder::domains_of(const FluidPart& part, bool by_shape) {
  CellBatches all = CellBatches::on_cells(model_.dofs, part.region, flow_.degree);
  std::vector<CellBatches> domains;
  if (!by_shape) {
    domains.push_back(std::move(all));
    return domains;
  }
  std::vector<CellBatches> parts = split_by_shape(all);
  for (const bool simplex : {true, false}) {
    const auto fits = [&](const CellBatches& p) { return !p.groups.empty() && is_simplex(p.groups[0].type.shape) == simplex; };
    const auto mine = std::find_if(parts.begin(), parts.end(), fits);
    int somewhere = mine != parts.end();
    MPI_Allreduce(MPI_IN_PLACE, &somewhere, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
    if (somewhere) domains.push_back(mine != parts.end() ? std::move(*mine) : all.without_cells());
  }
  return domains;
}

void FlowBuilder::choose_grad_div(const Value& given) {
  if (flow_.discretisation != FlowDiscretisation::taylor_hood) return;
  if (given.is_number()) {
    flow_.grad_div = given.number();
    return;
  }
  if (flow_.kind != FlowKind::spatial || !flow_.convection || model_.march) return;
  double density = 0;
  for (const FluidPart& part : flow_.parts)
    density = std::max(density, residual_.control_values()[part.constants[0].control][0]);
  flow_.grad_div = suggested_grad_div(residual_, density, model_.times.empty() ? 1.0 : model_.times.back());
}

void FlowBuilder::add_equations(const Value& physics) {
  const int dim = model_.mesh->dim;
  for (FluidPart& part : flow_.parts) {
    std::vector<ControlledValue> values = part.constants;
    const int first_force = static_cast<int>(values.size());
    std::ranges::copy(volume_load(part, "body_force", dim), std::back_inserter(values));
    values.push_back(part.resistance);
    if (flow_.turbulent) values.push_back(part.turbulence[1 + SpalartAllmarasConstants::cv1]);
    for (CellBatches& cells : domains_of(part, flow_.discretisation == FlowDiscretisation::equal_order)) {
      const FlowModel equations = flow_.model(part);
      residual_.add_form(flow_.corrects_pressure ? make_corrected_momentum(flow_.kind, equations, std::move(cells))
                                                 : make_navier_stokes(flow_.kind, flow_.discretisation, equations, std::move(cells)),
                         values, {.name = "the flow of '" + part.name + "'", .linear = is_linear(part), .loads = numbers_to(first_force, first_force + dim)});
      ++part.form_count;
    }
  }
  if (model_.march) {
    std::vector<CorrectedFlow::Convection> carried;
    for (const FluidPart& part : flow_.parts) {
      if (flow_.discretisation == FlowDiscretisation::equal_order) {
        add_stabilised_inertia(part);
        continue;
      }
      const auto cells = [&] { return CellBatches::on_cells(model_.dofs, part.region, flow_.degree); };
      residual_.add_form(make_flow_inertia(flow_.kind, cells()), {part.constants[0]}, {.linear = true});
      if (flow_.corrects_pressure) correct_pressure(part);
      if (flow_.linearised && flow_.convection)
        carried.push_back({residual_.add_form(make_linearised_convection(flow_.kind, cells()), {part.constants[0]}), part.region, flow_.degree});
    }
    residual_.set_algebraic({model_.pressure_component()});
    if (flow_.corrects_pressure) residual_.set_potential(model_.potential_component());
    const std::string& method = (*sections_.top)["solver"]["linear"].text();
    if (auto* corrected = dynamic_cast<CorrectedFlow*>(&residual_); corrected && !flow_.stress_form && flow_.grad_div == 0 && (method == "auto" || method == "block_triangular"))
      corrected->solve_by_blocks(flow_.kind, std::move(carried), model_.pressure_component(), model_.potential_component());
  }
  if (flow_.scalar) carry_scalar();
  if (flow_.turbulent) transport_turbulence(physics);
  if (flow_.convection && (!model_.march || model_.march->from_equilibrium)) follow_in_pseudo_time();
  residual_.set_continuation_controls(viscosities_);
}

void FlowBuilder::add_stabilised_inertia(const FluidPart& part) {
  std::vector<ControlledValue> values = part.constants;
  values.push_back(part.resistance);
  if (flow_.turbulent) values.push_back(part.turbulence[1 + SpalartAllmarasConstants::cv1]);
  for (CellBatches& cells : domains_of(part, true))
    residual_.add_form(make_stabilised_inertia(flow_.kind, flow_.model(part), std::move(cells)), values);
}

/// Whether the equations of a fluid, convection left out, are assembled once for all steps in time.
bool FlowBuilder::is_linear(const FluidPart& part) const {
  return model_.march && !flow_.model(part).convection && part.law.kind == ViscosityLaw::Kind::newtonian;
}

void FlowBuilder::correct_pressure(const FluidPart& part) {
  std::vector<int> components;
  for (int i = 0; i < model_.mesh->dim; ++i) components.push_back(i);
  components.push_back(model_.pressure_component());
  components.push_back(model_.potential_component());
  residual_.add_form(make_pressure_correction(flow_.kind, flow_.model(part), CellBatches::on_cells(model_.dofs, part.region, flow_.degree, components)),
                     part.constants, {.linear = is_linear(part)});
}

void FlowBuilder::hold_potential() {
  if (flow_.corrects_pressure)
    residual_.add_dirichlet({.region = "", .component = model_.potential_component(), .value = binder_.zero(), .nodes = open_boundary(residual_)});
}

void FlowBuilder::carry_scalar() {
  const ScalarTransport transport = !model_.march      ? ScalarTransport::steady
                                    : flow_.linearised ? ScalarTransport::linearised
                                                       : ScalarTransport::implicit;
  for (const FluidPart& part : flow_.parts) {
    const ControlledValue rate = volume_load(part, "source", 1)[0];
    for (CellBatches& cells : domains_of(part, true))
      residual_.add_form(make_passive_scalar(flow_.kind, transport, std::move(cells)), {part.diffusivity, rate});
  }
}

void FlowBuilder::turbulence_constants(const Value& m, const std::string& path, FluidPart& part) {
  if (part.law_name != "newtonian")
    diagnostics_.error(m["model"].position, m["model"].yaml_path, "turbulence is modelled for newtonian fluids only", "use 'model: newtonian'");
  part.turbulence.push_back({constant(m, path, production_multiplier_parameter, production_multiplier_parameter.default_value), {}});
  for (const ParamSpec& p : SpalartAllmarasConstants::parameters) part.turbulence.push_back({constant(m, path, p, p.default_value), {}});
}

/// The walls are where the fluid rests, unless the spec names them.
void FlowBuilder::transport_turbulence(const Value& physics) {
  std::vector<std::string> walls = flow_.walls;
  const Value* given = physics.find("wall_distance");
  if (given) {
    walls.clear();
    for (const Value& name : *given)
      if (check_region(*model_.mesh, name.text(), model_.mesh->dim - 1, name, diagnostics_)) walls.push_back(name.text());
  }
  if (walls.empty()) {
    diagnostics_.error(physics["turbulence"].position, physics["turbulence"].yaml_path,
                       "the turbulence model needs the distance to the nearest wall, and the case '" + model_.name + "' has no wall",
                       "add 'boundary: {REGION: {no_slip: true}}', or name regions in 'wall_distance'");
    return;
  }
  flow_.wall_distance = std::make_shared<WallDistance>(model_.mesh, walls);
  ControlledValue distance;
  distance.field = residual_.add_field(flow_.wall_distance);
  const auto number = [&](const ControlledValue& v) { return residual_.control_values()[v.control][0]; };
  residual_.set_first_factor(first_viscosity_factor(residual_, walls, number(flow_.parts[0].constants[0]), number(flow_.parts[0].constants[1]),
                                                    model_.times.empty() ? 1.0 : model_.times.back()),
                             model_.turbulence_component());
  const double capturing = physics["discontinuity_capturing"].number();
  for (const FluidPart& part : flow_.parts) {
    std::vector<ControlledValue> values{part.constants[0], part.constants[1], distance};
    std::ranges::copy(part.turbulence, std::back_inserter(values));
    values.push_back(binder_.zero());
    for (CellBatches& cells : domains_of(part, true)) {
      residual_.add_branches(make_spalart_allmaras_branch(flow_.kind, cells), cells, values);
      const int form = residual_.add_form(make_spalart_allmaras(flow_.kind, capturing, model_.march.has_value(), std::move(cells)), values,
                                          {.name = "the turbulence of '" + part.name + "'"});
      if (flow_.turbulence_form < 0) flow_.turbulence_form = form;
    }
  }
}

void FlowBuilder::follow_in_pseudo_time() {
  for (const FluidPart& part : flow_.parts) {
    std::vector<ControlledValue> values = part.constants;
    if (flow_.turbulent)
      for (const int constant : {SpalartAllmarasConstants::cv1, SpalartAllmarasConstants::sigma}) values.push_back(part.turbulence[1 + constant]);
    for (CellBatches& cells : domains_of(part, true))
      residual_.add_pseudo_time(make_flow_pseudo_mass(flow_.kind, flow_.model(part), std::move(cells)), values);
  }
}

/// Of a number, or of a formula at the nodes of its region when time begins. Collective.
bool FlowBuilder::is_negative_somewhere(const Value& value, const Value& support) {
  if (value.is_number()) return value.number() < 0;
  const Expression formula(value.text());
  int negative = 0;
  for (const int node : model_.mesh->find_region(support.key)->nodes) {
    std::array<double, 3> x{};
    std::copy_n(&model_.mesh->coordinates[std::size_t(node) * model_.mesh->dim], model_.mesh->dim, x.begin());
    negative |= support["factor"].number() * formula(x[0], x[1], x[2], model_.start) < 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &negative, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
  return negative != 0;
}

/// χ at a part of the boundary: 0 at walls.
void FlowBuilder::prescribe_turbulence(const Value& s, bool wall) {
  const Value* chi = s.find("chi");
  if (chi && !flow_.turbulent)
    diagnostics_.error(chi->key_position, chi->yaml_path, "'chi' is of turbulent flow, and this flow is laminar",
                       "set 'turbulence: spalart_allmaras' in 'physics'");
  else if (chi && wall)
    diagnostics_.error(chi->key_position, chi->yaml_path, "'no_slip' says that chi is 0 here; remove it or 'chi'");
  else if (chi && is_negative_somewhere(*chi, s))
    diagnostics_.error(chi->position, chi->yaml_path, "'chi' must not be negative", "fully turbulent flow enters with 3 to 5");
  else if (flow_.turbulent && wall)
    residual_.add_dirichlet({s.key, model_.turbulence_component(), binder_.zero()});
  else if (chi)
    prescribe(s, model_.turbulence_component(), "chi", "1");
}

void FlowBuilder::boundary() {
  const Value* boundary = sections_.find("boundary");
  if (!boundary) return;
  const int dim = model_.mesh->dim;
  for (const Value& s : *boundary) {
    if (!check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) continue;
    if (const Value* wall = s.find("no_slip"); wall && wall->boolean()) {
      for (const char* key : components)
        if (const Value* v = s.find(key))
          diagnostics_.error(v->key_position, v->yaml_path, std::string("'no_slip' says that the fluid rests; remove it or '") + key + "'");
      if (const Value& adds = s["adds"]; adds.boolean())
        diagnostics_.error(adds.position, adds.yaml_path, "'no_slip' says that the fluid rests, which adds nothing; remove one of the two");
      for (int i = 0; i < dim; ++i) residual_.add_dirichlet({s.key, i, binder_.zero()});
      flow_.walls.push_back(s.key);
    } else {
      prescribe_components(s, "m/s");
    }
    free_stream(s);
    prescribe_turbulence(s, std::ranges::find(flow_.walls, s.key) != flow_.walls.end());
    if (const Value* c = s.find("c"); c && carries(*c))
      prescribe(s, model_.scalar_component(), "c", "1");
    const Value* p = s.find("p");
    if (!p) continue;
    if (model_.mesh->find_region(s.key)->dim > 0)
      diagnostics_.error(p->key_position, p->yaml_path,
                         "'p' holds the pressure of an enclosed flow at a point, and '" + s.key + "' is none",
                         "for an outlet use 'loads: {NAME: {type: pressure, region: " + s.key + ", p: …}}'");
    if (model_.march && !(p->is_number() && p->number() == 0) && !model_.march->balances_at_end())
      diagnostics_.error(p->position, p->yaml_path, "this time scheme balances within its steps: the pressure of a point can be held at 0 only",
                         "use bdf2, backward_euler or sdirk2");
    if (flow_.corrects_pressure) hold_pressure(s, *p);
    else prescribe(s, model_.pressure_component(), "p", "Pa");
  }
}

/// By its potential: what the correction adds to the pressure there is zero.
void FlowBuilder::hold_pressure(const Value& s, const Value& p) {
  holds_pressure_ = true;
  residual_.add_dirichlet({s.key, model_.potential_component(), binder_.zero()});
  if (!p.is_number() || p.number() != 0)
    diagnostics_.error(p.position, p.yaml_path, "pressure_correction holds the pressure of a point at its start: give 0 here",
                       "say how high it is by 'initial: {all: {p: …}}'");
}

void FlowBuilder::free_stream(const Value& s) {
  const Value *speed = s.find("speed"), *angle = s.find("angle");
  if (!speed && !angle) return;
  const Value& given = speed ? *speed : *angle;
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    diagnostics_.error(given.key_position, given.yaml_path, what, hint);
  };
  if (!speed || !angle) return refuse("'speed' and 'angle' belong together", std::string("add '") + (speed ? "angle" : "speed") + "'");
  if (flow_.axisymmetric()) return refuse("an axisymmetric flow has no angle of attack", "give u_x and u_y");
  if (const Value* wall = s.find("no_slip"); wall && wall->boolean())
    return refuse("'no_slip' says that the fluid rests, and this that it moves", "remove one of the two");
  for (const char* key : components)
    if (s.find(key)) return refuse(std::string("the velocity is given twice: by 'speed' and 'angle', and by '") + key + "'", "remove one of the two");
  flow_.streams.push_back(s.key);
  const std::string path = "boundary." + s.key;
  const int radius = bind_constant(s, path, "speed", "m/s").control, turn = bind_constant(s, path, "angle", "deg").control;
  const auto [x, y] = PolarNumbers::values(speed->number(), angle->number());
  const std::array follow{residual_.add_control({"", "m/s"}, {x}), residual_.add_control({"", "m/s"}, {y})};
  model_.polar.push_back({0, radius, turn, follow[0], follow[1]});
  for (int i = 0; i < model_.mesh->dim; ++i)
    residual_.add_dirichlet({.region = s.key,
                             .component = i,
                             .value = i < 2 ? ControlledValue{follow[i], {}} : binder_.zero(),
                             .adds = s["adds"].boolean()});
}

/// What stands in the equations of a fluid acts on all of it.
void FlowBuilder::check_volume_load(const FlowLoad& load, const Value& l, const std::string& region) {
  if (std::none_of(flow_.parts.begin(), flow_.parts.end(),
                   [&](const FluidPart& part) { return region.empty() || part.region == region; }))
    diagnostics_.error(l["region"].position, l["region"].yaml_path,
                       "the load '" + std::string(load.name) + "' acts on all of a fluid: name the region of a material, or 'all'");
  if (load.of_scalar && !flow_.scalar)
    diagnostics_.error(l["type"].position, l["type"].yaml_path,
                       "the load '" + std::string(load.name) + "' is of a scalar, and this flow carries none", "set 'scalar: true' in 'physics'");
}

/// The density of the fluid inside, where the load reads it; nothing after recording that there are several.
std::optional<std::vector<ControlledValue>> FlowBuilder::density_for(const FlowLoad& load, const Value& l) {
  if (!load.reads_density) return std::vector<ControlledValue>();
  if (flow_.parts.size() > 1) {
    diagnostics_.error(l.position, l.yaml_path, "the load '" + std::string(load.name) + "' works with one fluid, and there are " +
                                                    std::to_string(flow_.parts.size()));
    return std::nullopt;
  }
  flow_.density_on_facets = true;
  return std::vector{flow_.parts[0].constants[0]};
}

void FlowBuilder::loads() {
  const Value* loads = sections_.find("loads");
  if (!loads) return;
  for (const Value& l : *loads) {
    const FlowLoad& load = *find_term(flow_loads(), l["type"].text());
    const bool volume = load.domain == TermSpec::Domain::cells;
    const std::optional<std::string> where = region_of(l, volume ? model_.mesh->dim : model_.mesh->dim - 1);
    const std::optional<TermSetting> setting = where ? setting_of(load, l) : std::nullopt;
    if (!setting) continue;
    if (!load.make) {
      check_volume_load(load, l, *where);
      continue;
    }
    if (load.penalises_passage) flow_.slip = l.key;
    std::optional<std::vector<ControlledValue>> values = density_for(load, l);
    if (!values) continue;
    std::ranges::copy(coefficients(load, l, "loads." + l.key), std::back_inserter(*values));
    FormUse use = used_as(l);
    use.linear = model_.march && !load.of_flow;
    if (use.linear) use.loads = numbers_to(0, static_cast<int>(values->size()));
    residual_.add_form(load.make(flow_.kind, *setting, CellBatches::on_facets(model_.dofs, *where, flow_.facet_degree)), std::move(*values),
                       std::move(use));
  }
}

void FlowBuilder::require_pressure_level() {
  int open = flow_.corrects_pressure ? !holds_pressure_ && open_boundary(residual_).empty()
                                     : pressure_level_is_open(residual_, model_.pressure_component());
  MPI_Allreduce(MPI_IN_PLACE, &open, 1, MPI_INT, MPI_MIN, model_.dofs->comm());
  if (!open) return;
  std::string points;
  for (const Region& r : model_.mesh->regions)
    if (r.dim == 0) points += (points.empty() ? "" : ", ") + r.name;
  const Value *boundary = sections_.find("boundary"), &at = boundary ? *boundary : *sections_.find("physics");
  diagnostics_.error(at.key_position, at.yaml_path,
                     "the flow of case '" + model_.name + "' is enclosed: the velocity through every part of its boundary is "
                     "prescribed, and nothing says how high the pressure is",
                     points.empty() ? "leave a boundary open with 'loads: {NAME: {type: pressure, region: …, p: 0}}', or name a point of "
                                      "the mesh and add 'boundary: {POINT: {p: 0}}'"
                                    : "add 'boundary: {POINT: {p: 0}}' with one of the mesh's points: " + points);
}

void choose_quadrature(const Mesh& mesh, FlowCase& flow) {
  for (const CellBlock& block : mesh.cells)
    flow.degree = std::max(flow.degree, flow_degree(flow.kind, flow.discretisation,
                                                    {.law = {}, .convection = flow.convection, .stress_form = flow.stress_form, .turbulent = flow.turbulent}, block.type.shape));
  // The product of three velocities, times r in axisymmetric flow.
  flow.facet_degree = (flow.discretisation == FlowDiscretisation::taylor_hood ? 6 : 3) + (flow.kind == FlowKind::axisymmetric);
}

}  // namespace

void build_flow(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  const int dim = model.mesh->dim;
  auto owned = std::make_unique<FlowCase>();
  FlowCase& flow = *owned;
  model.physics = std::move(owned);
  flow.kind = flow_kind_of(physics["kind"].text());
  flow.discretisation = order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order;
  flow.convection = physics["equations"].text() == "navier_stokes";
  flow.stress_form = physics["viscous_term"].text() == "stress";
  flow.corrects_pressure = model.march && model.march->scheme.corrects_pressure();
  flow.linearised = model.march && (model.march->linearised || flow.corrects_pressure);
  flow.scalar = physics["scalar"].boolean();
  flow.turbulent = physics["turbulence"].text() == "spalart_allmaras";
  flow.stress_form |= flow.turbulent;
  if (!check_flow(sections, dim, flow, diagnostics)) return;
  choose_quadrature(*model.mesh, flow);
  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + "xyz"[i], order});
  components.push_back({"p", 1});
  if (flow.scalar) components.push_back({"c", 1});
  if (flow.turbulent) components.push_back({"chi", 1});
  if (flow.corrects_pressure) components.push_back({"phi", 1});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = flow.corrects_pressure ? std::make_shared<CorrectedFlow>(model.dofs) : std::make_shared<FormResidual>(model.dofs);
  const std::size_t before = diagnostics.size();
  FlowBuilder builder(flow, model, sections, diagnostics);
  builder.fluids();
  const bool known = diagnostics.size() == before;
  builder.boundary();
  builder.hold_potential();
  if (diagnostics.size() == before) builder.choose_grad_div(physics["grad_div"]);
  if (known) builder.add_equations(physics);
  builder.loads();
  builder.initial_state(false);
  if (diagnostics.size() != before) return;
  model.residual->set_node_blocks(flow.discretisation == FlowDiscretisation::equal_order);
  model.residual->finish();
  builder.require_pressure_level();
}

std::string FlowCase::region_of_material(const std::string& name) const {
  return std::ranges::find(parts, name, &FluidPart::name)->region;
}

void FlowCase::describe(DesignCase& c) const {
  c.is_flow = true;
  c.slip = slip;
  if (parts.size() == 1) c.resistance = parts[0].resistance.control;
}

std::string FlowCase::why_no_field(int control) const {
  const bool read_by_facets = density_on_facets && parts[0].constants[0].control == control;
  return read_by_facets ? "the density cannot be a field where a load on facets (backflow) reads it, or a coefficient or a total pressure does" : "";
}

bool FlowCase::begins_on_linear_elements(const CaseModel&) const {
  return discretisation == FlowDiscretisation::taylor_hood && convection && !scalar;
}

std::shared_ptr<SaddlePoint> FlowCase::blocks(const CaseModel& model, bool only_if_they_pay) const {
  if (discretisation != FlowDiscretisation::taylor_hood || parts.size() != 1 || corrects_pressure) return nullptr;
  if (only_if_they_pay && (scalar || kind != FlowKind::spatial || model.march)) return nullptr;
  FlowModel equations = this->model(parts[0]);
  equations.convection = convection;  // also where it is a form of its own
  return std::make_shared<FlowPreconditioner>(*model.residual, 0, kind, equations);
}

std::vector<FlowFields::Fluid> fluids_of(FormResidual& residual, const Setting& given, const std::vector<FluidPart>& parts) {
  std::vector<FlowFields::Fluid> fluids;
  int form = 0;  // the fluids' equations come first, one form for each kind of cell
  for (const FluidPart& part : parts) {
    const std::vector<Coefficient>& c = residual.form_coefficients(form, given);
    fluids.push_back({part.region, part.law, {c.begin() + 1, c.begin() + 1 + part.law.n_parameters()}, c[0]});
    form += part.form_count;
  }
  return fluids;
}

}  // namespace invar
