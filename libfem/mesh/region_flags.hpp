#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Flags of a rank's nodes that belong to some regions; unknown regions are ignored.
std::vector<char> nodes_in(const Mesh& mesh, const std::vector<std::string>& regions);
/// The same of facets, numbered through all blocks.
std::vector<char> facets_in(const Mesh& mesh, const std::vector<std::string>& regions);
/// Flags of the cells (blocks: Mesh::cells) or facets (Mesh::facets) in a region, numbered through all blocks.
std::vector<char> members_in(const std::vector<CellBlock>& blocks, const Region& region);

}  // namespace invar
