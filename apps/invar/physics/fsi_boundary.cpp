// Boundary values, loads and initial values of fluid–structure interaction.
#include <algorithm>
#include <tuple>

#include "apps/invar/physics/fsi_case_builder.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "libfem/form/common_terms.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/still_nodes.hpp"

namespace invar {

using spec::Value;

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

/// Of steady problems: in time the level follows from the volume of the body, which the enclosed fluid keeps.
void FsiBuilder::hold_pressure(const Value& s, const Value& p) {
  held_pressure_ = &p;
  if (model_.mesh->find_region(s.key)->dim > 0)
    diagnostics_.error(p.key_position, p.yaml_path, "'p' holds the pressure of an enclosed fluid at a point, and '" + s.key + "' is none",
                       "for an outlet use 'loads: {NAME: {type: pressure, region: " + s.key + ", p: …}}'");
  else if (model_.march)
    diagnostics_.error(p.key_position, p.yaml_path, "in time the level of the pressure follows from the motion of the body", "leave 'p' out");
  else
    prescribe(s, at_.pressure(), "p", "Pa");
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
    if (rests) check_wall(s);
    else prescribe_motion(s);
    if (const Value* p = s.find("p")) hold_pressure(s, *p);
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
    const TermSpec& term = *find_term(solid_loads(), l["type"].text());
    const bool volume = term.domain == TermSpec::Domain::cells;
    const std::optional<std::string> where = region_of(l, volume ? model_.mesh->dim : model_.mesh->dim - 1);
    if (!where || !setting_of(term, l)) continue;
    if (term.name == pressure_term().name)
      residual_.add_form(make_moving_outlet(fsi_.kind, CellBatches::on_facets(model_.dofs, *where, degree_, at_.v_d())),
                         coefficients(term, l, "loads." + l.key), used_as(l));
    else if (term.name == body_force_term().name)
      check_body_force(l, *where);
    else
      muscle(term, l, *where);
  }
}

/// It stands in the equations.
void FsiBuilder::check_body_force(const Value& l, const std::string& region) {
  if (!region.empty() && region != fsi_.fluid.region && region != fsi_.body.region)
    diagnostics_.error(l["region"].position, l["region"].yaml_path, "a body force acts on all of a fluid or a body: name the region of a material, or 'all'");
}

void FsiBuilder::muscle(const TermSpec& term, const Value& l, const std::string& region) {
  if (!region.empty() && region != fsi_.body.region) {
    diagnostics_.error(l["region"].position, l["region"].yaml_path, "a muscle lies in the body: name its region '" + fsi_.body.region + "', or 'all'",
                       "give 'tension' as a formula that is zero elsewhere");
    return;
  }
  residual_.add_form(make_first_order_muscle(SolidKind::plane_strain, cells(fsi_.body.region, solid_degree, at_.d_v())),
                     coefficients(term, l, "loads." + l.key), used_as(l));
}

/// What time begins with: the state of another run, then velocities and displacements by region.
void FsiBuilder::initial() {
  visit_initial([this](const Value& s, const std::string& region, const std::string& path) {
    for (int i = 0; i < 3; ++i)
      for (const auto& [key, component, unit] : {std::tuple(std::string(velocities_of[i]), at_.velocity(i), "m/s"),
                                                 std::tuple(std::string("d_") + axes[i], at_.displacement(i), "m")}) {
        const Value* given = s.find(key);
        if (!given) continue;
        if (i >= model_.mesh->dim) diagnostics_.error(given->key_position, given->yaml_path, "the mesh is two-dimensional: there is no z");
        else residual_.add_initial({Level::value, region, component, bind_constant(s, path, key.c_str(), unit)});
      }
  });
}

}  // namespace invar
