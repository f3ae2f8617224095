#include "apps/invar/physics/fsi_builder.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/flow_domains.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "libfem/form/common_terms.hpp"
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/moduli.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/interaction_fields.hpp"
#include "libfluid/fsi/moved_walls.hpp"
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

SolidKind FsiCase::solid_kind() const {
  if (kind == FlowKind::spatial) return SolidKind::spatial;
  return kind == FlowKind::axisymmetric ? SolidKind::axisymmetric : SolidKind::plane_strain;
}

std::vector<std::string> FsiCase::body_regions() const {
  std::vector<std::string> regions;
  for (const MaterialPart& body : bodies) regions.push_back(body.region);
  return regions;
}

std::vector<std::string> FsiCase::material_regions() const {
  std::vector<std::string> regions = body_regions();
  std::ranges::copy(rigid_surfaces, std::back_inserter(regions));
  return regions;
}

std::string FsiCase::region_of_material(const std::string& name) const {
  return name == fluid.name ? fluid.region : std::ranges::find(bodies, name, &MaterialPart::name)->region;
}

namespace {

bool is_fluid(const Value& material) {
  return std::ranges::count(flow_law_names(), std::string_view(material["model"].text())) > 0;
}

}  // namespace

FsiBuilder::FsiBuilder(FsiCase& fsi, CaseModel& model, const CaseSections& sections, int order, Diagnostics& diagnostics)
    : CaseBuilder(model, sections, false, diagnostics), fsi_(fsi), turbulence_(fsi.turbulent, *this), at_{model.mesh->dim}, solid_degree_(solid_degree(*model.mesh, order, fsi.solid_kind())) {
  mass_degree_ = std::max(solid_degree_, 2 * order + (fsi.kind == FlowKind::axisymmetric));  // stresses on linear elements need one point only
  degree_ = solid_degree_;
  for (const CellBlock& block : model.mesh->cells)
    degree_ = std::max(degree_, flow_degree(fsi.kind, fsi.discretisation, {.law = {}, .turbulent = fsi.turbulent}, block.type.shape));
  fsi.degree = degree_, fsi.facet_degree = flow_facet_degree(fsi.kind, fsi.discretisation);
}

void FsiBuilder::check_regions() {
  std::vector<std::string> regions = fsi_.body_regions();
  regions.push_back(fsi_.fluid.region);
  check_covered(regions);
}

void FsiBuilder::fluid(const Value& m) {
  FluidPart& part = fsi_.fluid;
  part.name = m.key, part.region = m["region"].text(), part.law_name = m["model"].text();
  part.law = make_viscosity_law(part.law_name);
  const auto constant_of = [&](const ParamSpec& p, std::optional<double> fallback) {
    return ControlledValue{constant(m, "materials." + m.key, p, fallback), {}};
  };
  for (const ParamSpec& p : flow_law_parameters(part.law_name)) part.constants.push_back(constant_of(p, p.default_value));
  part.resistance = constant_of(resistance_parameter, 0.0);
  if (fsi_.scalar) {
    part.diffusivity = constant_of(diffusivity_parameter, std::nullopt);
  } else if (const Value* given = m.find(diffusivity_parameter.key)) {
    check_carries(fsi_.scalar, *given, diagnostics_);
  }
  if (fsi_.turbulent) turbulence_.constants(m, "materials." + m.key, part);
  else turbulence_.refuse_constants(m);
}

std::unique_ptr<WeakForm> FsiBuilder::with_velocity(std::unique_ptr<WeakForm> form, int body) const {
  std::vector<int> from = at_.d(), to = at_.v();
  if (fsi_.mixed && body >= 0)
    for (auto* rows : {&from, &to}) rows->push_back(at_.pressure_of_body(body));
  return std::make_unique<RowMapped>(std::move(form), model_.dofs, map_rows(*model_.dofs, from, to));
}

/// Equations of a body for its displacement are tested with its velocity; as v is continuous between parts, common test functions
/// make their tractions balance: Hron, Turek, in Fluid-Structure Interaction, LNCSE 53 (2006).
BodyEquations FsiBuilder::equations_of_body(int body) const {
  const auto on = [dofs = model_.dofs](std::vector<int> components) {
    return [=](const std::string& region, int degree) { return CellBatches::on_cells(dofs, region, degree, components); };
  };
  return {.kind = fsi_.solid_kind(), .mixed = fsi_.mixed, .degree = solid_degree_, .may_move = true, .displacement = on(at_.d()),
          .with_pressure = on(FsiComponents::join(at_.d(), {at_.pressure_of_body(body)})),
          .tested = [this, body](std::unique_ptr<WeakForm> form) { return with_velocity(std::move(form), body); },
          .inertia = [dofs = model_.dofs, at = at_, kind = fsi_.kind](const std::string& region, int degree) {
            return make_flow_inertia(kind, CellBatches::on_cells(dofs, region, degree, at.v()));
          }};
}

