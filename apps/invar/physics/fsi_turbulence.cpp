// Turbulent flow beside bodies: the equation of χ, whose distance to walls follows their motion.
#include <algorithm>
#include <iterator>

#include "apps/invar/physics/flow_domains.hpp"
#include "apps/invar/physics/fsi_builder.hpp"
#include "apps/invar/physics/fsi_case_builder.hpp"
#include "libfem/mesh/region_flags.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/pseudo_mass_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/with_wall_distance.hpp"
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {

using spec::Value;

std::optional<Physics::FeltEverywhere> felt_by_turbulence(const CaseSections& sections) {
  const Value& physics = *sections.find("physics");
  if (physics["turbulence"].text() != "spalart_allmaras" || physics["elements"].text() != "equal_order") return std::nullopt;
  Physics::FeltEverywhere felt;
  for (const Value& m : *sections.find("materials"))
    if (std::ranges::count(flow_law_names(), std::string_view(m["model"].text())) > 0) felt.interface_of = m["region"].text();
  if (const Value* rigid = sections.find("rigid"))
    for (const Value& part : *rigid)
      if (const Value* region = part.find("region")) felt.regions.push_back(region->text());
  return felt;
}

void FsiBuilder::add_turbulence(const Value& physics) {
  const FluidPart& fluid = fsi_.fluid;
  const int chi = model_.component(flow_component::turbulence);
  // Walls that move: surfaces of bodies and of rigid parts.
  std::vector<std::string> moving = fsi_.rigid_surfaces;
  if (const std::string interface = interface_name(fluid.region); !fsi_.bodies.empty()) moving.push_back(interface);
  for (const std::string& region : moving) turbulence_.hold_at_wall(region);
  std::vector<std::string> walls = turbulence_.walls(physics, fsi_.walls);
  std::ranges::copy(moving, std::back_inserter(walls));
  // Points and lines are no walls.
  std::erase_if(walls, [this](const std::string& name) { return model_.mesh->find_region(name)->dim != model_.mesh->dim - 1; });
  fsi_.moved_walls = std::make_shared<MovedWalls>(model_.dofs, walls, at_.d(), nodes_in(*model_.mesh, fsi_.material_regions()));

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
