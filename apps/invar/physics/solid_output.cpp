#include <algorithm>
#include <optional>

#include "apps/invar/physics/body_fields.hpp"
#include "apps/invar/physics/material_fields.hpp"
#include "apps/invar/physics/solid_model.hpp"
#include "libfem/contact/contact_fields.hpp"
#include "libfem/io/vtk_writer.hpp"

namespace invar {
namespace {

SolidFields solid_fields_of(const SolidModel& solid, const CaseModel& model, const EvaluationPoint& state) {
  const LocalArray u(state);
  std::optional<LocalArray> rate;
  if (const Vec r = state.levels[Level::rate]) rate.emplace(r);
  return fields_of_bodies(solid.parts, solid.muscles, *model.residual, state, model.dofs, u.data(), rate ? rate->data() : nullptr, solid.kind, solid.mixed);
}

std::vector<RegionConstant> solid_constants(const SolidModel& solid) {
  std::vector<RegionConstant> constants;
  for (const MaterialPart& part : solid.parts) {
    const auto specs = part.material->parameters();
    for (std::size_t k = 0; k < specs.size(); ++k)
      constants.push_back({std::string(specs[k].key), part.region, part.controls[k]});
  }
  return constants;
}

/// Pressure, gap and slip of all contacts at nodes.
void add_contact_fields_of(const SolidModel& solid, const CaseModel& model, const EvaluationPoint& state, const double* u,
                           std::vector<VtkField>& fields) {
  if (solid.contacts.empty()) return;
  double longest = 0;
  const auto number = [&](const ControlledValue& v) { return model.residual->number(v.control, state.given); };
  for (const auto& pair : solid.contacts) longest = std::max(longest, number(pair.values[1]));
  ContactFields contact(*model.mesh, longest);
  std::optional<LocalArray> rate;
  if (const Vec r = state.levels[Level::rate]) rate.emplace(r);
  for (const auto& pair : solid.contacts)
    add_contact_fields(*pair.finder, model.dofs, u, rate ? rate->data() : nullptr, model.residual->coordinates(state.given).data(),
                       number(pair.values[0]), number(pair.values[1]), contact);
  fields.push_back({"contact_pressure", 1, VtkField::On::nodes, contact.pressure});
  fields.push_back({"contact_gap", 1, VtkField::On::nodes, contact.gap});
  if (rate) fields.push_back({"contact_slip", model.mesh->dim, VtkField::On::nodes, contact.slip});
}

}  // namespace

/// Displacement and pressure at nodes; stresses, energy density and constants in cells.
std::vector<VtkField> SolidModel::fields(const CaseModel& model, const EvaluationPoint& state) const {
  const LocalArray u(state);
  const SolidFields s = solid_fields_of(*this, model, state);
  std::vector<VtkField> fields;
  using On = VtkField::On;
  fields.push_back({"displacement", model.mesh->dim, On::nodes, nodal_displacement(*model.dofs, u.data())});
  if (mixed)
    fields.push_back({"pressure", 1, On::nodes, interpolate_vertices_to_nodes(*model.mesh, vertex_pressure(*model.dofs, u.data()))});
  fields.push_back({"von_mises_smoothed", 1, On::nodes, smooth_at_nodes(*model.dofs, s.von_mises, s.volume)});
  fields.push_back({"cauchy_stress", 9, On::cells, s.stress});
  fields.push_back({"von_mises", 1, On::cells, s.von_mises});
  fields.push_back({"energy_density", 1, On::cells, s.energy_density});
  fields.push_back({"volume_ratio", 1, On::cells, s.volume_ratio});
  if (!s.plastic_strain.empty()) fields.push_back({"plastic_strain", 1, On::cells, s.plastic_strain});
  add_contact_fields_of(*this, model, state, u.data(), fields);
  add_material_fields(model, state.controls(), solid_constants(*this), fields);
  if (const int density = model.control_named(density_control); density >= 0)
    fields.push_back({"density", 1, On::cells, state.controls()[density]});
  return fields;
}

std::vector<double> SolidModel::cell_volumes(const CaseModel& model, const EvaluationPoint& state) const {
  return solid_fields_of(*this, model, {Vec(state), state.given}).volume;
}

}  // namespace invar
