#include "libfluid/flow/navier_stokes.hpp"
#include "libfluid/fsi/moving_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_moving_form(NavierStokes<SpatialFlow, true, true>, CellBatches);

}  // namespace invar
