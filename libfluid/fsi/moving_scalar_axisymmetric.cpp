#include "libfluid/flow/passive_scalar.hpp"
#include "libfluid/fsi/moving_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_moving_form(PassiveScalar<AxisymmetricFlow, Level::value, true>, CellBatches);

}  // namespace invar
