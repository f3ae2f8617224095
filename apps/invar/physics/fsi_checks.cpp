// Checks of fluid–structure interaction: parts that do not share nodes, walls that prescribe too much, a fluid without pressure level.
#include <algorithm>

#include "apps/invar/physics/fsi_builder.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/flow/pressure_level.hpp"
#include "libfluid/fsi/unheld_body.hpp"

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
  const std::vector<char> in_wall = nodes_in(*model_.mesh, {s.key});
  for (const std::string& surface : fsi_.rigid_surfaces) {
    int meets = std::ranges::any_of(model_.mesh->find_region(surface)->nodes, [&](int node) { return in_wall[node] != 0; });
    MPI_Allreduce(MPI_IN_PLACE, &meets, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
    if (meets)
      diagnostics_.error(s.key_position, s.yaml_path, "the rigid surface '" + surface + "' meets the wall '" + s.key + "', which would fix it at their common nodes",
                         "add 'clamped: true' if it is fixed there; otherwise let the wall slip: prescribe only the velocity and displacement normal to it");
  }
}

namespace {

void report_pressure_level(const CaseModel& model, const CaseSections& sections, const PressureLevel& level, Diagnostics& diagnostics) {
  const Value *boundary = sections.find("boundary"), &at = boundary ? *boundary : *sections.find("physics");
  if (boundary && !level.missing)
    for (const Value& s : *boundary)
      if (const Value* p = s.find("p"))
        diagnostics.error(p->key_position, p->yaml_path,
                          model.march && !model.as<FsiCase>()->bodies.empty() ? "an open part of the fluid's boundary, or the motion of a body, determines the pressure level"
                                                                              : "the fluid is not enclosed: an open or movable part of its boundary determines the pressure level",
                          "leave 'p' out");
  if (!level.open()) return;
  const std::string what = "the fluid of case '" + model.name + "' is enclosed: the velocity through every part of its boundary is prescribed";
  const std::string outlet = "leave a boundary open with 'loads: {NAME: {type: pressure, region: …, p: 0}}'";
  const std::string why = !model.march                            ? ", and at rest the level of the pressure is undetermined"
                          : model.as<FsiCase>()->bodies.empty() ? ", and rigid parts leave the level of the pressure undetermined"
                                                                : ", and no part of the body can move under its pressure, whose level is undetermined";
  diagnostics.error(at.key_position, at.yaml_path, what + why, outlet + ", or name a point of the fluid's mesh and add 'boundary: {POINT: {p: 0}}'");
}

}  // namespace

void check_fsi_supports(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const FsiCase& fsi = *model.as<FsiCase>();
  const FsiComponents at{model.mesh->dim};
  const std::optional<UnheldBody> found = find_unheld_body(*model.residual, fsi.body_regions(), at.v(), at.d(), model.times.front());
  if (!found) return;
  const Value& body = (*sections.find("materials"))[std::ranges::find(fsi.bodies, found->region, &MaterialPart::region)->name.c_str()];
  diagnostics.error(body.key_position, body.yaml_path, "nothing holds the body '" + body.key + "': it can " + found->motions + " without resistance, and at rest its place is undetermined",
                    "clamp it somewhere by 'clamped: true' in 'boundary', add a load of type foundation, or solve in time");
}

void check_fsi_pressure(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  const FsiCase& fsi = *model.as<FsiCase>();
  const FsiComponents at{model.mesh->dim};
  std::optional<std::vector<int>> determined;
  if (!model.march) {  // in steady problems velocities of bodies are zero for any forces at the interface
    determined.emplace();
    for (const std::string& region : fsi.material_regions())
      for (const int node : model.mesh->find_region(region)->nodes)
        for (const int c : at.v())
          if (const int dof = model.dofs->dof(node, c); dof >= 0 && dof < model.dofs->n_owned()) determined->push_back(dof);
  }
  report_pressure_level(model, sections, pressure_level(*model.residual, at.pressure(), determined, model.ties.get()), diagnostics);
}

}  // namespace invar
