// Turbulent flow beside bodies: the equation of χ, whose distance to walls follows their motion.
#include <algorithm>
#include <iterator>

#include "apps/invar/physics/flow_domains.hpp"
#include "apps/invar/physics/fsi_builder.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/pseudo_mass_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/with_wall_distance.hpp"
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {

using spec::Value;

/// Of specs with mistakes, too.
std::optional<Physics::FeltEverywhere> felt_by_turbulence(const CaseSections& sections) {
  const auto word = [](const Value* of, const char* key) {
    const Value* found = of ? of->find(key) : nullptr;
    return found && found->is_text() ? found->text() : std::string();
  };
  const Value* physics = sections.find("physics");
  if (word(physics, "turbulence") != "spalart_allmaras" || word(physics, "elements") != "equal_order") return std::nullopt;
  Physics::FeltEverywhere felt;
  if (const Value* materials = sections.find("materials"))
    for (const Value& m : *materials)
      if (std::ranges::count(flow_law_names(), std::string_view(word(&m, "model"))) > 0) felt.interface_of = word(&m, "region");
  if (const Value* rigid = sections.find("rigid"))
    for (const Value& part : *rigid)
      if (const std::string region = word(&part, "region"); !region.empty()) felt.regions.push_back(region);
  if (const Value* walls = physics->find("wall_distance"))
    for (const Value& name : *walls)
      if (name.is_text()) felt.regions.push_back(name.text());
  return felt;
}

std::vector<std::string> FsiBuilder::moving_walls() const {
  std::vector<std::string> walls = fsi_.rigid_surfaces;
  if (!fsi_.bodies.empty()) walls.push_back(interface_name(fsi_.fluid.region));
  return walls;
}

/// χ is 0 on the surfaces of bodies and rigid parts: reports another value there.
void FsiBuilder::check_chi(const Value& s, const Value& chi) {
  const Mesh& mesh = *model_.mesh;
  const Region& region = *mesh.find_region(s.key);
  int meets = region.dim == mesh.dim && touches_body(s.key);
  for (const std::string& name : moving_walls()) {
    if (region.dim == mesh.dim - 1) {
      const std::vector<char> a = members_in(mesh.facets, region), b = members_in(mesh.facets, *mesh.find_region(name));
      for (std::size_t f = 0; f < a.size(); ++f) meets |= a[f] && b[f];
    } else if (region.dim < mesh.dim) {
      const std::vector<char> on_wall = nodes_in(mesh, {name});
      for (const int node : region.nodes) meets |= on_wall[node] != 0;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &meets, 1, MPI_INT, MPI_MAX, model_.dofs->comm());
  if (meets)
    diagnostics_.error(chi.key_position, chi.yaml_path, "'" + s.key + "' lies on the surface of a body or rigid part, which is a wall: chi is 0 there", "leave it out");
}

void FsiBuilder::add_turbulence(const Value& physics) {
  const FluidPart& fluid = fsi_.fluid;
  const int chi = model_.component(flow_component::turbulence);
  const std::vector<std::string> moving = moving_walls();
  for (const std::string& region : moving) turbulence_.hold_at_wall(region);
  std::vector<std::string> walls = turbulence_.walls(physics, at_rest_);
  std::ranges::copy(moving, std::back_inserter(walls));
  // Points and lines are no walls.
  std::erase_if(walls, [this](const std::string& name) { return model_.mesh->find_region(name)->dim != model_.mesh->dim - 1; });
  fsi_.moved_walls = std::make_shared<MovedWalls>(model_.dofs, walls, at_.d());
  fsi_.walls = walls;

  std::vector<ControlledValue> values{fluid.constants[0], fluid.constants[1]};
  std::ranges::copy(fluid.turbulence, std::back_inserter(values));
  values.push_back(binder_.zero());
  constexpr WithWallDistance::Places places{SpalartAllmaras<PlanarFlow>::distance, SpalartAllmaras<PlanarFlow>::proximity};
  const FlowKind kind = fsi_.kind;
  const double capturing = physics["discontinuity_capturing"].number();
  const bool at_rest = !model_.march || model_.march->from_equilibrium;
  const CellBatches all = cells(fluid.region, degree_, of_flow());
  for (const bool simplices : shapes_present(all, model_.dofs->comm())) {
    const CellBatches domain = cells_of_shape(all, simplices);
    const auto branch = [kind](CellBatches c) { return make_moving_spalart_allmaras_branch(kind, std::move(c)); };
    residual_.add_branches(std::make_unique<WithWallDistance>(branch, domain, places, fsi_.moved_walls), domain, values);
    const auto transport = [kind, capturing](CellBatches c) { return make_moving_spalart_allmaras(kind, capturing, std::move(c)); };
    residual_.add_form(std::make_unique<WithWallDistance>(transport, domain, places, fsi_.moved_walls), values, {.name = "the turbulence of '" + fluid.name + "'"});
    if (!at_rest) continue;
    std::vector<ControlledValue> of_mass = fluid.constants;
    std::ranges::copy(TurbulenceBuilder::of_pseudo_mass(fluid), std::back_inserter(of_mass));
    std::vector<int> components = at_.v();
    components.insert(components.end(), {at_.pressure(), chi});
    residual_.add_pseudo_time(make_flow_pseudo_mass(kind, flow_model(), cells_of_shape(cells(fluid.region, degree_, std::move(components)), simplices)), of_mass);
  }
  if (at_rest) turbulence_.begin_with_larger_viscosity(walls, fluid);
}

}  // namespace invar
