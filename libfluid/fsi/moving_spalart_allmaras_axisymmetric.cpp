#include "libfluid/fsi/moving_form.ipp"
#include "libfluid/turbulence/spalart_allmaras.hpp"

namespace invar {

template std::unique_ptr<WeakForm> make_moving_form(SpalartAllmaras<AxisymmetricFlow, true>, CellBatches);

}  // namespace invar
