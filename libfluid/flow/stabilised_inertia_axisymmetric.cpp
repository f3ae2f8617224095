#include "libfluid/flow/stabilised_inertia_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<AxisymmetricFlow, false>, CellBatches);
template std::unique_ptr<WeakForm> make_stabilised_inertia_form(StabilisedInertia<AxisymmetricFlow, true>, CellBatches);

}  // namespace invar
