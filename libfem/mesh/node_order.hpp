#pragma once
#include <vector>

#include "libfem/mesh/node_cells.hpp"

namespace invar {

/// The nodes that `rank` owns (owner: [n_nodes]) in reverse Cuthill–McKee order. Nodes with a common cell are
/// neighbours; the degree of a node is its number of cells. Starts from a pseudo-peripheral node (George and Liu 1979).
std::vector<int> order_nodes(const NodeCells& incidence, const std::vector<int>& owner, int rank);

}  // namespace invar
