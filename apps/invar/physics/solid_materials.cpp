#include "apps/invar/physics/solid_materials.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/solid_tables.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/form/at_nodes.hpp"
#include "libfem/solid/distributed_material.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {
namespace {

using spec::Value;

/// Static cases may share a material with processes in time.
bool some_case_in_time(const Value& spec) {
  const auto in_time = [](const Value& sections) {
    const Value* time = sections.find("time");
    return time && (*time)["scheme"].text() != "static";
  };
  const Value* cases = spec.find("cases");
  return in_time(spec) || (cases && std::any_of(cases->begin(), cases->end(), in_time));
}

}  // namespace

int solid_degree(const Mesh& mesh, int order, SolidKind kind) {
  bool tensor = false;
  for (const CellBlock& b : mesh.cells)
    tensor |= b.type.shape == Shape::quadrilateral || b.type.shape == Shape::hexahedron;
  const int degree = order == 1 ? (tensor ? 2 : 1) : 4;
  return degree + (kind == SolidKind::axisymmetric ? 1 : 0);
}

std::optional<MaterialPart> SolidMaterials::law(const Value& m) {
  const std::string path = "materials." + m.key;
  const std::optional<std::string> region = region_of(m, model_.mesh->dim);
  if (!region) return std::nullopt;
  const bool incompressible = m["incompressible"].boolean(), plane_stress = at_.kind == SolidKind::plane_stress;
  if (incompressible && !at_.mixed && !plane_stress) {
    diagnostics_.error(m["incompressible"].position, m.yaml_path,
                       "an incompressible material needs 'formulation: mixed' in 'physics'");
    return std::nullopt;
  }
  MaterialChoice choice = law_of(m, at_.mixed || incompressible ? Formulation::isochoric : Formulation::compressible);
  choice.plane_stress = plane_stress;
  choice.swelling = m.has("swelling");
  choice.distributed = m.has("material_share");
  if (!grows(m, choice)) return std::nullopt;
  if (choice.distributed && at_.mixed) {
    diagnostics_.error(m["material_share"].key_position, m.yaml_path, "'material_share' is not available in the mixed formulation, whose pressure also acts in void",
                       "use the displacement formulation");
    return std::nullopt;
  }
  MaterialPart part;
  part.name = m.key;
  part.region = *region;
  check_used(m, choice);
  const std::size_t before = diagnostics_.size();
  std::vector<double> constants;
  std::vector<ControlledValue> values;
  const auto bind = [&](const ParamSpec& p, std::optional<double> fallback) {
    const int control = constant(m, path, p, fallback);
    values.push_back({control, {}});
    constants.push_back(residual_.control_values()[control][0]);
    return control;
  };
  for (const ParamSpec& p : material_parameters(choice)) part.controls.push_back(bind(p, p.default_value));
  choice.rest_constants.assign(constants.begin(), constants.end() - (choice.distributed ? 2 : 0) - choice.swelling - (choice.growth ? static_cast<int>(growth_parameters.size()) : 0));
  part.material = make_material(choice);
  if (plane_stress && choice.formulation == Formulation::compressible) {
    MaterialChoice in_space = choice;
    in_space.plane_stress = false;
    part.unreduced = make_material(in_space);
  }
  if (diagnostics_.size() == before) check_stable(m, choice, constants);
  if (at_.mixed) {
    const ParamSpec bulk{.key = "bulk", .unit = "Pa", .doc = "bulk modulus; or set 'incompressible: true'",
                         .lower = 0, .lower_open = true};
    if (incompressible) {
      if (m.has("bulk"))
        diagnostics_.error(m["bulk"].position, m["bulk"].yaml_path,
                           "an incompressible material has no bulk modulus; remove one of the two");
      values.push_back({residual_.add_control({"", ""}, {std::numeric_limits<double>::infinity()}), {}});
    } else {
      bind(bulk, std::nullopt);
    }
  }
  const auto& on = at_.mixed ? at_.with_pressure : at_.displacement;
  CellBatches cells = on(part.region, at_.degree);
  part.form = add(at_.mixed ? make_mixed_form(at_.kind, part.material, std::move(cells))
                            : make_displacement_form(at_.kind, part.material, std::move(cells)),
                  std::move(values), "material '" + m.key + "'");
  part.constants = std::move(constants);
  return part;
}