void FsiBuilder::body(const Value& m) {
  SolidMaterials materials(equations_of_body(static_cast<int>(fsi_.bodies.size())), *this);
  std::optional<MaterialPart> part = materials.law(m);
  if (!part) return;
  const auto constants = part->material->parameters();
  for (std::size_t k = 0; k < constants.size(); ++k)
    if (is_modulus(constants[k])) moduli_.push_back(part->controls[k]);
  if (model_.march) materials.in_time(m, *part);
  fsi_.bodies.push_back(std::move(*part));
}

void FsiBuilder::add_equations(const Value& physics) {
  add_fluid();
  if (fsi_.scalar) add_scalar();
  if (fsi_.turbulent) add_turbulence(physics);
  add_mesh(physics);
  add_densities();
  std::vector<int> algebraic{at_.pressure()};
  for (std::size_t k = 0; fsi_.mixed && k < fsi_.bodies.size(); ++k) algebraic.push_back(at_.pressure_of_body(static_cast<int>(k)));
  if (model_.march) residual_.set_algebraic(std::move(algebraic));
  if (model_.march && !model_.march->from_equilibrium && !fsi_.mixed && !fsi_.scalar && fsi_.discretisation == FlowDiscretisation::taylor_hood)
    residual_.set_coupled_fields(interaction_fields(*model_.dofs, at_.v(), at_.pressure(), at_.d(), fsi_.body_regions()));
  std::vector<int> eased = moduli_;
  if (fsi_.turbulent) eased.push_back(fsi_.fluid.constants[1].control);
  residual_.set_continuation_controls(std::move(eased));
}

void FsiBuilder::add_fluid() {
  const FluidPart& fluid = fsi_.fluid;
  const auto add = [this](std::function<std::unique_ptr<WeakForm>()> make, const std::vector<ControlledValue>& values, std::string name) {
    const int form = residual_.add_form(make(), values, {.name = std::move(name)});
    fsi_.forms.fluid.push_back({std::move(make), values});
    return form;
  };
  const Value* force = load_on_fluid(body_force_term().name);
  std::vector<ControlledValue> values = fluid.constants, of_inertia = fluid.constants;
  std::ranges::copy(force ? coefficients(body_force_term(), *force, "loads." + force->key) : std::vector(model_.mesh->dim, binder_.zero()), std::back_inserter(values));
  for (auto* all : {&values, &of_inertia}) {
    all->push_back(fluid.resistance);
    if (fsi_.turbulent) all->push_back(TurbulenceBuilder::eddy_damping(fluid));
  }
  // Functions that create forms live longer than this builder.
  const auto on_fluid = [dofs = model_.dofs, region = fluid.region, degree = degree_](std::vector<int> components) {
    return CellBatches::on_cells(dofs, region, degree, std::move(components));
  };
  const std::string mass = "the mass of '" + fluid.name + "'";
  // Stabilised forms have cells of one shape. The stress form, so that tractions of fluid and bodies balance.
  const bool stabilised = fsi_.discretisation == FlowDiscretisation::equal_order;
  for (const bool simplices : shapes_present(on_fluid({}), model_.dofs->comm())) {
    const FlowModel model = flow_model();
    const auto on_shape = [on_fluid, components = of_flow(), simplices] { return cells_of_shape(on_fluid(components), simplices); };
    const int form = add([=, kind = fsi_.kind, how = fsi_.discretisation] { return make_moving_navier_stokes(kind, how, model, on_shape()); }, values, "the flow of '" + fluid.name + "'");
    if (fsi_.fluid_form < 0) fsi_.fluid_form = form;
    if (model_.march && stabilised) add([=, kind = fsi_.kind] { return make_moving_stabilised_inertia(kind, model, on_shape()); }, of_inertia, mass);
  }
  if (model_.march && !stabilised) add([on_fluid, kind = fsi_.kind, at = at_] { return make_moving_inertia(kind, on_fluid(at.v_d())); }, {fluid.constants[0]}, mass);
}

void FsiBuilder::add_scalar() {
  const std::string name = "source";
  const Value* source = load_on_fluid(name);
  const std::vector<ControlledValue> values{fsi_.fluid.diffusivity, source ? coefficients(*find_term(flow_loads(), name), *source, "loads." + source->key)[0] : binder_.zero()};
  const CellBatches all = cells(fsi_.fluid.region, degree_, at_.v_p_c_d(scalar()));
  for (const bool simplices : shapes_present(all, model_.dofs->comm()))
    residual_.add_form(make_moving_scalar(fsi_.kind, cells_of_shape(all, simplices)), values, {.name = "the scalar in '" + fsi_.fluid.name + "'"});
}

