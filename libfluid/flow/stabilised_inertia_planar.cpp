#include "libfluid/flow/stabilised_inertia_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<PlanarFlow, false>, CellBatches);
template std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<PlanarFlow, true>, CellBatches);

}  // namespace invar
