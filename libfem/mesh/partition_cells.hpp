#pragma once
#include <vector>

#include "libfem/mesh/node_cells.hpp"

namespace invar {

/// Rank of every cell of a mesh that is the same on every rank of comm (collective): balanced partition by PT-Scotch of
/// the graph of cells with common facets. One rank computes it for all, on one thread, so that it is the same in every
/// run; a second call in a run may give another partition, because Scotch's random sequence continues.
std::vector<int> partition_cells(const Mesh& mesh, const NodeCells& incidence, MPI_Comm comm);

}  // namespace invar
