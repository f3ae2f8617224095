#include "libfluid/flow/stabilised_inertia.hpp"
#include "libfluid/fsi/moving_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_moving_form(StabilisedInertia<SpatialFlow, true>, CellBatches);

}  // namespace invar
