#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// This rank's part of a serial mesh that is the same on every rank (collective). Cells are parted
/// by PT-Scotch, in the same way in every run; a node belongs to the rank with most of its cells.
/// Every rank holds all cells that touch a node it owns, and all facets that do or that bound one of
/// these cells; each cell and facet has one owner, which holds it, and owned ones come first in each
/// block. Nodes are renumbered per rank by reverse Cuthill–McKee (also on one rank), cells are sorted
/// by their lowest node. Blocks and regions are the same on every rank, where they may be empty.
/// surfaces: groups of regions of facets whose nodes may act on each other at a distance. A rank that owns a node of a
/// group holds all its facets and the cells behind them. Nodes of no cell belong to the first rank. Names that are no regions of facets are passed over.
/// Throws std::invalid_argument where the mesh is not serial.
Mesh distribute(const Mesh& serial, MPI_Comm comm, const std::vector<std::vector<std::string>>& surfaces = {});

}  // namespace invar
