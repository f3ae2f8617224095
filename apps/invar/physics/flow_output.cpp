#include <algorithm>
#include <cmath>
#include <iterator>
#include <cstdio>

#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/material_fields.hpp"
#include "libfem/io/vtk_writer.hpp"
#include "libfem/solid/solid_fields.hpp"
#include "libfluid/flow/flow_fields.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/flow_scales.hpp"
#include "libfluid/objective/wall_shear.hpp"
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {
namespace {

FlowFields flow_fields_of(const FlowCase& flow, const CaseModel& model, const EvaluationPoint& state) {
  const LocalArray u(state);
  const std::vector<FlowFields::Fluid> fluids = fluids_of(*model.residual, state.given, flow.parts);
  return FlowFields::evaluate(model.dofs, u.data(), model.residual->coordinates(state.given).data(), flow.kind, fluids);
}

std::vector<RegionConstant> flow_constants(const FlowCase& flow) {
  std::vector<RegionConstant> constants;
  for (const FluidPart& part : flow.parts) {
    const auto specs = flow_law_parameters(part.law_name);
    for (std::size_t k = 0; k < specs.size(); ++k)
      constants.push_back({std::string(specs[k].key), part.region, part.constants[k].control});
    constants.push_back({std::string(resistance_parameter.key), part.region, part.resistance.control});
    if (flow.scalar)
      constants.push_back({std::string(diffusivity_parameter.key), part.region, part.diffusivity.control});
  }
  return constants;
}

/// A component of first order at nodes, [node].
std::vector<double> component_at_nodes(const CaseModel& model, int component, const LocalArray& u) {
  std::vector<double> c(model.mesh->node_total(), 0.0);
  for (int node = 0; node < model.mesh->node_total(); ++node)
    if (const int dof = model.dofs->dof(node, component); dof >= 0) c[node] = u.data()[dof];
  return interpolate_vertices_to_nodes(*model.mesh, std::move(c));
}

/// 1 at the nodes of no-slip walls, else 0.
std::vector<double> wall_nodes(const FlowCase& flow, const CaseModel& model) {
  std::vector<double> wall(model.mesh->node_total(), 0.0);
  for (const std::string& region : flow.walls)
    for (int node : model.mesh->find_region(region)->nodes) wall[node] = 1;
  return wall;
}

/// A field of cells as averages at nodes, [node × components].
std::vector<double> smooth(const CaseModel& model, const std::vector<double>& cells, int components,
                           const std::vector<double>& volume) {
  std::vector<double> nodes(std::size_t(model.mesh->node_total()) * components), one(volume.size());
  for (int i = 0; i < components; ++i) {
    for (std::size_t c = 0; c < one.size(); ++c) one[c] = cells[c * components + i];
    const std::vector<double> smoothed = smooth_at_nodes(*model.dofs, one, volume);
    for (std::size_t n = 0; n < smoothed.size(); ++n) nodes[n * components + i] = smoothed[n];
  }
  return nodes;
}

}  // namespace

/// Velocity, pressure, the scalar and χ where there are such, smoothed vorticity and the walls at nodes; vorticity,
/// shear rate, viscosity and constants in cells.
std::vector<VtkField> FlowCase::fields(const CaseModel& model, const EvaluationPoint& state) const {
  const LocalArray u(state);
  const FlowFields f = flow_fields_of(*this, model, state);
  const int curls = model.mesh->dim == 3 ? 3 : 1;
  std::vector<double> pressure = vertex_pressure(*model.dofs, u.data());
  if (discretisation == FlowDiscretisation::taylor_hood)
    pressure = interpolate_vertices_to_nodes(*model.mesh, std::move(pressure));
  using On = VtkField::On;
  std::vector<VtkField> fields = {
      {"velocity", model.mesh->dim, On::nodes, nodal_displacement(*model.dofs, u.data())},
      {"pressure", 1, On::nodes, std::move(pressure)},
      {"vorticity_smoothed", curls, On::nodes, smooth(model, f.vorticity, curls, f.volume)},
      {"wall", 1, On::nodes, wall_nodes(*this, model)},
      {"vorticity", curls, On::cells, f.vorticity},
      {"shear_rate", 1, On::cells, f.shear_rate},
      {"viscosity", 1, On::cells, f.viscosity}};
  if (scalar) fields.push_back({"scalar", 1, On::nodes, component_at_nodes(model, model.component(flow_component::scalar), u)});
  if (turbulent) {
    fields.push_back({"chi", 1, On::nodes, component_at_nodes(model, model.component(flow_component::turbulence), u)});
    const Coefficient& distance = model.residual->form_coefficients(turbulence_form, state.given)[SpalartAllmaras<PlanarFlow>::distance];
    fields.push_back({"wall_distance", 1, On::nodes, distance.values});
  }
  add_material_fields(model, state.controls(), flow_constants(*this), fields);
  if (const int density = model.control_named(density_control); density >= 0)
    fields.push_back({"density", 1, On::cells, state.controls()[density]});
  return fields;
}

namespace {

/// Free-stream boundaries too close to a body with lift, whose circulation changes the flow direction at their distance.
std::vector<std::string> near_streams(const FlowCase& flow, const CaseModel& model) {
  constexpr double far = 50;  // sizes of the body
  std::vector<std::string> found;
  for (const std::string& stream : flow.streams) {
    const double distance = distance_in_sizes(*model.residual, flow.walls, stream);
    if (distance >= far) continue;
    char text[240];
    std::snprintf(text, sizeof text, "is prescribed %.2g sizes of the body away from it: at a lift coefficient of 1 that changes the flow direction by about %.2g degrees; place it at least 100 sizes away", distance, turn_by_lift(distance));
    found.push_back("case '" + model.name + "', the free stream '" + stream + "' " + text);
  }
  return found;
}

}  // namespace

/// Free-stream boundaries that are too close, tractions that pressure correction does not follow, and walls whose first cells are too thick for the turbulence model.
std::vector<std::string> FlowCase::warnings(const CaseModel& model, const EvaluationPoint& state) const {
  std::vector<std::string> found = near_streams(*this, model);
  if (!changing_traction.empty())
    found.push_back("case '" + model.name + "', load '" + changing_traction + "': with 'pressure_correction' flow and forces follow a normal traction that varies in time with first order only, and with large errors; use 'type: pressure', or bdf2");
  if (!turbulent) return found;
  const LocalArray u(state);
  const std::vector<FlowFields::Fluid> fluids = fluids_of(*model.residual, state.given, parts);
  std::ranges::move(coarse_walls(model, u.data(), model.residual->coordinates(state.given).data(), kind, walls, fluids), std::back_inserter(found));
  return found;
}

std::vector<std::string> coarse_walls(const CaseModel& model, const double* u, const double* coordinates, FlowKind kind, const std::vector<std::string>& walls,
                                      std::span<const FlowFields::Fluid> fluids) {
  constexpr double resolved = 1, too_much = 5;  // y+
  std::vector<std::string> found;
  for (const std::string& wall : walls) {
    const std::vector<WallShear> shear = wall_shear(*model.dofs, u, coordinates, kind, wall, fluids);
    const auto worst = std::ranges::max_element(shear, {}, &WallShear::y_plus);
    if (worst == shear.end() || !(worst->y_plus > too_much)) continue;
    char text[200];
    std::snprintf(text, sizeof text, "y+ reaches %.3g at (%.4g, %.4g, %.4g): friction there is not resolved; make the cells at this wall %.0f times thinner",
                  worst->y_plus, worst->x[0], worst->x[1], worst->x[2], std::ceil(worst->y_plus / resolved));
    found.push_back("case '" + model.name + "', wall '" + wall + "': " + text);
  }
  return found;
}

std::vector<double> FlowCase::cell_volumes(const CaseModel& model, const EvaluationPoint& state) const {
  return flow_fields_of(*this, model, state).volume;
}

}  // namespace invar
