#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// make(K{}) for the kind's K.
template <class Make>
auto with_flow_kind(FlowKind kind, Make&& make) {
  switch (kind) {
    case FlowKind::spatial: return make(SpatialFlow{});
    case FlowKind::axisymmetric: return make(AxisymmetricFlow{});
    default: return make(PlanarFlow{});
  }
}

}  // namespace invar
