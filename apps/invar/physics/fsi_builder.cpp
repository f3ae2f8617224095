#include "apps/invar/physics/fsi_builder.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/fsi_model.hpp"
#include "apps/invar/physics/solid_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/form/common_terms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/material_stability.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/still_nodes.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"

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

class FsiBuilder : CaseBuilder {
 public:
  FsiBuilder(FsiCase& fsi, CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, false, diagnostics), fsi_(fsi), at_{model.mesh->dim} {
    for (const CellBlock& block : model.mesh->cells)
      degree_ = std::max(degree_, flow_degree(fsi.kind, FlowDiscretisation::taylor_hood, {.law = {}}, block.type.shape));
  }

  void fluid(const Value& m);
  void body(const Value& m);
  /// Every cell is of the fluid or of the body.
  void check_regions() { check_covered({fsi_.fluid.region, fsi_.body.region}); }
  void boundary();
  void loads();
  void add_equations(const Value& physics);

 private:
  void check_used(const Value& m, const std::vector<std::string_view>& known, const char* of);
  void rest(const Value& support, const char* word);
  void prescribe_motion(const Value& support);
  bool touches_body(const std::string& region) const;
  std::vector<ControlledValue> body_force_on(const std::string& region);
  CellBatches cells(const std::string& region, int degree, std::vector<int> components) const {
    return CellBatches::on_cells(model_.dofs, region, degree, std::move(components));
  }

  static constexpr int solid_degree = 4;  // as of a solid of second order
  FsiCase& fsi_;
  FsiComponents at_;
  int degree_ = solid_degree;
  std::vector<double> body_constants_;
  std::vector<int> moduli_;  // controls: the larger they are, the less does the flow bend the body
};

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
  MaterialChoice choice;
  choice.name = m["model"].text();
  choice.terms = m.has("terms") ? static_cast<int>(m["terms"].integer()) : 1;
  std::vector<std::string_view> known{"terms"};
  if (m.has("volumetric") && has_volumetric_law(choice.name)) {
    known.push_back("volumetric");
    for (const VolumetricLawName& v : volumetric_laws)
      if (v.name == m["volumetric"].text()) choice.volumetric = v.law;
  }
  part.material = make_material(choice);
  for (const ParamSpec& p : material_parameters(choice)) {
    known.push_back(p.key);
    part.controls.push_back(constant(m, "materials." + m.key, p, p.default_value));
    body_constants_.push_back(residual_.control_values()[part.controls.back()][0]);
    if (p.unit == "Pa") moduli_.push_back(part.controls.back());
  }
  const ParamSpec& density = dynamic_parameters[0];
  known.push_back(density.key);
  if (model_.march) part.density = {constant(m, "materials." + m.key, density, std::nullopt), {}};
  check_used(m, known, "body");
}

bool FsiBuilder::touches_body(const std::string& name) const {
  const Region &region = *model_.mesh->find_region(name), &body = *model_.mesh->find_region(fsi_.body.region);
  std::vector<int> both;
  std::ranges::set_intersection(region.nodes, body.nodes, std::back_inserter(both));
  int any = !both.empty();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
  return any != 0;
}

/// Nothing moves in a region: neither the fluid or body nor the mesh.
void FsiBuilder::rest(const Value& s, const char* word) {
  for (const Value& v : s)
    if (v.key.starts_with("v_") || v.key.starts_with("d_"))
      diagnostics_.error(v.key_position, v.yaml_path, "'" + std::string(word) + "' says that nothing moves here; remove it or '" + v.key + "'");
  for (const int c : at_.v_d()) residual_.add_dirichlet({s.key, c, binder_.zero()});
}

void FsiBuilder::prescribe_motion(const Value& s) {
  const bool of_body = touches_body(s.key);
  for (int i = 0; i < 3; ++i) {
    const std::string v = velocities_of[i], d = std::string("d_") + axes[i];
    const Value *velocity = s.find(v), *displacement = s.find(d);
    if (i >= model_.mesh->dim) {
      for (const Value* given : {velocity, displacement})
        if (given) diagnostics_.error(given->key_position, given->yaml_path, "the mesh is two-dimensional: there is no z");
      continue;
    }
    if (of_body && !velocity != !displacement) {
      const Value& given = velocity ? *velocity : *displacement;
      diagnostics_.error(given.key_position, given.yaml_path,
                         "'" + s.key + "' touches the body, whose velocity and displacement go together: '" + (velocity ? d : v) + "' is missing",
                         "give both, or 'clamped: true'");
      continue;
    }
    if (velocity) prescribe(s, at_.velocity(i), v.c_str(), "m/s");
    if (displacement) prescribe(s, at_.displacement(i), d.c_str(), "m");
  }
}

