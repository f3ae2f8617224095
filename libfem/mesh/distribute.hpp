#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// This rank's part of a serial mesh that is the same on every rank (collective). PT-Scotch partitions the cells, reproducibly; a node
/// belongs to the rank with most of its cells. Every rank holds all cells that touch one of its nodes, and all facets that do or that bound
/// one of these cells. Each cell and facet has one owner, which holds it; owned ones come first in each block. Nodes are renumbered per
/// rank by reverse Cuthill–McKee (also on one rank); cells are sorted by their lowest node. Blocks and regions are the same on every rank,
/// possibly empty.
/// surfaces: groups of facet regions whose nodes may interact at a distance. A rank that owns a node of a group holds all its facets and
/// their cells. Nodes without cells belong to the first rank. Names that are no facet regions are ignored.
/// everywhere: regions of facets or points that every rank holds likewise.
/// Throws std::invalid_argument if the mesh is not serial.
Mesh distribute(const Mesh& serial, MPI_Comm comm, const std::vector<std::vector<std::string>>& surfaces = {}, const std::vector<std::string>& everywhere = {});

}  // namespace invar