/// Rows of the displacement: for bodies the relation to the velocity, elsewhere the motion of the mesh; rigid surfaces have
/// equations of their own. The rows are scaled by the stresses of the softest body, or without one by those of the fluid at 1 m/s.
void FsiBuilder::add_mesh(const Value& physics) {
  double scale = fsi_.bodies.empty() ? residual_.control_values()[fsi_.fluid.constants[0].control][0] : std::numeric_limits<double>::infinity();
  for (const MaterialPart& body : fsi_.bodies)
    scale = std::min(scale, smallest_stiffness(*body.material, std::span(body.constants).first(body.controls.size()), fsi_.mixed));
  const auto number = [this](double value) { return ControlledValue{residual_.add_control({"", ""}, {value}), {}}; };
  for (const MaterialPart& body : fsi_.bodies)
    residual_.add_form(make_body_velocity(fsi_.kind, cells(body.region, mass_degree_, at_.v_d())), {number(scale)},
                       {.name = "the velocity of '" + body.name + "'", .linear = true});
  std::vector<double> stiffness = mesh_stiffness(*model_.mesh, model_.dofs->comm(), physics["stiffening"].number());
  for (double& c : stiffness) c *= scale;
  const int control = residual_.add_control({"", "Pa", ControlLayout::cells}, std::move(stiffness));
  constexpr double bulk = 2.0;  // κ: ratio of bulk modulus to shear modulus
  RowMap outside = select_rows(*model_.dofs, {.regions = fsi_.material_regions(), .outside = true, .components = at_.d()});
  CellBatches moving = moving_mesh_points(cells(fsi_.fluid.region, solid_degree_, at_.d()));
  residual_.add_form(std::make_unique<RowMapped>(make_mesh_elasticity(model_.mesh->dim, std::move(moving)), model_.dofs, std::move(outside)),
                     {{control, {}}, number(bulk)}, {.name = "the mesh of '" + fsi_.fluid.name + "'"});
}

/// Densities of energies and dissipation, for quantities.
void FsiBuilder::add_densities() {
  const auto on = [dofs = model_.dofs](const std::string& region, int degree, std::vector<int> components) {
    return [=] { return CellBatches::on_cells(dofs, region, degree, components); };
  };
  FsiQuantityCase::Forms& forms = fsi_.forms;
  const auto of_fluid = on(fsi_.fluid.region, degree_, at_.v_d()), of_power = on(fsi_.fluid.region, degree_, fsi_.turbulent ? of_flow() : at_.v_d());
  const std::vector<ControlledValue>& constants = fsi_.fluid.constants;  // density, the law's parameters
  forms.kinetic.push_back({[=, kind = fsi_.kind] { return make_moving_kinetic_energy(kind, of_fluid()); }, {constants[0]}, fsi_.fluid.region});
  std::vector<ControlledValue> resisting(constants.begin() + 1, constants.end());
  resisting.push_back(fsi_.fluid.resistance);
  if (fsi_.turbulent) resisting.push_back(TurbulenceBuilder::eddy_damping(fsi_.fluid));
  forms.dissipation.push_back({[=, kind = fsi_.kind, model = flow_model()] { return make_moving_dissipation(kind, model, of_power()); }, std::move(resisting), fsi_.fluid.region});
  for (const MaterialPart& body : fsi_.bodies) {
    if (body.density.control >= 0)
      forms.kinetic.push_back({[kind = fsi_.kind, cells = on(body.region, mass_degree_, at_.v())] { return make_kinetic_energy(kind, cells()); }, {body.density}, body.region});
    forms.stored.push_back({.region = body.region, .of_equation = body.form, .has_history = body.has_history()});
  }
}

namespace {

/// The fluid, then the bodies; empty, with error messages, on failure.
std::vector<const Value*> find_parts(const Value& materials, const Mesh& mesh, bool has_rigid_parts, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  const Value* fluid = nullptr;
  std::vector<const Value*> parts;
  for (const Value& m : materials) {
    if (is_fluid(m) && fluid)
      diagnostics.error(m.position, m.yaml_path, "fluid-structure interaction supports one fluid, and '" + fluid->key + "' is a fluid already");
    if (is_fluid(m)) fluid = &m;
    else parts.push_back(&m);
    if (m["region"].text() == "all")
      diagnostics.error(m["region"].position, m["region"].yaml_path, "fluid and bodies need disjoint cell regions");
    else check_region(mesh, m["region"].text(), mesh.dim, m["region"], diagnostics);
  }
  const auto missing = [&](const char* what, const char* hint) {
    diagnostics.error(materials.key_position, materials.yaml_path, std::string("there is no ") + what + ": fluid-structure interaction needs both", hint);
  };
  if (!fluid) missing("fluid", "add a material with the model of a fluid, e.g. newtonian");
  if (parts.empty() && !has_rigid_parts)
    missing("body", "add a material with the model of a solid, e.g. neo_hookean, or a part in 'rigid' whose region is its surface");
  if (diagnostics.size() != before) return {};
  parts.insert(parts.begin(), fluid);
  return parts;
}

/// Regions of facets that are those of rigid parts.
std::vector<std::string> rigid_surfaces(const Value* rigid, const Mesh& mesh) {
  std::vector<std::string> regions;
  if (rigid)
    for (const Value& part : *rigid)
      if (const Value* name = part.find("region"))
        if (const Region* region = mesh.find_region(name->text()); region && region->dim == mesh.dim - 1) regions.push_back(region->name);
  return regions;
}

FlowKind kind_of(const std::string& word) {
  if (word == "spatial") return FlowKind::spatial;
  return word == "axisymmetric" ? FlowKind::axisymmetric : FlowKind::planar;
}

}  // namespace

