#include "libfluid/flow/passive_scalar_form.ipp"

namespace invar {

template std::unique_ptr<WeakForm> make_passive_scalar_form<SpatialFlow>(ScalarTransport, ReferenceMetric, CellBatches);

}  // namespace invar
