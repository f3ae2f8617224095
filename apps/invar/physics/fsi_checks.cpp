// Checks of fluid–structure interaction: parts that do not share nodes, walls that prescribe too much, a fluid without pressure level.
#include <algorithm>

#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libadjoint/number_text.hpp"
#include "libfluid/flow/pressure_level.hpp"

namespace invar {

using spec::Value;

void FsiBuilder::check_interface() {
  const Value& materials = *sections_.find("materials");
  const auto check = [&](const std::string& a, const std::string& b, const Interface& interface, bool must_meet) {
    const std::string parts = a + " and the body '" + b + "' ";
    if (const auto place = interface.unmatched()) {
      std::string at;
      for (int i = 0; i < model_.mesh->dim; ++i) at += (i == 0 ? "" : ", ") + number_text((*place)[i]);
      diagnostics_.error(materials.key_position, "materials", parts + "touch at (" + at + ") without common nodes: they would not interact",
                         "mesh them together, so that their cells share nodes and facets there");
    } else if (must_meet && !interface.joined()) {
      diagnostics_.error(materials.key_position, "materials", parts + "have no common node: they would not interact",
                         "give regions of cells that meet");
    }
  };
  for (std::size_t k = 0; k < fsi_.bodies.size(); ++k) {
    const MaterialPart& body = fsi_.bodies[k];
    // A core that is enclosed by other bodies touches only these.
    const bool inside = std::ranges::any_of(fsi_.bodies, [&](const MaterialPart& other) {
      return &other != &body && Interface{*model_.mesh, other.region, body.region}.joined();
    });
    check("the fluid '" + fsi_.fluid.name + "'", body.name, {*model_.mesh, fsi_.fluid.region, body.region}, !inside);
    for (std::size_t j = 0; j < k; ++j)
      check("the body '" + fsi_.bodies[j].name + "'", body.name, {*model_.mesh, fsi_.bodies[j].region, body.region}, false);
  }
}

/// 'no_slip' must not fix a body by accident.
void FsiBuilder::check_wall(const Value& s) {
  if (const Value* clamped = s.find("clamped"); clamped && clamped->boolean()) return;
  for (const MaterialPart& body : fsi_.bodies) {
    const BehindFacets found = behind_facets(*model_.mesh, fsi_.fluid.region, {body.region}, *model_.mesh->find_region(s.key));
    if (found.between)
      diagnostics_.error(s.key_position, s.yaml_path, "'" + s.key + "' lies between the fluid and the body '" + body.name + "', and would fix both there",
                         "leave it out: their velocities are equal at the interface anyway; 'clamped: true' fixes the body");
    else if (found.body)
      diagnostics_.error(s.key_position, s.yaml_path, "the body '" + body.name + "' touches the wall '" + s.key + "', which would fix it",
                         "add 'clamped: true' if it is fixed there; else give the wall of the fluid a separate region");
  }
}

/// With rigid parts in time the level depends on ties, which `build_ties` checks.
void FsiBuilder::check_pressure_level() {
  if (model_.march && !fsi_.rigid_surfaces.empty()) return;
  const DofMap& dofs = *model_.dofs;
  // In steady problems velocities of bodies are zero for any forces at the interface.
  std::vector<int> determined;
  std::vector<std::string> still;
  if (!model_.march) {
    still = fsi_.body_regions();
    std::ranges::copy(fsi_.rigid_surfaces, std::back_inserter(still));
  }
  for (const std::string& region : still)
    for (const int node : model_.mesh->find_region(region)->nodes)
      for (const int c : at_.v())
        if (const int dof = dofs.dof(node, c); dof >= 0 && dof < dofs.n_owned()) determined.push_back(dof);
  report_pressure_level(model_, sections_, pressure_level(residual_, at_.pressure(), determined), diagnostics_);
}

void report_pressure_level(const CaseModel& model, const CaseSections& sections, const PressureLevel& level, Diagnostics& diagnostics) {
  const Value *boundary = sections.find("boundary"), &at = boundary ? *boundary : *sections.find("physics");
  if (boundary && !level.missing)
    for (const Value& s : *boundary)
      if (const Value* p = s.find("p"))
        diagnostics.error(p->key_position, p->yaml_path,
                          "the fluid is not enclosed: an open or movable part of its boundary determines the pressure level", "leave 'p' out");
  if (!level.open()) return;
  const std::string what = "the fluid of case '" + model.name + "' is enclosed: the velocity through every part of its boundary is prescribed";
  const std::string outlet = "leave a boundary open with 'loads: {NAME: {type: pressure, region: …, p: 0}}'";
  if (model.march && !model.as<FsiCase>()->bodies.empty())
    diagnostics.error(at.key_position, at.yaml_path, what + ", and no part of the body can move under its pressure, whose level is undetermined", outlet);
  else
    diagnostics.error(at.key_position, at.yaml_path, what + (model.march ? ", and rigid parts leave the level of the pressure undetermined" : ", and at rest the level of the pressure is undetermined"),
                      outlet + ", or name a point of the fluid's mesh and add 'boundary: {POINT: {p: 0}}'");
}

}  // namespace invar
