#pragma once

namespace invar {

/// Entry of BoundaryPart::facets for all nodal domains (CellBatches::on_points), which are on no facet.
inline constexpr int points_at_nodes = -1;

}  // namespace invar
