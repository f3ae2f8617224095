#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/planar_only.hpp"

namespace invar {

std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells) {
  require_planar(kind);
  return make_form(Moving<FlowKineticEnergy<PlanarFlow>>{}, std::move(cells));
}

std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells) {
  require_planar(kind);
  return make_form(Moving<Dissipation<PlanarFlow>>{{law}}, std::move(cells));
}

}  // namespace invar
