#include "apps/invar/physics/fsi_builder.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "apps/invar/physics/solid_tables.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "libfluid/objective/flow_objectives.hpp"

namespace invar {

using spec::Value;

std::vector<int> FsiComponents::run(int first) const {
  std::vector<int> all(dim);
  for (int i = 0; i < dim; ++i) all[i] = first + i;
  return all;
}

std::vector<int> FsiComponents::join(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

namespace {

bool is_fluid(const Value& material) {
  return std::ranges::count(flow_law_names(), std::string_view(material["model"].text())) > 0;
}

}  // namespace

FsiBuilder::FsiBuilder(FsiCase& fsi, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
    : CaseBuilder(model, sections, false, diagnostics), fsi_(fsi), at_{model.mesh->dim} {
  for (const CellBlock& block : model.mesh->cells)
    degree_ = std::max(degree_, flow_degree(fsi.kind, FlowDiscretisation::taylor_hood, {.law = {}}, block.type.shape));
}

/// Energies of the parts and what the fluid turns into heat, for quantities.
void FsiBuilder::add_densities(const std::vector<ControlledValue>& body_constants) {
  const auto on = [dofs = model_.dofs](const std::string& region, int degree, std::vector<int> components) {
    return [=] { return CellBatches::on_cells(dofs, region, degree, components); };
  };
  FsiQuantityCase::Forms& forms = fsi_.forms;
  const auto of_fluid = on(fsi_.fluid.region, degree_, at_.v_d()), v_of_body = on(fsi_.body.region, solid_degree, at_.v()),
             d_of_body = on(fsi_.body.region, solid_degree, at_.d());
  const std::vector<ControlledValue>& constants = fsi_.fluid.constants;  // density, the law's parameters
  forms.kinetic.push_back({[=, kind = fsi_.kind] { return make_moving_kinetic_energy(kind, of_fluid()); }, {constants[0]}});
  if (model_.march) forms.kinetic.push_back({[=, kind = fsi_.kind] { return make_kinetic_energy(kind, v_of_body()); }, {fsi_.body.density}});
  forms.stored.push_back({[=, material = fsi_.body.material] { return make_displacement_form(SolidKind::plane_strain, material, d_of_body()); }, body_constants});
  std::vector<ControlledValue> resisting(constants.begin() + 1, constants.end());
  resisting.push_back(fsi_.fluid.resistance);
  forms.dissipation.push_back({[=, kind = fsi_.kind, law = fsi_.fluid.law] { return make_moving_dissipation(kind, law, of_fluid()); }, std::move(resisting)});
}

/// A key that these equations do not read would be ignored silently.
void FsiBuilder::check_used(const Value& m, const std::vector<std::string_view>& known, const char* of) {
  std::string list;
  for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + std::string(key);
  for (const Value& v : m)
    if (!v.defaulted && v.key != "region" && v.key != "model" && std::ranges::count(known, std::string_view(v.key)) == 0)
      diagnostics_.error(v.key_position, v.yaml_path, "'" + v.key + "' is not a constant of the " + of + " in fluid-structure interaction",
                         "its constants: " + list);
}

void FsiBuilder::fluid(const Value& m) {
  FluidPart& part = fsi_.fluid;
  part.name = m.key, part.region = m["region"].text(), part.law_name = m["model"].text();
  part.law = make_viscosity_law(part.law_name);
  std::vector<std::string_view> known{resistance_parameter.key};
  const auto constant_of = [&](const ParamSpec& p, std::optional<double> fallback) {
    known.push_back(p.key);
    return ControlledValue{constant(m, "materials." + m.key, p, fallback), {}};
  };
  for (const ParamSpec& p : flow_law_parameters(part.law_name)) part.constants.push_back(constant_of(p, p.default_value));
  part.resistance = constant_of(resistance_parameter, 0.0);
  check_used(m, known, "fluid");
}

void FsiBuilder::body(const Value& m) {
  MaterialPart& part = fsi_.body;
  part.name = m.key, part.region = m["region"].text();
  const MaterialChoice choice = law_of(m);
  std::vector<std::string_view> known{"terms"};
  if (has_volumetric_law(choice.name)) known.push_back("volumetric");
  part.material = make_material(choice);
  for (const ParamSpec& p : material_parameters(choice)) {
    known.push_back(p.key);
    part.controls.push_back(constant(m, "materials." + m.key, p, p.default_value));
    body_constants_.push_back(residual_.control_values()[part.controls.back()][0]);
    if (p.unit == "Pa") moduli_.push_back(part.controls.back());
  }
  const auto& [density, mass_damping, shear, bulk] = dynamic_parameters;
  for (const ParamSpec& p : {density, shear, bulk}) known.push_back(p.key);
  if (model_.march) part.density = {constant(m, "materials." + m.key, density, std::nullopt), {}};
  check_used(m, known, "body");
  if (model_.march && (m.has(shear.key) || m.has(bulk.key)))
    for (const ParamSpec& p : {shear, bulk}) viscosities_.push_back({constant(m, "materials." + m.key, p, 0.0), {}});
}

void FsiBuilder::add_equations(const Value& physics) {
  const FluidPart& fluid = fsi_.fluid;
  const MaterialPart& body = fsi_.body;
  const auto of_fluid = [this](std::function<std::unique_ptr<WeakForm>()> make, std::vector<ControlledValue> values, std::string name) {
    const int form = residual_.add_form(make(), values, {.name = std::move(name)});
    fsi_.forms.fluid.push_back({std::move(make), std::move(values)});
    return form;
  };
  std::vector<ControlledValue> values = fluid.constants;
  std::ranges::copy(body_force_on(fluid.region), std::back_inserter(values));
  values.push_back(fluid.resistance);
  // What makes the forms outlives this builder.
  const auto on_fluid = [dofs = model_.dofs, region = fluid.region, degree = degree_](std::vector<int> components) {
    return CellBatches::on_cells(dofs, region, degree, std::move(components));
  };
  // Tractions of fluid and body balance: they are those of the stress itself.
  fsi_.fluid_form = of_fluid([on_fluid, kind = fsi_.kind, law = fluid.law, at = at_] { return make_moving_navier_stokes(kind, {.law = law, .stress_form = true}, on_fluid(at.v_p_d())); },
           std::move(values), "the flow of '" + fluid.name + "'");
  if (model_.march)
    of_fluid([on_fluid, kind = fsi_.kind, at = at_] { return make_moving_inertia(kind, on_fluid(at.v_d())); }, {fluid.constants[0]}, "the mass of '" + fluid.name + "'");

  const SolidKind kind = SolidKind::plane_strain;
  values.clear();
  for (const int control : body.controls) values.push_back({control, {}});
  add_densities(values);
  fsi_.body_form = residual_.add_form(make_first_order_solid(kind, body.material, cells(body.region, solid_degree, at_.d_v())), values,
                                      {.name = "material '" + body.name + "'"});
  if (model_.march)
    residual_.add_form(make_flow_inertia(fsi_.kind, cells(body.region, solid_degree, at_.v())), {body.density},
                       {.name = "the mass of material '" + body.name + "'", .linear = true});
  if (!viscosities_.empty())
    residual_.add_form(make_first_order_viscosity(kind, cells(body.region, solid_degree, at_.d_v())), viscosities_,
                       {.name = "the viscosity of material '" + body.name + "'"});
  residual_.add_form(make_body_force(kind, cells(body.region, solid_degree, at_.v())), body_force_on(body.region), {.name = "the body force"});

  // Rows of the displacement: of the body its velocity, elsewhere the mesh. Their scale is that of the body's stresses.
  const double scale = smallest_stiffness(*body.material, body_constants_, false);
  const auto number = [this](double value) { return ControlledValue{residual_.add_control({"", ""}, {value}), {}}; };
  residual_.add_form(make_body_velocity(fsi_.kind, cells(body.region, solid_degree, at_.v_d())), {number(scale)},
                     {.name = "the velocity of '" + body.name + "'", .linear = true});
  std::vector<double> stiffness = mesh_stiffness(*model_.mesh, model_.dofs->comm(), physics["stiffening"].number());
  for (double& c : stiffness) c *= scale;
  const int control = residual_.add_control({"", "Pa", ControlLayout::cells}, std::move(stiffness));
  constexpr double bulk = 2.0;  // κ: changes of volume against changes of shape
  residual_.add_form(make_mesh_elasticity(model_.mesh->dim, cells(fluid.region, solid_degree, at_.d())), {{control, {}}, number(bulk)},
                     {.name = "the mesh of '" + fluid.name + "'", .rows = {.region = body.region, .outside = true}});
  if (model_.march) residual_.set_algebraic({at_.pressure()});
  residual_.set_continuation_controls(moduli_);
}

namespace {

/// The one fluid and the one body; nothing after recording what is wrong.
std::optional<std::array<const Value*, 2>> find_parts(const Value& materials, const Mesh& mesh, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  std::array<const Value*, 2> parts{};
  for (const Value& m : materials) {
    const Value*& part = parts[is_fluid(m) ? 0 : 1];
    if (part)
      diagnostics.error(m.position, m.yaml_path, "fluid-structure interaction is of one fluid and one body, and '" + part->key + "' is a " +
                                                     (is_fluid(m) ? "fluid" : "body") + " already");
    part = &m;
    if (m["region"].text() == "all")
      diagnostics.error(m["region"].position, m["region"].yaml_path, "fluid and body each have a region of cells of their own");
    else check_region(mesh, m["region"].text(), mesh.dim, m["region"], diagnostics);
  }
  for (const int i : {0, 1})
    if (!parts[i])
      diagnostics.error(materials.key_position, materials.yaml_path, std::string("there is no ") + (i == 0 ? "fluid" : "body") + ": fluid-structure interaction needs both",
                        i == 0 ? "add a material with the model of a fluid, e.g. newtonian" : "add a material with the model of a solid, e.g. neo_hookean");
  if (diagnostics.size() != before) return std::nullopt;
  return parts;
}

}  // namespace

void build_fsi(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  auto owned = std::make_unique<FsiCase>();
  FsiCase& fsi = *owned;
  model.physics = std::move(owned);
  const std::size_t before = diagnostics.size();
  if (model.mesh->dim != 2)
    diagnostics.error(physics.position, physics.yaml_path, "the mesh has dimension 3, and fluid-structure interaction is planar");
  if (const Value* time = sections.find("time"); model.march && (*time)["scheme"].text() == "midpoint")
    diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path, "'midpoint' does not damp the motion of the mesh", "use bdf2 or generalised_alpha");
  const auto parts = find_parts(*sections.find("materials"), *model.mesh, diagnostics);
  if (diagnostics.size() != before || !parts) return;

  const std::string region = (*(*parts)[0])["region"].text();
  std::vector<Component> components;
  for (const char* letter : {"v_", "d_"})
    for (int i = 0; i < model.mesh->dim; ++i) components.push_back({std::string(letter) + "xyz"[i], order});
  components.push_back({"p", 1, region});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = std::make_shared<FormResidual>(model.dofs);
  FsiBuilder builder(fsi, model, sections, diagnostics);
  builder.fluid(*(*parts)[0]);
  builder.body(*(*parts)[1]);
  builder.check_regions();
  builder.check_interface();
  const bool known = diagnostics.size() == before;
  builder.boundary();
  builder.loads();
  builder.initial();
  if (known && diagnostics.size() == before) builder.add_equations(physics);
  if (diagnostics.size() != before) return;
  model.residual->finish();
  builder.check_pressure_level();
}

}  // namespace invar
