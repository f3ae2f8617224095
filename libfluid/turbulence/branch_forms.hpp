#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// For FormResidual::add_branches, see SpalartAllmarasBranch; cells and coefficients as for make_spalart_allmaras.
std::unique_ptr<WeakForm> make_spalart_allmaras_branch(FlowKind kind, CellBatches cells);

}  // namespace invar