/// Whether a law grows by a tensor; false after reporting that it cannot.
bool SolidMaterials::grows(const Value& m, MaterialChoice& choice) {
  const auto refuse = [&](const Value& at, const std::string& what, const std::string& hint) {
    diagnostics_.error(at.key_position, at.yaml_path, what, hint);
    return false;
  };
  for (const ParamSpec& p : growth_parameters) {
    const Value* given = m.find(std::string(p.key));
    if (!given) continue;
    choice.growth = true;
    if (at_.mixed) return refuse(*given, "'" + given->key + "' is not available in the mixed formulation", "use 'swelling', or the displacement formulation");
    if (choice.swelling) return refuse(*given, "'" + given->key + "' and 'swelling' describe the same", "add the swelling to growth_xx, growth_yy and growth_zz");
    if (model_.mesh->dim == 2 && (p.key == "growth_xz" || p.key == "growth_yz"))
      return refuse(*given, "'" + given->key + "' shears a plane body out of its plane", "leave it out, or use a mesh in space");
  }
  if (choice.growth && material_parameters(choice).size() > max_material_parameters)
    return refuse(m, "a law of " + std::to_string(material_parameters(choice).size()) + " constants is too large: at most " + std::to_string(max_material_parameters), "use fewer terms");
  return true;
}

/// Reports constants that the chosen form does not have.
void SolidMaterials::check_used(const Value& m, const MaterialChoice& choice) {
  std::vector<std::string> known = {"region", "incompressible", "model", "terms"};
  std::string constants;
  const auto add = [&](std::string_view key) {
    known.emplace_back(key);
    constants += (constants.empty() ? "" : ", ") + std::string(key);
  };
  for (const ParamSpec& p : material_parameters(choice)) add(p.key);
  if (choice.formulation == Formulation::compressible && has_volumetric_law(choice.name)) add("volumetric");
  if (at_.mixed) add("bulk");  // with 'incompressible' it has a message of its own
  if (!choice.swelling) add(swelling_parameter.key);
  if (!choice.growth && !at_.mixed)
    for (const ParamSpec& p : growth_parameters) add(p.key);
  if (!choice.distributed && !at_.mixed) add(material_share_parameter.key);
  std::vector<std::string> in_time{"relaxation"};
  for (const ParamSpec& p : dynamic_parameters) in_time.emplace_back(p.key);
  if (plasticity_of(m["model"].text())) in_time.emplace_back("plasticity");
  if (some_case_in_time(*sections_.top)) std::ranges::for_each(std::exchange(in_time, {}), add);
  else if (at_.may_move) add(dynamic_parameters[0].key);
  if (m.has("plasticity") && !model_.march && some_case_in_time(*sections_.top))
    diagnostics_.error(m["plasticity"].key_position, m["plasticity"].yaml_path,
                       "the case '" + model_.name + "' is not a process in time, and plastic flow depends on the history of loading",
                       "give its 'time' a 'scheme', with 'inertia: false' for quasi-static processes");
  const bool isochoric = choice.formulation == Formulation::isochoric;
  const std::string form = at_.mixed ? "in the mixed formulation" : isochoric ? "when incompressible" : "in the displacement formulation";
  for (const Value& v : m) {
    if (v.defaulted || std::ranges::count(known, v.key)) continue;
    if (std::ranges::count(in_time, v.key))
      diagnostics_.error(v.key_position, v.yaml_path, "'" + v.key + "' is for processes in time", "give 'time' a 'scheme', or leave it out");
    else
      diagnostics_.error(v.key_position, v.yaml_path, "'" + v.key + "' is not a constant of '" + std::string(choice.name) + "' " + form,
                         "its constants: " + constants);
  }
}

void SolidMaterials::check_stable(const Value& m, MaterialChoice choice, const std::vector<double>& constants) {
  choice.plane_stress = choice.swelling = choice.growth = choice.distributed = false;  // for the law that is wrapped by swelling, growth or distribution
  const std::unique_ptr<Material> law = make_material(choice);
  const double stiffness = smallest_stiffness(*law, std::span(constants).first(law->parameters().size()),
                                              choice.formulation == Formulation::isochoric);
  if (stiffness > 0) return;
  diagnostics_.error(m.position, m.yaml_path,
                     "with these constants '" + m.key + "' is unstable at rest: its smallest stiffness is " +
                         number_text(stiffness) + " Pa and must be positive");
}

