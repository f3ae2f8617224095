// Boundary values, loads and initial values of a flow.
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <regex>

#include "apps/invar/physics/flow_builder.hpp"
#include "apps/invar/physics/flow_case_builder.hpp"
#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "libfluid/flow/pressure_level.hpp"

namespace invar {

using spec::Value;

std::vector<int> numbers_to(int first, int end) {
  std::vector<int> numbers(end - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// The load of that type over the volume of a fluid, which enters the stabilised equations in several terms.
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

void FlowBuilder::boundary() {
  const Value* boundary = sections_.find("boundary");
  if (!boundary) return;
  const int dim = model_.mesh->dim;
  for (const Value& s : *boundary) {
    if (!check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) continue;
    if (const Value* wall = s.find("no_slip"); wall && wall->boolean()) {
      for (const char* key : components)
        if (const Value* v = s.find(key))
          diagnostics_.error(v->key_position, v->yaml_path, std::string("'no_slip' prescribes zero velocity; remove it or '") + key + "'");
      if (const Value& adds = s["adds"]; adds.boolean())
        diagnostics_.error(adds.position, adds.yaml_path, "'no_slip' prescribes zero velocity, which adds nothing; remove one of the two");
      for (int i = 0; i < dim; ++i) residual_.add_dirichlet({s.key, i, binder_.zero()});
      flow_.walls.push_back(s.key);
    } else {
      prescribe_components(s, "m/s");
    }
    free_stream(s);
    turbulence_.prescribe_at(s, std::ranges::find(flow_.walls, s.key) != flow_.walls.end());
    if (const Value* c = s.find("c"); c && check_carries(flow_.scalar, *c, diagnostics_))
      prescribe(s, model_.component(flow_component::scalar), "c", "1");
    const Value* p = s.find("p");
    if (!p) continue;
    if (model_.mesh->find_region(s.key)->dim > 0)
      diagnostics_.error(p->key_position, p->yaml_path,
                         "'p' prescribes the pressure of an enclosed flow at a point, and '" + s.key + "' is none",
                         "for an outlet use 'loads: {NAME: {type: pressure, region: " + s.key + ", p: …}}'");
    if (model_.march && !(p->is_number() && p->number() == 0) && !model_.march->balances_at_end())
      diagnostics_.error(p->position, p->yaml_path, "this time scheme satisfies the equations within its steps, not at their ends: the pressure of a point can only be prescribed as 0",
                         "use bdf2, backward_euler or sdirk2");
    if (flow_.splits) correction_.hold_at(s, *p);
    else prescribe(s, model_.component(flow_component::pressure), "p", "Pa");
  }
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
    return refuse("'no_slip' prescribes zero velocity, and this a motion", "remove one of the two");
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

/// Checks that a volume load, which is part of the equations of a fluid, acts on the whole fluid.
void FlowBuilder::check_volume_load(const FlowLoad& load, const Value& l, const std::string& region) {
  if (std::none_of(flow_.parts.begin(), flow_.parts.end(),
                   [&](const FluidPart& part) { return region.empty() || part.region == region; }))
    diagnostics_.error(l["region"].position, l["region"].yaml_path,
                       "the load '" + std::string(load.name) + "' acts on a whole fluid: name the region of a material, or 'all'");
  if (load.of_scalar && !flow_.scalar) refuse_load_of_scalar(l, diagnostics_);
}

/// The density of the adjacent fluid, if the load needs it; nothing, with an error message, if there are several fluids.
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
    if (flow_.splits && load.boundary == FlowBoundary::pressure) correction_.add_outside(*where, values->front());
    if (flow_.splits && load.boundary == FlowBoundary::traction && std::ranges::any_of(*values, [&](const auto& v) { return residual_.varies(v); }))
      flow_.changing_traction = l.key;
    FormUse use = used_as(l);
    use.linear = model_.march && !load.of_flow;
    if (use.linear) use.loads = numbers_to(0, static_cast<int>(values->size()));
    residual_.add_form(load.make(flow_.kind, *setting, CellBatches::on_facets(model_.dofs, *where, flow_.facet_degree)), std::move(*values),
                       std::move(use));
  }
}

namespace {

void report_enclosed_flow(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  std::string points;
  for (const Region& r : model.mesh->regions)
    if (r.dim == 0) points += (points.empty() ? "" : ", ") + r.name;
  const Value *boundary = sections.find("boundary"), &at = boundary ? *boundary : *sections.find("physics");
  diagnostics.error(at.key_position, at.yaml_path,
                    "the flow of case '" + model.name + "' is enclosed: the velocity through every part of its boundary is prescribed" +
                        (model.ties ? " or tied" : "") + ", and the level of the pressure is undetermined",
                    points.empty() ? "leave a boundary open with 'loads: {NAME: {type: pressure, region: …, p: 0}}', or name a point of "
                                     "the mesh and add 'boundary: {POINT: {p: 0}}'"
                                   : "add 'boundary: {POINT: {p: 0}}' with one of the mesh's points: " + points);
}

bool has_pressure_level(const CaseModel& model) {
  int open = pressure_level(*model.residual, model.component(flow_component::pressure), {}, model.ties.get()).open();
  MPI_Allreduce(MPI_IN_PLACE, &open, 1, MPI_INT, MPI_MIN, model.dofs->comm());
  return !open;
}

}  // namespace

void check_tied_flow(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  if (!model.physics->corrects_pressure() && !has_pressure_level(model)) report_enclosed_flow(model, sections, diagnostics);
}

std::string push_periodic_flow(CaseModel& model, const std::string& side, ControlledValue more) {
  const FlowCase& flow = *model.as<FlowCase>();
  model.residual->add_form(make_pressure_outlet(flow.kind, CellBatches::on_facets(model.dofs, side, flow.facet_degree)), {std::move(more)},
                           {.name = "the pressure beyond '" + side + "'"});
  return {};
}

void FlowBuilder::require_pressure_level() {
  if (!flow_.splits && sections_.has_ties()) return;  // which may hold the level, or leave it open
  if (!(flow_.splits ? correction_.has_level() : has_pressure_level(model_))) report_enclosed_flow(model_, sections_, diagnostics_);
}

void FlowBuilder::initial() {
  const auto others = [this](const Value& s, const std::string& region, const std::string& path) {
    const auto begin = [&](const char* component, const char* unit) {
      residual_.add_initial({Level::value, region, model_.component(component), bind_constant(s, path, component, unit)});
    };
    if (const Value* c = s.find("c")) {
      if (flow_.scalar) begin(flow_component::scalar, "1");
      else diagnostics_.error(c->key_position, c->yaml_path, "there is no flow with a passive scalar here", "set 'scalar: true' in 'physics' of a flow");
    }
    turbulence_.begin_at(s, region, path);
    if (const Value* p = s.find("p")) {
      if (flow_.splits) begin(flow_component::pressure, "Pa");
      else
        diagnostics_.error(p->key_position, p->yaml_path, "the pressure at the start follows from the velocity",
                           "leave it out, or use 'scheme: pressure_correction'");
    }
  };
  initial_state("in flow u is the velocity; use u_x, u_y, u_z", others);
}

}  // namespace invar
