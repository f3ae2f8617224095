#pragma once
#include <stdexcept>

#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// What forms of fluid–structure interaction are instantiated for. Throws std::invalid_argument for other kinds.
inline void require_planar(FlowKind kind) {
  if (kind != FlowKind::planar) throw std::invalid_argument("fluid-structure interaction is planar");
}

}  // namespace invar
