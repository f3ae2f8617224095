#pragma once

namespace invar {

/// Stands among BoundaryPart::facets for all domains of forms at nodes (CellBatches::on_points), which are on no facet.
inline constexpr int points_at_nodes = -1;

}  // namespace invar
