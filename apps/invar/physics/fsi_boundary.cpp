// Boundary values and initial values of fluid–structure interaction.
#include <algorithm>
#include <tuple>

#include "apps/invar/physics/flow_checks.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/fsi/still_nodes.hpp"

namespace invar {

using spec::Value;

bool FsiBuilder::touches_body(const std::string& name) const {
  const std::vector<char> in_body = nodes_in(*model_.mesh, fsi_.body_regions());
  int any = std::ranges::any_of(model_.mesh->find_region(name)->nodes, [&](int node) { return in_body[node] != 0; });
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
  return any != 0;
}

/// Prescribes zero velocity and displacement in a region.
void FsiBuilder::rest(const Value& s, const char* word) {
  for (const Value& v : s)
    if (v.key.starts_with("v_") || v.key.starts_with("d_"))
      diagnostics_.error(v.key_position, v.yaml_path, "'" + std::string(word) + "' prescribes zero velocity and displacement; remove it or '" + v.key + "'");
  for (const int c : at_.v_d()) residual_.add_dirichlet({s.key, c, binder_.zero()});
}

/// Values of velocity or displacement that would hold a rigid surface, unless it slides along a plane.
void FsiBuilder::check_slides(const Value& s) {
  int given = 0;
  for (int i = 0; i < model_.mesh->dim; ++i) given += s.has(velocities_of[i]) || s.has(std::string("d_") + axes[i]);
  if (given == 0) return;
  const Mesh& mesh = *model_.mesh;
  const Region& region = *mesh.find_region(s.key);
  const std::vector<char> nodes = nodes_in(mesh, {s.key});
  for (const std::string& name : fsi_.rigid_surfaces) {
    const Region& surface = *mesh.find_region(name);
    int touch[2] = {0, 0};  // common nodes, common facets
    for (const int node : surface.nodes) touch[0] |= nodes[node] != 0;
    if (region.dim == mesh.dim - 1) {
      const std::vector<char> a = members_in(mesh.facets, region), b = members_in(mesh.facets, surface);
      for (std::size_t f = 0; f < a.size(); ++f) touch[1] |= a[f] && b[f];
    }
    MPI_Allreduce(MPI_IN_PLACE, touch, 2, MPI_INT, MPI_MAX, model_.dofs->comm());
    if (touch[1] || (touch[0] && given == mesh.dim))
      diagnostics_.error(s.key_position, s.yaml_path, "the rigid surface '" + name + "' has nodes in '" + s.key + "', whose values would hold it there",
                         "hold or move a rigid part by 'joints'; of a plane along which it slides prescribe only the velocity and displacement normal to it");
  }
}

void FsiBuilder::prescribe_motion(const Value& s) {
  check_slides(s);
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
                         "'" + s.key + "' touches a body, which needs both velocity and displacement: '" + (velocity ? d : v) + "' is missing",
                         "give both, or 'clamped: true'");
      continue;
    }
    if (velocity) prescribe(s, at_.velocity(i), v.c_str(), "m/s");
    if (displacement) prescribe(s, at_.displacement(i), d.c_str(), "m");
  }
}

/// For steady problems, and in time where all that the fluid moves is rigid: soft bodies determine the level, see `check_fsi_pressure`.
void FsiBuilder::hold_pressure(const Value& s, const Value& p) {
  if (model_.mesh->find_region(s.key)->dim > 0)
    diagnostics_.error(p.key_position, p.yaml_path, "'p' prescribes the pressure of an enclosed fluid at a point, and '" + s.key + "' is none",
                       "for an outlet use 'loads: {NAME: {type: pressure, region: " + s.key + ", p: …}}'");
  else
    prescribe(s, at_.pressure(), "p", "Pa");
}

/// Whether a region, empty: all, has nodes of the fluid, which carries c or χ; otherwise records an error at that value. Collective.
bool FsiBuilder::meets_fluid(const std::string& region, const Value& c) {
  const std::vector<char> in_fluid = nodes_in(*model_.mesh, {fsi_.fluid.region});
  int any = region.empty() || std::ranges::any_of(model_.mesh->find_region(region)->nodes, [&](int node) { return in_fluid[node] != 0; });
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
  if (!any) diagnostics_.error(c.key_position, c.yaml_path, "the fluid, which carries it, has no node in '" + region + "'", "name a part of the fluid or of its boundary");
  return any != 0;
}

void FsiBuilder::boundary() {
  const Value* boundary = sections_.find("boundary");
  std::vector<std::string> moving = fsi_.rigid_surfaces;
  if (boundary)
    for (const Value& s : *boundary)
      if (s.has("d_x") || s.has("d_y") || s.has("d_z")) moving.push_back(s.key);
  const std::vector<int> still = still_nodes(*model_.dofs, fsi_.fluid.region, fsi_.body_regions(), moving);
  for (const int c : at_.d()) residual_.add_dirichlet({.region = {}, .component = c, .value = binder_.zero(), .nodes = still});
  if (!boundary) return;
  for (const Value& s : *boundary) {
    if (!check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) continue;
    bool rests = false;
    for (const char* word : {"no_slip", "clamped"})
      if (const Value* v = s.find(word); v && v->boolean()) rest(s, word), rests = true;
    if (rests) check_wall(s), at_rest_.push_back(s.key);
    else prescribe_motion(s);
    const Value* chi = s.find(flow_component::turbulence);
    if (chi && fsi_.turbulent && !rests && meets_fluid(s.key, *chi)) check_chi(s, *chi);
    if (chi || rests) turbulence_.prescribe_at(s, rests);
    if (const Value* p = s.find("p")) hold_pressure(s, *p);
    if (const Value* c = s.find(flow_component::scalar); c && check_carries(fsi_.scalar, *c, diagnostics_) && meets_fluid(s.key, *c))
      prescribe(s, scalar(), flow_component::scalar, "1");
  }
}

/// Initial state: that of another run, then velocities and displacements by region.
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
    if (const Value* c = s.find(flow_component::scalar); c && check_carries(fsi_.scalar, *c, diagnostics_) && meets_fluid(region, *c))
      residual_.add_initial({Level::value, region, scalar(), bind_constant(s, path, flow_component::scalar, "1")});
    if (const Value* chi = s.find(flow_component::turbulence); chi && (!fsi_.turbulent || meets_fluid(region, *chi))) turbulence_.begin_at(s, region, path);
  });
}

}  // namespace invar
