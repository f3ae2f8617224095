#include "libfluid/fsi/moving_navier_stokes_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_moving_navier_stokes_form<PlanarFlow>(const FlowModel&, CellBatches);

}  // namespace invar
