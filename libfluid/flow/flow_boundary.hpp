#pragma once

namespace invar {

/// What may act on facets of a flow.
enum class FlowBoundary { pressure, traction, backflow, slip };

}  // namespace invar
