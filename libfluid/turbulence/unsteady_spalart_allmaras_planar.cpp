#include "libfluid/turbulence/spalart_allmaras_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_spalart_allmaras_form(SpalartAllmaras<PlanarFlow, true>, CellBatches);

}  // namespace invar
