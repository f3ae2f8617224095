
#include <algorithm>
#include <limits>

#include "apps/invar/physics/contact_builder.hpp"
#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/physics/solid_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {
namespace {

using spec::Value;

SolidKind solid_kind_of(const std::string& word) {
  if (word == "plane_strain") return SolidKind::plane_strain;
  if (word == "plane_stress") return SolidKind::plane_stress;
  return word == "axisymmetric" ? SolidKind::axisymmetric : SolidKind::spatial;
}

/// Degree that integrates the tangent of straight cells well: exact for linear elasticity.
int quadrature_degree(const Mesh& mesh, int order, SolidKind kind) {
  bool tensor = false;
  for (const CellBlock& b : mesh.cells)
    tensor |= b.type.shape == Shape::quadrilateral || b.type.shape == Shape::hexahedron;
  const int degree = order == 1 ? (tensor ? 2 : 1) : 4;
  return degree + (kind == SolidKind::axisymmetric ? 1 : 0);
}

/// Cases at rest may share a material with those in time.
bool some_case_in_time(const Value& spec) {
  const auto in_time = [](const Value& sections) {
    const Value* time = sections.find("time");
    return time && (*time)["scheme"].text() != "static";
  };
  const Value* cases = spec.find("cases");
  return in_time(spec) || (cases && std::any_of(cases->begin(), cases->end(), in_time));
}

class SolidBuilder : CaseBuilder {
 public:
  SolidBuilder(SolidModel& solid, CaseModel& model, const CaseSections& sections, int order, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, true, diagnostics), solid_(solid),
        degree_(quadrature_degree(*model.mesh, order, solid.kind)) {}

  void materials();
  void supports();
  void loads();
  using CaseBuilder::initial_state;

 private:
  void material(const Value& m);
  void in_time(const Value& m, MaterialPart& part);
  void moves(const Value& m, const std::string& path, MaterialPart& part);
  void relaxes(const Value& m, const std::string& path, MaterialPart& part);
  void yields(const Value& m, const std::string& path, MaterialPart& part);
  void check_used(const Value& m, const MaterialChoice& choice);
  void check_stable(const Value& m, MaterialChoice choice, const std::vector<double>& constants);

