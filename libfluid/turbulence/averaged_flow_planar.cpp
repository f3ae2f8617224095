#include "libfluid/flow/navier_stokes_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_navier_stokes_form(NavierStokes<PlanarFlow, true, true>, CellBatches);

}  // namespace invar