void SolidMaterials::in_time(const Value& m, MaterialPart& part) {
  const std::string path = "materials." + m.key;
  part.degree = at_.degree;
  moves(m, path, part);
  for (const char* kept : {"swelling", "growth_xx", "growth_yy", "growth_zz", "growth_xy", "growth_xz", "growth_yz", "material_share"})
    for (const char* key : {"relaxation", "plasticity"})
      if (m.has(kept) && m.has(key)) {
        diagnostics_.error(m[key].key_position, m[key].yaml_path, std::string("'") + key + "' is not available with '" + kept + "'",
                           "remove one of the two");
        return;
      }
  for (const char* key : {"relaxation", "plasticity"})
    if (m.has(key) && at_.kind == SolidKind::plane_stress) {
      diagnostics_.error(m[key].key_position, m[key].yaml_path, std::string("'") + key + "' is not available in plane stress");
      return;
    } else if (m.has(key) && !model_.march->scheme.balances_at_end()) {
      const Value& scheme = (*sections_.find("time"))["scheme"];
      diagnostics_.error(scheme.position, scheme.yaml_path,
                         "'" + scheme.text() + "' satisfies the equations within a step, and '" + key + "' needs them at its end",
                         physics_of(model_.physics_word).time_order((*sections_.find("time"))) == 2 ? "use bdf2, backward_euler or newmark" : "use bdf2 or backward_euler");
      return;
    }
  if (m.has("relaxation")) relaxes(m["relaxation"], path + ".relaxation", part);
  if (m.has("plasticity")) yields(m, path, part);
}

void SolidMaterials::relaxes(const Value& branches, const std::string& path, MaterialPart& part) {
  std::vector<ControlledValue> values;
  for (const Value& branch : branches)
    for (const ParamSpec& p : branch_parameters) values.push_back({constant(branch, path + "." + branch.key, p, std::nullopt), {}});
  part.branches = static_cast<int>(values.size() / 2);
  if (const int most = max_maxwell_branches(at_.kind); part.branches > most) {
    diagnostics_.error(branches.key_position, branches.yaml_path, "there are more than " + std::to_string(most) + " elements");
    return;
  }
  part.viscous_form = add(make_maxwell_branches(at_.kind, part.branches, at_.displacement(part.region, at_.degree)), std::move(values),
                          "the relaxation of material '" + part.name + "'");
}

void SolidMaterials::yields(const Value& m, const std::string& path, MaterialPart& part) {
  std::vector<ControlledValue> values;
  for (const int control : part.controls) values.push_back({control, {}});  // E, and ν where the volume may change
  if (values.size() == 1) values.push_back({residual_.add_control({"", ""}, {0.5}), {}});
  const std::string& law = m["model"].text();
  for (const ParamSpec& p : plastic_parameters_of(law))
    values.push_back({constant(m["plasticity"], path + ".plasticity", p, p.default_value), {}});
  CellBatches cells = at_.displacement(part.region, at_.degree);
  part.plastic_form = add(plasticity_of(law) == PlasticStrain::finite ? make_finite_plastic_flow(at_.kind, std::move(cells))
                                                                      : make_plastic_flow(at_.kind, std::move(cells)),
                          std::move(values), "the plasticity of material '" + m.key + "'");
}

void SolidMaterials::moves(const Value& m, const std::string& path, MaterialPart& part) {
  const int degree = std::max(at_.degree, 4);
  const auto cells = [&] { return at_.displacement(part.region, degree); };
  const auto& [density, mass_damping, shear, bulk] = dynamic_parameters;
  const bool inertia = (*sections_.find("time"))["inertia"].boolean();
  if (inertia) {
    part.density = {constant(m, path, density, std::nullopt), {}};
    residual_.add_form(at_.inertia(part.region, degree), {part.density}, {.name = "the mass of material '" + m.key + "'"});
  }
  if (m.has(mass_damping.key) && !inertia)
    diagnostics_.error(m[mass_damping.key].key_position, m[mass_damping.key].yaml_path, "mass damping needs inertia");
  else if (m.has(mass_damping.key)) {
    const ControlledValue alpha{constant(m, path, mass_damping, std::nullopt), {}};
    add(make_mass_damping(at_.kind, at_.lumped ? at_nodes(cells()) : cells()), {part.density, alpha}, "the mass damping of material '" + m.key + "'");
  }
  if (!m.has(shear.key) && !m.has(bulk.key)) return;
  if (at_.kind == SolidKind::plane_stress) {
    diagnostics_.error(m.position, m.yaml_path, "viscosity is not available in plane stress", "use mass_damping");
    return;
  }
  const ControlledValue eta{constant(m, path, shear, 0.0), {}}, zeta{constant(m, path, bulk, 0.0), {}};
  const int form = add(make_kelvin_voigt(at_.kind, cells()), {eta, zeta}, "the viscosity of material '" + m.key + "'");
  part.viscosity.push_back({AddedStress::Kind::viscous, part.region, {eta, zeta}, form});
}

}  // namespace invar
