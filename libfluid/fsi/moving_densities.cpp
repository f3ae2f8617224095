#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/moving.hpp"
#include "libfluid/fsi/unit_volume.hpp"
#include "libfluid/objective/scalar_densities.hpp"

namespace invar {
namespace {

/// Moving<Q<K>> of a density without data of its own.
template <template <class> class Q>
std::unique_ptr<WeakForm> make_moving(FlowKind kind, CellBatches domain) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> { return make_form(Moving<Q<K>>{}, std::move(domain)); });
}

}  // namespace

std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, const FlowModel& model, CellBatches cells) {
  return with_flow_kind(kind, [&]<class K>(K) -> std::unique_ptr<WeakForm> {
    if (model.turbulent) return make_form(Moving<Dissipation<K, true>>{{model.law}}, std::move(cells));
    return make_form(Moving<Dissipation<K>>{{model.law}}, std::move(cells));
  });
}

std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells) { return make_moving<FlowKineticEnergy>(kind, std::move(cells)); }
std::unique_ptr<WeakForm> make_moving_volume(FlowKind kind, CellBatches cells) { return make_moving<UnitVolume>(kind, std::move(cells)); }
std::unique_ptr<WeakForm> make_moving_scalar_content(FlowKind kind, CellBatches cells) { return make_moving<ScalarContent>(kind, std::move(cells)); }
std::unique_ptr<WeakForm> make_moving_scalar_outflow(FlowKind kind, CellBatches facets) { return make_moving<ScalarOutflow>(kind, std::move(facets)); }
std::unique_ptr<WeakForm> make_moving_flow_rate(FlowKind kind, CellBatches facets) { return make_moving<FlowRate>(kind, std::move(facets)); }

}  // namespace invar
