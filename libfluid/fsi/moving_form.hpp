#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// Moving<Q>. Defined in moving_form.ipp, instantiated in one .cpp per form and kind of flow.
template <class Q>
std::unique_ptr<WeakForm> make_moving_form(Q q, CellBatches cells);

}  // namespace invar
