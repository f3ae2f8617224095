#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Calls make(K{}) with the K of the kind.
template <class Make>
auto with_flow_kind(FlowKind kind, Make&& make) {
  switch (kind) {
    case FlowKind::spatial: return make(SpatialFlow{});
    case FlowKind::axisymmetric: return make(AxisymmetricFlow{});
    default: return make(PlanarFlow{});
  }
}

}  // namespace invar