  SolidModel& solid_;
  int degree_;
};

void SolidBuilder::material(const Value& m) {
  const std::string path = "materials." + m.key;
  const std::optional<std::string> region = region_of(m, model_.mesh->dim);
  if (!region) return;
  const bool incompressible = m["incompressible"].boolean(), plane_stress = solid_.kind == SolidKind::plane_stress;
  if (incompressible && !solid_.mixed && !plane_stress) {
    diagnostics_.error(m["incompressible"].position, m.yaml_path,
                       "an incompressible material needs 'formulation: mixed' in 'physics'");
    return;
  }
  MaterialChoice choice = law_of(m, solid_.mixed || incompressible ? Formulation::isochoric : Formulation::compressible);
  choice.plane_stress = plane_stress;
  choice.swelling = m.has("swelling");
  MaterialPart part;
  part.name = m.key;
  part.region = *region;
  part.material = make_material(choice);
  if (plane_stress && choice.formulation == Formulation::compressible) {
    MaterialChoice in_space = choice;
    in_space.plane_stress = false;
    part.unreduced = make_material(in_space);
  }
  check_used(m, choice);
  const std::size_t before = diagnostics_.size();
  std::vector<double> constants;
  std::vector<ControlledValue> values;
  const auto add = [&](const ParamSpec& p, std::optional<double> fallback) {
    const int control = constant(m, path, p, fallback);
    values.push_back({control, {}});
    constants.push_back(residual_.control_values()[control][0]);
    return control;
  };
  for (const ParamSpec& p : material_parameters(choice)) part.controls.push_back(add(p, p.default_value));
  if (diagnostics_.size() == before) check_stable(m, choice, constants);
  if (solid_.mixed) {
    const ParamSpec bulk{.key = "bulk", .unit = "Pa", .doc = "bulk modulus; or set 'incompressible: true'",
                         .lower = 0, .lower_open = true};
    if (incompressible) {
      if (m.has("bulk"))
        diagnostics_.error(m["bulk"].position, m["bulk"].yaml_path,
                           "an incompressible material has no bulk modulus; remove one of the two");
      values.push_back({residual_.add_control({"", ""}, {std::numeric_limits<double>::infinity()}), {}});
    } else {
      add(bulk, std::nullopt);
    }
  }
  CellBatches cells = CellBatches::on_cells(model_.dofs, part.region, degree_);
  residual_.add_form(solid_.mixed ? make_mixed_form(solid_.kind, part.material, std::move(cells))
                                  : make_displacement_form(solid_.kind, part.material, std::move(cells)),
                     std::move(values), {.name = "material '" + m.key + "'"});
  solid_.parts.push_back(std::move(part));
}

/// A constant that the chosen form does not have would be ignored silently.
void SolidBuilder::check_used(const Value& m, const MaterialChoice& choice) {
  std::vector<std::string> known = {"region", "incompressible", "model", "terms"};
  std::string constants;
  const auto add = [&](std::string_view key) {
    known.emplace_back(key);
    constants += (constants.empty() ? "" : ", ") + std::string(key);
  };
  for (const ParamSpec& p : material_parameters(choice)) add(p.key);
  if (choice.formulation == Formulation::compressible && has_volumetric_law(choice.name)) add("volumetric");
  if (solid_.mixed) add("bulk");  // with 'incompressible' it has a message of its own
  if (!choice.swelling) add(swelling_parameter.key);
  if (some_case_in_time(*sections_.top)) {
    for (const ParamSpec& p : dynamic_parameters) add(p.key);
    add("relaxation");
    if (plasticity_of(m["model"].text())) add("plasticity");
  }
  if (m.has("plasticity") && !model_.march && some_case_in_time(*sections_.top))
    diagnostics_.error(m["plasticity"].key_position, m["plasticity"].yaml_path,
                       "the case '" + model_.name + "' has no time, and how a body flows plastically depends on its path",
                       "give its 'time' a 'scheme', with 'inertia: false' where mass does not matter");
  const bool isochoric = choice.formulation == Formulation::isochoric;
  for (const Value& v : m)
    if (!v.defaulted && std::find(known.begin(), known.end(), v.key) == known.end())
      diagnostics_.error(v.key_position, v.yaml_path,
                         "'" + v.key + "' is not a constant of '" + std::string(choice.name) + "' " +
                             (solid_.mixed ? "in the mixed formulation"
                              : isochoric  ? "when incompressible"
                                           : "in the displacement formulation"),
                         "its constants: " + constants);
}

void SolidBuilder::check_stable(const Value& m, MaterialChoice choice, const std::vector<double>& constants) {
  choice.plane_stress = choice.swelling = false;  // of the law that swells
  const std::unique_ptr<Material> law = make_material(choice);
  const double stiffness = smallest_stiffness(*law, std::span(constants).first(law->parameters().size()),
                                              choice.formulation == Formulation::isochoric);
  if (stiffness > 0) return;
  diagnostics_.error(m.position, m.yaml_path,
                     "with these constants '" + m.key + "' is unstable at rest: its smallest stiffness is " +
                         number_text(stiffness) + " Pa and must be positive");
}

void SolidBuilder::materials() {
  const std::size_t before = diagnostics_.size();
  for (const Value& m : *sections_.find("materials")) material(m);
  std::vector<std::string> regions;
  for (const MaterialPart& part : solid_.parts) regions.push_back(part.region);
  if (diagnostics_.size() == before) check_covered(regions);
  if (!model_.march || diagnostics_.size() != before) return;
  for (MaterialPart& part : solid_.parts) in_time((*sections_.find("materials"))[part.name.c_str()], part);
}

/// Forms besides the elastic law: inertia, damping, stresses with history variables.
void SolidBuilder::in_time(const Value& m, MaterialPart& part) {
  const std::string path = "materials." + m.key;
  part.degree = degree_;
  moves(m, path, part);
  if (m.has("swelling"))
    for (const char* key : {"relaxation", "plasticity"})
      if (m.has(key)) {
        diagnostics_.error(m[key].key_position, m[key].yaml_path, std::string("'") + key + "' is not available with 'swelling'",
                           "remove one of the two");
        return;
      }
  for (const char* key : {"relaxation", "plasticity"})
    if (m.has(key) && solid_.kind == SolidKind::plane_stress) {
      diagnostics_.error(m[key].key_position, m[key].yaml_path, std::string("'") + key + "' is not available in plane stress");
      return;
    } else if (m.has(key) && !model_.march->scheme.balances_at_end()) {
      const Value& scheme = (*sections_.find("time"))["scheme"];
      diagnostics_.error(scheme.position, scheme.yaml_path,
                         "'" + scheme.text() + "' balances within a step, and '" + key + "' needs the state at its end",
                         "use bdf2, backward_euler or newmark");
      return;
    }
  if (m.has("relaxation")) relaxes(m["relaxation"], path + ".relaxation", part);
  if (m.has("plasticity")) yields(m, path, part);
}

void SolidBuilder::relaxes(const Value& branches, const std::string& path, MaterialPart& part) {
  std::vector<ControlledValue> values;
  for (const Value& branch : branches)
    for (const ParamSpec& p : branch_parameters) values.push_back({constant(branch, path + "." + branch.key, p, std::nullopt), {}});
  part.branches = static_cast<int>(values.size() / 2);
  if (const int most = max_maxwell_branches(solid_.kind); part.branches > most) {
    diagnostics_.error(branches.key_position, branches.yaml_path, "there are more than " + std::to_string(most) + " elements");
    return;
  }
  part.viscous_form = residual_.add_form(
      make_maxwell_branches(solid_.kind, part.branches, CellBatches::on_cells(model_.dofs, part.region, degree_)), std::move(values),
      {.name = "the relaxation of material '" + part.name + "'"});
}

void SolidBuilder::yields(const Value& m, const std::string& path, MaterialPart& part) {
  std::vector<ControlledValue> values;
  for (const int control : part.controls) values.push_back({control, {}});  // E, and ν where the volume may change
  if (values.size() == 1) values.push_back({residual_.add_control({"", ""}, {0.5}), {}});
  const std::string& law = m["model"].text();
  for (const ParamSpec& p : plastic_parameters_of(law))
    values.push_back({constant(m["plasticity"], path + ".plasticity", p, p.default_value), {}});
  CellBatches cells = CellBatches::on_cells(model_.dofs, part.region, degree_);
  part.plastic_form = residual_.add_form(plasticity_of(law) == PlasticStrain::finite ? make_finite_plastic_flow(solid_.kind, std::move(cells))
                                                                                   : make_plastic_flow(solid_.kind, std::move(cells)),
                                         std::move(values), {.name = "the plasticity of material '" + m.key + "'"});
}

void SolidBuilder::moves(const Value& m, const std::string& path, MaterialPart& part) {
  const auto cells = [&] { return CellBatches::on_cells(model_.dofs, part.region, std::max(degree_, 4)); };
  const auto& [density, mass_damping, shear, bulk] = dynamic_parameters;
  const bool inertia = (*sections_.find("time"))["inertia"].boolean();
  if (inertia) {
    part.density = {constant(m, path, density, std::nullopt), {}};
    residual_.add_form(make_inertia(solid_.kind, cells()), {part.density}, {.name = "the mass of material '" + m.key + "'"});
  }
  if (m.has(mass_damping.key) && !inertia)
    diagnostics_.error(m[mass_damping.key].key_position, m[mass_damping.key].yaml_path, "without inertia there is no damping by mass");
  else if (m.has(mass_damping.key)) {
    const ControlledValue alpha{constant(m, path, mass_damping, std::nullopt), {}};
    residual_.add_form(make_mass_damping(solid_.kind, cells()), {part.density, alpha},
                       {.name = "the mass damping of material '" + m.key + "'"});
  }
  if (!m.has(shear.key) && !m.has(bulk.key)) return;
  if (solid_.kind == SolidKind::plane_stress) {
    diagnostics_.error(m.position, m.yaml_path, "viscosity is not available in plane stress", "use mass_damping");
    return;
  }
  const ControlledValue eta{constant(m, path, shear, 0.0), {}}, zeta{constant(m, path, bulk, 0.0), {}};
  residual_.add_form(make_kelvin_voigt(solid_.kind, cells()), {eta, zeta},
                     {.name = "the viscosity of material '" + m.key + "'"});
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
    if (load.dead) solid_.dead_load_forms.push_back(residual_.form_count());
    CellBatches domain = load.domain == points  ? CellBatches::on_points(model_.dofs, *where)
                         : load.domain == cells ? CellBatches::on_cells(model_.dofs, *where, degree_)
                                                : CellBatches::on_facets(model_.dofs, *where, degree_);
    residual_.add_form(load.make(solid_.kind, *setting, std::move(domain)), coefficients(load, l, "loads." + l.key), used_as(l));
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
                      "plane stress needs no pressure: use the displacement formulation, also for incompressible materials");
  if (const Value* time = sections.find("time"); solid.mixed && model.march)
    if (const std::string scheme = (*time)["scheme"].text(); scheme != "backward_euler" && scheme != "bdf2")
      diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path,
                        "'" + scheme + "' does not suit the mixed formulation: its pressure would not converge", "use bdf2 or backward_euler");
  if (diagnostics.size() != before) return;

  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + "xyz"[i], order});
  if (solid.mixed) components.push_back({"p", 1});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = std::make_shared<FormResidual>(model.dofs);
  SolidBuilder builder(solid, model, sections, order, diagnostics);
  builder.materials();
  builder.supports();
  builder.loads();
  if (diagnostics.size() == before) build_contact(solid, model, sections, diagnostics);
  builder.initial_state("");
  if (diagnostics.size() != before) return;
  model.residual->finish();
  if (solid.mixed) model.residual->set_algebraic({dim});
  if (!solid.mixed) model.residual->set_near_null_space(rigid_body_modes(*model.dofs));
}

std::string SolidModel::region_of_material(const std::string& name) const {
  return std::ranges::find(parts, name, &MaterialPart::name)->region;
}

bool SolidModel::suits_multigrid(const CaseModel& model) const {
  return std::ranges::all_of(model.dofs->components(), [](const Component& c) { return c.order == 2; });
}

}  // namespace invar