void FsiBuilder::boundary() {
  const Value* boundary = sections_.find("boundary");
  std::vector<std::string> moving;
  if (boundary)
    for (const Value& s : *boundary)
      if (s.has("d_x") || s.has("d_y") || s.has("d_z")) moving.push_back(s.key);
  const std::vector<int> still = still_nodes(*model_.dofs, fsi_.fluid.region, fsi_.body.region, moving);
  for (const int c : at_.d()) residual_.add_dirichlet({.region = {}, .component = c, .value = binder_.zero(), .nodes = still});
  if (!boundary) return;
  for (const Value& s : *boundary) {
    if (!check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) continue;
    bool rests = false;
    for (const char* word : {"no_slip", "clamped"})
      if (const Value* v = s.find(word); v && v->boolean()) rest(s, word), rests = true;
    if (!rests) prescribe_motion(s);
  }
}

/// Coefficients of the body force on a region of cells; zeros where there is none.
std::vector<ControlledValue> FsiBuilder::body_force_on(const std::string& region) {
  const Value *loads = sections_.find("loads"), *found = nullptr;
  if (loads)
    for (const Value& l : *loads) {
      const std::string& where = l["region"].text();
      if (l["type"].text() != body_force_term().name || (where != "all" && where != region)) continue;
      if (found)
        diagnostics_.error(l.position, l.yaml_path, "'" + region + "' already has the body force '" + found->key + "'", "give one with the sum of the two");
      found = &l;
    }
  return found ? coefficients(body_force_term(), *found, "loads." + found->key)
               : std::vector<ControlledValue>(model_.mesh->dim, binder_.zero());
}

void FsiBuilder::loads() {
  const Value* loads = sections_.find("loads");
  if (!loads) return;
  for (const Value& l : *loads) {
    const bool volume = l["type"].text() == body_force_term().name;
    const std::optional<std::string> where = region_of(l, volume ? model_.mesh->dim : model_.mesh->dim - 1);
    if (!where || !setting_of(volume ? body_force_term() : pressure_term(), l)) continue;
    if (volume) {
      if (!where->empty() && *where != fsi_.fluid.region && *where != fsi_.body.region)
        diagnostics_.error(l["region"].position, l["region"].yaml_path, "a body force acts on all of a fluid or a body: name the region of a material, or 'all'");
      continue;  // it stands in the equations
    }
    residual_.add_form(make_moving_outlet(fsi_.kind, CellBatches::on_facets(model_.dofs, *where, degree_, at_.v_d())),
                       coefficients(pressure_term(), l, "loads." + l.key), used_as(l));
  }
}

void FsiBuilder::add_equations(const Value& physics) {
  const FluidPart& fluid = fsi_.fluid;
  const MaterialPart& body = fsi_.body;
  const auto of_fluid = [this](std::function<std::unique_ptr<WeakForm>()> make, std::vector<ControlledValue> values, std::string name) {
    residual_.add_form(make(), values, {.name = std::move(name)});
    fsi_.fluid_forms.push_back({std::move(make), std::move(values)});
  };
  std::vector<ControlledValue> values = fluid.constants;
  std::ranges::copy(body_force_on(fluid.region), std::back_inserter(values));
  values.push_back(fluid.resistance);
  // What makes the forms outlives this builder.
  const auto on_fluid = [dofs = model_.dofs, region = fluid.region, degree = degree_](std::vector<int> components) {
    return CellBatches::on_cells(dofs, region, degree, std::move(components));
  };
  // Tractions of fluid and body balance: they are those of the stress itself.
  of_fluid([on_fluid, kind = fsi_.kind, law = fluid.law, at = at_] { return make_moving_navier_stokes(kind, {.law = law, .stress_form = true}, on_fluid(at.v_p_d())); },
           std::move(values), "the flow of '" + fluid.name + "'");
  if (model_.march)
    of_fluid([on_fluid, kind = fsi_.kind, at = at_] { return make_moving_inertia(kind, on_fluid(at.v_d())); }, {fluid.constants[0]}, "the mass of '" + fluid.name + "'");

  const SolidKind kind = SolidKind::plane_strain;
  values.clear();
  for (const int control : body.controls) values.push_back({control, {}});
  fsi_.body_form = residual_.add_form(make_first_order_solid(kind, body.material, cells(body.region, solid_degree, at_.d_v())), values,
                                      {.name = "material '" + body.name + "'"});
  if (model_.march)
    residual_.add_form(make_flow_inertia(fsi_.kind, cells(body.region, solid_degree, at_.v())), {body.density},
                       {.name = "the mass of material '" + body.name + "'", .linear = true});
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
  const bool known = diagnostics.size() == before;
  builder.boundary();
  builder.loads();
  if (known && diagnostics.size() == before) builder.add_equations(physics);
  if (diagnostics.size() != before) return;
  model.residual->finish();
}

}  // namespace invar
