#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

/// The form of one kind of flow. Defined in moving_navier_stokes_form.ipp, instantiated in one .cpp per kind.
template <class K>
std::unique_ptr<WeakForm> make_moving_navier_stokes_form(const FlowModel& model, CellBatches cells);

}  // namespace invar
