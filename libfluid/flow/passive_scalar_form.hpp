#pragma once
#include <memory>

#include "libfluid/flow/passive_scalar_forms.hpp"
#include "libfluid/flow/stabilisation.hpp"

namespace invar {

/// The form in one kind of flow. Defined in passive_scalar_form.ipp, instantiated in one .cpp per kind.
template <class K>
std::unique_ptr<WeakForm> make_passive_scalar_form(ScalarTransport transport, ReferenceMetric metric, CellBatches cells);

}  // namespace invar
