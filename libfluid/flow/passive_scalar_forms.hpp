#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Whether time passes, and which velocity carries the scalar: that of the present, or the one extrapolated from
/// earlier times, with which a linearised step stays linear.
enum class ScalarTransport { steady, implicit, linearised };

/// A scalar in Taylor–Hood flow, see PassiveScalar: the unknown is u_x, u_y, (u_z), p, c, c of first order.
/// Coefficients: diffusivity, source. The cells must be all simplices or none; give the `split_by_shape` parts to a
/// form each. Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_passive_scalar(FlowKind kind, ScalarTransport transport, CellBatches cells);

}  // namespace invar
