#pragma once

namespace invar {

/// Stands in BatchGroup::cell for the cell of forms at nodes (CellBatches::on_points), and among BoundaryPart::facets for all of them.
inline constexpr int points_at_nodes = -1;

}  // namespace invar
