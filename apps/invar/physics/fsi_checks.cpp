// What the spec must not say of fluid–structure interaction: parts that do not meet, walls that hold too much, a fluid without
// a level of its pressure.
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libadjoint/number_text.hpp"
#include "libfluid/flow/pressure_level.hpp"
#include "libfluid/fsi/interface.hpp"

namespace invar {

using spec::Value;

void FsiBuilder::check_interface() {
  const Interface interface{*model_.mesh, fsi_.fluid.region, fsi_.body.region};
  const Value& materials = *sections_.find("materials");
  const std::string parts = "the fluid '" + fsi_.fluid.name + "' and the body '" + fsi_.body.name + "' ";
  if (const auto place = interface.unmatched())
    diagnostics_.error(materials.key_position, "materials", parts + "touch at (" + number_text((*place)[0]) + ", " + number_text((*place)[1]) +
                       ") without nodes in common: neither would feel the other", "mesh them together, so that their cells share nodes and facets there");
  else if (!interface.joined())
    diagnostics_.error(materials.key_position, "materials", parts + "have no node in common: neither would feel the other",
                       "give regions of cells that meet");
}

/// 'no_slip' holds all that there is, and a body is not held by accident.
void FsiBuilder::check_wall(const Value& s) {
  if (const Value* clamped = s.find("clamped"); clamped && clamped->boolean()) return;
  const Interface::Behind found = Interface{*model_.mesh, fsi_.fluid.region, fsi_.body.region}.behind(*model_.mesh->find_region(s.key));
  if (found.between)
    diagnostics_.error(s.key_position, s.yaml_path, "'" + s.key + "' lies between the fluid and the body '" + fsi_.body.name + "', which would both be held there",
                       "leave it out: they have the same velocity by themselves; 'clamped: true' holds the body");
  else if (found.body)
    diagnostics_.error(s.key_position, s.yaml_path, "the body '" + fsi_.body.name + "' touches the wall '" + s.key + "', which would hold it",
                       "add 'clamped: true' if it is held there; else give the wall of the fluid a region of its own");
}

void FsiBuilder::check_pressure_level() {
  const DofMap& dofs = *model_.dofs;
  std::vector<int> determined;  // at rest the velocity of the body is zero, whatever the forces at the interface
  if (!model_.march)
    for (const int node : model_.mesh->find_region(fsi_.body.region)->nodes)
      for (const int c : at_.v())
        if (const int dof = dofs.dof(node, c); dof >= 0 && dof < dofs.n_owned()) determined.push_back(dof);
  const PressureLevel level = pressure_level(residual_, at_.pressure(), determined);
  if (held_pressure_ && !level.missing)
    diagnostics_.error(held_pressure_->key_position, held_pressure_->yaml_path,
                       "the fluid is not enclosed: the level of its pressure follows from the boundary that is open", "leave 'p' out");
  if (!level.open()) return;
  const Value *boundary = sections_.find("boundary"), &at = boundary ? *boundary : *sections_.find("physics");
  const std::string what = "the fluid of case '" + model_.name + "' is enclosed: the velocity through every part of its boundary is prescribed";
  const std::string outlet = "leave a boundary open with 'loads: {NAME: {type: pressure, region: …, p: 0}}'";
  if (model_.march)
    diagnostics_.error(at.key_position, at.yaml_path, what + ", and no part of the body is free to give way to its pressure, whose level is undetermined", outlet);
  else
    diagnostics_.error(at.key_position, at.yaml_path, what + ", and at rest the level of the pressure is undetermined",
                       outlet + ", or name a point of the fluid's mesh and add 'boundary: {POINT: {p: 0}}'");
}

}  // namespace invar
