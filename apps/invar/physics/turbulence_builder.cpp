#include "apps/invar/physics/turbulence_builder.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "apps/invar/physics/flow_domains.hpp"
#include "libfem/space/expression.hpp"
#include "libfem/space/wall_proximity.hpp"
#include "libfluid/turbulence/branch_forms.hpp"
#include "libfluid/turbulence/first_factor.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"
#include "libfluid/turbulence/turbulence_forms.hpp"

namespace invar {

using spec::Value;

namespace {

/// Laminar cases may share a material with turbulent ones.
bool some_case_turbulent(const Value& spec) {
  const auto turbulent = [](const Value& sections) {
    const Value* physics = sections.find("physics");
    const Value* model = physics ? physics->find("turbulence") : nullptr;
    return model && model->text() != "none";
  };
  const Value* cases = spec.find("cases");
  return turbulent(spec) || (cases && std::any_of(cases->begin(), cases->end(), turbulent));
}

}  // namespace

void TurbulenceBuilder::refuse_constants(const Value& m) {
  if (some_case_turbulent(*sections_.top)) return;
  const auto refuse = [&](const ParamSpec& p) {
    if (const Value* given = m.find(p.key); given && !given->defaulted)
      diagnostics_.error(given->key_position, given->yaml_path, "'" + std::string(p.key) + "' is for turbulent flow, and this flow is laminar",
                         "set 'turbulence: spalart_allmaras' in 'physics', or leave it out");
  };
  refuse(production_multiplier_parameter);
  std::ranges::for_each(SpalartAllmarasConstants::parameters, refuse);
}

void TurbulenceBuilder::constants(const Value& m, const std::string& path, FluidPart& part) {
  if (part.law_name != "newtonian")
    diagnostics_.error(m["model"].position, m["model"].yaml_path, "turbulence is modelled for newtonian fluids only", "use 'model: newtonian'");
  part.turbulence.push_back({constant(m, path, production_multiplier_parameter, production_multiplier_parameter.default_value), {}});
  for (const ParamSpec& p : SpalartAllmarasConstants::parameters) part.turbulence.push_back({constant(m, path, p, p.default_value), {}});
}

std::vector<std::string> TurbulenceBuilder::walls(const Value& physics, std::vector<std::string> of_case) {
  const Value* given = physics.find("wall_distance");
  if (!given) return of_case;
  std::vector<std::string> named;
  for (const Value& name : *given)
    if (check_region(*model_.mesh, name.text(), model_.mesh->dim - 1, name, diagnostics_)) named.push_back(name.text());
  return named;
}

void TurbulenceBuilder::begin_with_larger_viscosity(const std::vector<std::string>& walls, const FluidPart& part) {
  const auto number = [&](const ControlledValue& v) { return residual_.control_values()[v.control][0]; };
  residual_.set_transported(transported_viscosity(model_.component(flow_component::turbulence),
                                                  first_viscosity_factor(residual_, walls, number(part.constants[0]), number(part.constants[1]),
                                                                         model_.times.empty() ? 1.0 : model_.times.back())));
}

std::vector<ControlledValue> TurbulenceBuilder::of_pseudo_mass(const FluidPart& part) {
  return {part.turbulence[1 + SpalartAllmarasConstants::cv1], part.turbulence[1 + SpalartAllmarasConstants::sigma]};
}

void TurbulenceBuilder::transport(const Value& physics, FlowCase& flow) {
  const std::vector<std::string> walls = this->walls(physics, flow.walls);
  if (walls.empty()) {
    diagnostics_.error(physics["turbulence"].position, physics["turbulence"].yaml_path,
                       "the turbulence model needs the distance to the nearest wall, and the case '" + model_.name + "' has no wall",
                       "add 'boundary: {REGION: {no_slip: true}}', or name regions in 'wall_distance'");
    return;
  }
  flow.wall_distance = std::make_shared<WallDistance>(model_.mesh, walls);
  ControlledValue distance, proximity;
  distance.field = residual_.add_field(flow.wall_distance);
  proximity.field = residual_.add_field(std::make_shared<WallProximity>(model_.mesh, flow.wall_distance));
  begin_with_larger_viscosity(walls, flow.parts[0]);
  const double capturing = physics["discontinuity_capturing"].number();
  for (const FluidPart& part : flow.parts) {
    std::vector<ControlledValue> values{part.constants[0], part.constants[1], distance, proximity};
    std::ranges::copy(part.turbulence, std::back_inserter(values));
    values.push_back(binder_.zero());
    for (CellBatches& cells : fluid_domains(flow, model_, part, true)) {
      residual_.add_branches(make_spalart_allmaras_branch(flow.kind, cells), cells, values);
      const int form = residual_.add_form(make_spalart_allmaras(flow.kind, capturing, model_.march.has_value(), std::move(cells)), values,
                                          {.name = "the turbulence of '" + part.name + "'"});
      if (flow.turbulence_form < 0) flow.turbulence_form = form;
    }
  }
}

/// Whether a number, or a formula at the nodes of its region at the start, is negative. Collective.
bool TurbulenceBuilder::is_negative_somewhere(const Value& value, const Value& support) {
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

void TurbulenceBuilder::hold_at_wall(const std::string& region) {
  residual_.add_dirichlet({region, model_.component(flow_component::turbulence), binder_.zero()});
}

void TurbulenceBuilder::prescribe_at(const Value& s, bool wall) {
  const Value* chi = s.find("chi");
  if (chi && !turbulent_)
    diagnostics_.error(chi->key_position, chi->yaml_path, "'chi' is for turbulent flow, and this flow is laminar",
                       "set 'turbulence: spalart_allmaras' in 'physics'");
  else if (chi && wall)
    diagnostics_.error(chi->key_position, chi->yaml_path, "chi is 0 at walls", "leave it out");
  else if (chi && is_negative_somewhere(*chi, s))
    diagnostics_.error(chi->position, chi->yaml_path, "'chi' must not be negative", "use 3 to 5 at the inflow of fully turbulent flow");
  else if (turbulent_ && wall)
    hold_at_wall(s.key);
  else if (chi)
    prescribe(s, model_.component(flow_component::turbulence), "chi", "1");
}

void TurbulenceBuilder::begin_at(const Value& s, const std::string& region, const std::string& path) {
  const Value* chi = s.find("chi");
  if (!chi) return;
  if (!turbulent_)
    diagnostics_.error(chi->key_position, chi->yaml_path, "'chi' is for turbulent flow, and there is none here",
                       "set 'turbulence: spalart_allmaras' in 'physics' of a flow");
  else if (chi->is_number() && chi->number() < 0)
    diagnostics_.error(chi->position, chi->yaml_path, "'chi' must not be negative");
  else
    residual_.add_initial({Level::value, region, model_.component(flow_component::turbulence), bind_constant(s, path, flow_component::turbulence, "1")});
}

}  // namespace invar