void build_fsi(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  auto owned = std::make_unique<FsiCase>();
  FsiCase& fsi = *owned;
  model.physics = std::move(owned);
  const std::size_t before = diagnostics.size();
  fsi.kind = kind_of(physics["kind"].text());
  fsi.discretisation = order == 2 ? FlowDiscretisation::taylor_hood : FlowDiscretisation::equal_order;
  fsi.mixed = physics["formulation"].text() == "mixed";
  fsi.scalar = physics["scalar"].boolean();
  fsi.turbulent = physics["turbulence"].text() == "spalart_allmaras";
  check_turbulence(physics, fsi.turbulent, diagnostics);
  const auto needs_second_order = [&](const char* key, const char* what) {
    diagnostics.error(physics[key].position, physics[key].yaml_path, what, "use 'elements: taylor_hood'");
  };
  if (order == 1 && fsi.mixed) needs_second_order("formulation", "the mixed formulation needs elements of second order");
  if (order == 1 && fsi.scalar && !fsi.turbulent) needs_second_order("scalar", "a passive scalar is available in Taylor-Hood flow only");
  if ((fsi.kind == FlowKind::spatial) != (model.mesh->dim == 3))
    diagnostics.error(physics.position, physics.yaml_path,
                      "the mesh has dimension " + std::to_string(model.mesh->dim) + " and the kind is '" + physics["kind"].text() + "'; use " +
                          (model.mesh->dim == 3 ? "spatial" : "planar or axisymmetric"));
  if (const Value* time = sections.find("time"); model.march && (*time)["scheme"].text() == "midpoint")
    diagnostics.error((*time)["scheme"].position, (*time)["scheme"].yaml_path, "'midpoint' does not damp oscillations of the mesh", "use bdf2 or generalised_alpha");
  fsi.rigid_surfaces = rigid_surfaces(sections.find("rigid"), *model.mesh);
  const std::vector<const Value*> parts = find_parts(*sections.find("materials"), *model.mesh, !fsi.rigid_surfaces.empty(), diagnostics);
  if (diagnostics.size() != before || parts.empty()) return;

  std::vector<Component> components;
  for (const char* letter : {"v_", "d_"})
    for (int i = 0; i < model.mesh->dim; ++i) components.push_back({std::string(letter) + "xyz"[i], order});
  components.push_back({"p", 1, (*parts[0])["region"].text()});
  for (std::size_t k = 1; fsi.mixed && k < parts.size(); ++k) components.push_back({"p_" + parts[k]->key, 1, (*parts[k])["region"].text()});
  if (fsi.scalar) components.push_back({flow_component::scalar, 1, (*parts[0])["region"].text()});
  if (fsi.turbulent) components.push_back({flow_component::turbulence, 1, (*parts[0])["region"].text()});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  model.residual = std::make_shared<FormResidual>(model.dofs);
  FsiBuilder builder(fsi, model, sections, order, diagnostics);
  builder.fluid(*parts[0]);
  for (std::size_t k = 1; k < parts.size(); ++k) builder.body(*parts[k]);
  if (fsi.bodies.size() + 1 != parts.size()) return;
  builder.check_regions();
  builder.check_interface();
  const bool known = diagnostics.size() == before;
  builder.boundary();
  builder.loads();
  builder.initial();
  if (known && diagnostics.size() == before) builder.add_equations(physics);
  if (diagnostics.size() != before) return;
  model.residual->finish();
  if (fsi.moved_walls) fsi.moved_walls->set_moving(*model.residual);
  builder.refuse_loads_on_prescribed("velocity");
  if (sections.has_ties()) return;
  check_fsi_pressure(model, sections, diagnostics);
  if (!model.march) check_fsi_supports(model, sections, diagnostics);
}

}  // namespace invar
