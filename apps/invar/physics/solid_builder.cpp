
#include <algorithm>

#include "apps/invar/physics/contact_builder.hpp"
#include "apps/invar/physics/solid_materials.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libfem/solid/distributed_material.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"

namespace invar {
namespace {

using spec::Value;

SolidKind solid_kind_of(const std::string& word) {
  if (word == "plane_strain") return SolidKind::plane_strain;
  if (word == "plane_stress") return SolidKind::plane_stress;
  return word == "axisymmetric" ? SolidKind::axisymmetric : SolidKind::spatial;
}

class SolidBuilder : CaseBuilder {
 public:
  SolidBuilder(SolidModel& solid, CaseModel& model, const CaseSections& sections, int order, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, true, diagnostics), solid_(solid), degree_(solid_degree(*model.mesh, order, solid.kind)) {}

  void materials();
  void supports();
  void loads();
  // After `finish` of the equation.
  /// Checks that regions that move obstacles are prescribed.
  void check_carriers();
  /// Checks that applied loads move something; springs, masses and contact may be there for the sake of reactions.
  void check_loads();
  using CaseBuilder::initial_state;

 private:
  BodyEquations equations() const;

  SolidModel& solid_;
  int degree_;
  std::vector<const Value*> carriers_;
};

BodyEquations SolidBuilder::equations() const {
  const auto cells = [dofs = model_.dofs](const std::string& region, int degree) { return CellBatches::on_cells(dofs, region, degree); };
  return {.kind = solid_.kind, .mixed = solid_.mixed, .degree = degree_, .lumped = solid_.lumped, .displacement = cells, .with_pressure = cells,
          .inertia = [cells, &solid = solid_](const std::string& region, int degree) { return make_inertia(solid.kind, solid.mass_points(cells(region, degree))); }};
}

void SolidBuilder::materials() {
  const std::size_t before = diagnostics_.size();
  SolidMaterials materials(equations(), *this);
  const Value& given = *sections_.find("materials");
  std::vector<std::string> regions;
  for (const Value& m : given)
    if (std::optional<MaterialPart> part = materials.law(m)) regions.push_back(part->region), solid_.parts.push_back(std::move(*part));
  if (diagnostics_.size() == before) check_covered(regions);
  if (!model_.march || diagnostics_.size() != before) return;
  for (MaterialPart& part : solid_.parts) materials.in_time(given[part.name.c_str()], part);
}

void SolidBuilder::supports() {
  const Value* boundary = sections_.find("boundary");
  if (!boundary) return;
  for (const Value& s : *boundary)
    if (check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) prescribe_components(s, "m");
}

void SolidBuilder::loads() {
  const Value* loads = sections_.find("loads");
  if (!loads) return;
  for (const Value& l : *loads) {
    const SolidLoad& load = *find_term(solid_loads(), l["type"].text());
    using enum TermSpec::Domain;
    const int dim = load.domain == points ? 0 : load.domain == cells ? model_.mesh->dim : model_.mesh->dim - 1;
    const std::optional<std::string> where = region_of(l, dim);
    const std::optional<TermSetting> setting = where ? setting_of(load, l) : std::nullopt;
    if (!setting) continue;
    if (!setting->other_region.empty()) carriers_.push_back(l.find(load.other_region->key));
    if (load.dead) solid_.dead_load_forms.push_back(residual_.form_count());
    CellBatches domain = load.domain == points  ? CellBatches::on_points(model_.dofs, *where)
                         : load.domain == cells ? CellBatches::on_cells(model_.dofs, *where, degree_)
                                                : CellBatches::on_facets(model_.dofs, *where, degree_);
    FormUse use = used_as(l);
    use.between = "'" + *where + "' and " + use.name;
    std::unique_ptr<WeakForm> form = load.make(solid_.kind, *setting, domain);
    if (form->traits().inertia()) form = load.make(solid_.kind, *setting, solid_.mass_points(std::move(domain)));
    const std::vector<ControlledValue> values = coefficients(load, l, "loads." + l.key);
    if (load.active_stress) solid_.muscles.push_back({AddedStress::Kind::active, *where, values, residual_.form_count()});
    model_.may_touch.emplace(residual_.form_count(), &l);
    residual_.add_form(std::move(form), values, std::move(use));
  }
}

void SolidBuilder::check_carriers() {
  for (const Value* carrier : carriers_) {
    const int loose = free_component(*model_.mesh->find_region(carrier->text()));
    if (loose < 0) continue;
    diagnostics_.error(carrier->position, carrier->yaml_path,
                       "'" + carrier->text() + "' moves an obstacle, and '" + components[loose] + "' of its nodes is not prescribed",
                       "give all its components in 'boundary', below '" + carrier->text() + "'");
  }
}

void SolidBuilder::check_loads() {
  for (const Value* load : loads_on_prescribed()) {
    const SolidLoad& applied = *find_term(solid_loads(), (*load)["type"].text());
    if (std::ranges::none_of(applied.parameters, &TermParameter::grows)) continue;
    const Value& region = (*load)["region"];
    diagnostics_.warning(region.position, "the whole displacement of '" + region.text() + "' is prescribed: the load '" + std::string(applied.name) + "' changes reactions there, and nothing else");
  }
}

}  // namespace

void build_solid(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  const int dim = model.mesh->dim;
  auto owned = std::make_unique<SolidModel>();
  SolidModel& solid = *owned;
  model.physics = std::move(owned);
  solid.kind = solid_kind_of(physics["kind"].text());
  solid.mixed = physics["formulation"].text() == "mixed";
  const std::size_t before = diagnostics.size();
  if ((solid.kind == SolidKind::spatial) != (dim == 3))
    diagnostics.error(physics.position, physics.yaml_path,
                      "the mesh has dimension " + std::to_string(dim) + " and the kind is '" + physics["kind"].text() +
                          "'; use " + (dim == 3 ? "spatial" : "plane_strain, plane_stress or axisymmetric"));
  if (solid.mixed && order != 2)
    diagnostics.error(physics["order"].position, physics["order"].yaml_path,
                      "the mixed formulation needs order 2 (Taylor-Hood) to be stable");
  if (solid.mixed && solid.kind == SolidKind::plane_stress)
    diagnostics.error(physics["formulation"].position, physics["formulation"].yaml_path,
                      "plane stress has no pressure unknown: use the displacement formulation, also for incompressible materials");
  if (const Value* time = sections.find("time"); solid.mixed && model.march)
    if (const std::string scheme = (*time)["scheme"].text(); scheme != "backward_euler" && scheme != "bdf2")
      diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path,
                        "'" + scheme + "' does not suit the mixed formulation: its pressure would not converge", "use bdf2 or backward_euler");
  solid.lumped = model.march && model.march->lumped;
  if (const Value* time = sections.find("time"); solid.lumped) {
    const char* mistake = solid.axisymmetric()                    ? "a lumped mass would leave nodes on the axis without mass"
                          : solid.mixed                           ? "a lumped mass needs the displacement formulation"
                          : !(*time)["inertia"].boolean() ? "without inertia there is no mass to be lumped"
                                                                  : nullptr;
    if (mistake) diagnostics.error((*time)["mass"].position, (*time)["mass"].yaml_path, mistake, "leave 'mass' out");
  }
  if (diagnostics.size() != before) return;

  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + "xyz"[i], order});
  if (solid.mixed) components.push_back({.name = "p", .in_cells = true});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = std::make_shared<FormResidual>(model.dofs);
  if (solid.lumped) model.residual->set_lumped_mass();
  SolidBuilder builder(solid, model, sections, order, diagnostics);
  builder.materials();
  builder.supports();
  builder.loads();
  if (diagnostics.size() == before) build_contact(solid, model, sections, diagnostics);
  builder.initial_state("");
  if (diagnostics.size() != before) return;
  model.residual->finish();
  builder.check_carriers();
  builder.check_loads();
  if (solid.mixed) model.residual->set_algebraic({dim});
  if (!solid.mixed) model.residual->set_near_null_space(rigid_body_modes(*model.dofs));
}

void describe_shares(const std::vector<MaterialPart>& parts, DesignCase& c) {
  for (const MaterialPart& part : parts)
    if (const int at = material_share_index(*part.material); at >= 0) c.finite_shares[part.controls[at]] = part.controls[at + 1];
}

std::string SolidModel::region_of_material(const std::string& name) const {
  return std::ranges::find(parts, name, &MaterialPart::name)->region;
}

bool SolidModel::suits_multigrid(const CaseModel& model) const {
  return std::ranges::all_of(model.dofs->components(), [](const Component& c) { return c.order == 2; });
}

}  // namespace invar
