#include <algorithm>
#include <iterator>

#include "apps/invar/physics/body_fields.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/physics/material_fields.hpp"
#include "libfem/io/vtk_writer.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/fsi/moved_walls.hpp"

namespace invar {
namespace {

/// Components at nodes, [node × count]; zero where they are not defined.
std::vector<double> at_nodes(const CaseModel& model, const std::vector<int>& components, const double* u) {
  std::vector<double> values;
  for (int node = 0; node < model.mesh->node_total(); ++node)
    for (const int c : components) {
      const int dof = model.dofs->dof(node, c);
      values.push_back(dof >= 0 ? u[dof] : 0.0);
    }
  return values;
}

/// Positions of the deformed mesh's nodes, m.
std::vector<double> moved_positions(const CaseModel& model, const EvaluationPoint& state, const double* u) {
  std::vector<double> x = model.residual->coordinates(state.given);
  const std::vector<double> d = at_nodes(model, FsiComponents{model.mesh->dim}.d(), u);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += d[i];
  return x;
}

FlowFields::Fluid fluid_of(const FsiCase& fsi, const CaseModel& model, const EvaluationPoint& state) {
  return fluid_at(*model.residual, fsi.fluid_form, fsi.fluid.region, fsi.fluid.law, state.given);
}

/// The flow on the deformed mesh.
FlowFields flow_of(const FsiCase& fsi, const CaseModel& model, const EvaluationPoint& state, const double* u) {
  const std::vector<double> x = moved_positions(model, state, u);
  const FlowFields::Fluid fluid = fluid_of(fsi, model, state);
  return FlowFields::evaluate(model.dofs, u, x.data(), fsi.kind, {&fluid, 1});
}

/// The bodies, on a space of their displacement and pressures.
SolidFields bodies_of(const FsiCase& fsi, const CaseModel& model, const EvaluationPoint& state, const double* u) {
  const FsiComponents at{model.mesh->dim};
  std::vector<int> own = at.d();
  for (std::size_t k = 0; fsi.mixed && k < fsi.bodies.size(); ++k) own.push_back(at.pressure_of_body(static_cast<int>(k)));
  std::vector<Component> components;
  for (const int c : own) components.push_back(model.dofs->components()[c]);
  const auto dofs = std::make_shared<const DofMap>(model.mesh, std::move(components), model.dofs->comm());
  const auto of_bodies = [&](const double* all) {
    std::vector<double> values(dofs->n_local());
    for (int node = 0; node < model.mesh->node_total(); ++node)
      for (std::size_t c = 0; c < own.size(); ++c)
        if (const int dof = dofs->dof(node, static_cast<int>(c)); dof >= 0) values[dof] = all[model.dofs->dof(node, own[c])];
    return values;
  };
  std::vector<double> rate;
  if (const Vec r = state.levels[Level::rate]) rate = of_bodies(LocalArray(r).data());
  return fields_of_bodies(fsi.bodies, fsi.muscles, *model.residual, state, dofs, of_bodies(u).data(), rate.empty() ? nullptr : rate.data(), fsi.solid_kind(), fsi.mixed);
}

std::vector<RegionConstant> constants_of(const FsiCase& fsi) {
  std::vector<RegionConstant> constants;
  const auto fluid = flow_law_parameters(fsi.fluid.law_name);
  for (std::size_t k = 0; k < fluid.size(); ++k) constants.push_back({std::string(fluid[k].key), fsi.fluid.region, fsi.fluid.constants[k].control});
  if (fsi.scalar) constants.push_back({std::string(diffusivity_parameter.key), fsi.fluid.region, fsi.fluid.diffusivity.control});
  for (const MaterialPart& body : fsi.bodies) {
    const auto specs = body.material->parameters();
    for (std::size_t k = 0; k < specs.size(); ++k) constants.push_back({std::string(specs[k].key), body.region, body.controls[k]});
  }
  return constants;
}

}  // namespace

/// Velocity, displacement and pressure at nodes; of the fluid vorticity, shear rate and viscosity, of the bodies stresses
/// in cells.
std::vector<VtkField> FsiCase::fields(const CaseModel& model, const EvaluationPoint& state) const {
  const LocalArray u(state);
  const FsiComponents at{model.mesh->dim};
  const FlowFields flow = flow_of(*this, model, state, u.data());
  const SolidFields solid = bodies_of(*this, model, state, u.data());
  using On = VtkField::On;
  const auto at_vertices = [&](int component) { return interpolate_vertices_to_nodes(*model.mesh, at_nodes(model, {component}, u.data())); };
  std::vector<VtkField> fields{
      {"velocity", at.dim, On::nodes, at_nodes(model, at.v(), u.data())},
      {"displacement", at.dim, On::nodes, at_nodes(model, at.d(), u.data())},
      {"pressure", 1, On::nodes, at_vertices(at.pressure())},
      {"vorticity", at.dim == 3 ? 3 : 1, On::cells, flow.vorticity},
      {"shear_rate", 1, On::cells, flow.shear_rate},
      {"viscosity", 1, On::cells, flow.viscosity},
      {"cauchy_stress", 9, On::cells, solid.stress},
      {"von_mises", 1, On::cells, solid.von_mises},
      {"energy_density", 1, On::cells, solid.energy_density},
      {"volume_ratio", 1, On::cells, solid.volume_ratio}};
  if (turbulent) {
    fields.push_back({"chi", 1, On::nodes, at_vertices(model.component(flow_component::turbulence))});
    moved_walls->move({.unknown = u.data(), .coordinates = model.residual->coordinates(state.given).data()});
    fields.push_back({"wall_distance", 1, On::nodes, moved_walls->distance().values()});
  }
  if (scalar) fields.push_back({"scalar", 1, On::nodes, at_vertices(model.component(flow_component::scalar))});
  add_material_fields(model, state.controls(), constants_of(*this), fields);
  return fields;
}

std::vector<std::string> FsiCase::warnings(const CaseModel& model, const EvaluationPoint& state) const {
  std::vector<std::string> texts;
  for (const MaterialPart& body : bodies)
    if (std::string text = mixed ? "" : locking(body, model.dofs->orders()[0], state); !text.empty()) texts.push_back("case '" + model.name + "': " + text);
  if (!turbulent) return texts;
  const LocalArray u(state);
  const FlowFields::Fluid fluid = fluid_of(*this, model, state);
  std::ranges::move(coarse_walls(model, u.data(), moved_positions(model, state, u.data()).data(), kind, walls, {&fluid, 1}), std::back_inserter(texts));
  return texts;
}

std::vector<double> FsiCase::cell_volumes(const CaseModel& model, const EvaluationPoint& state) const {
  const LocalArray u(state);
  std::vector<double> volumes = flow_of(*this, model, state, u.data()).volume;
  const std::vector<double> of_bodies = bodies_of(*this, model, state, u.data()).volume;
  for (std::size_t c = 0; c < volumes.size(); ++c) volumes[c] += of_bodies[c];
  return volumes;
}

}  // namespace invar
