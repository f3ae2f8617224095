#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Time dependence, and the velocity that transports the scalar: the present one, or the one extrapolated from earlier
/// times, with which a linearised step stays linear.
enum class ScalarTransport { steady, implicit, linearised };

/// A scalar in Taylor–Hood flow, see PassiveScalar: the unknown is u_x, u_y, (u_z), p, c, with c of first order.
/// Coefficients: diffusivity, source. The cells must be all simplices or none; create one form per part of
/// `split_by_shape`. Throws std::invalid_argument otherwise.
std::unique_ptr<WeakForm> make_passive_scalar(FlowKind kind, ScalarTransport transport, CellBatches cells);

}  // namespace invar
