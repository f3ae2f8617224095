#pragma once

namespace invar {

/// Kinds of boundary terms of a flow.
enum class FlowBoundary { pressure, traction, backflow, slip };

}  // namespace invar
