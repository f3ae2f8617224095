#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Which of a rank's nodes are those of a region; none where there is no such region.
std::vector<char> nodes_in(const Mesh& mesh, const std::string& region);
/// Which cells (blocks: Mesh::cells) or facets (Mesh::facets) are in a region, numbered through all blocks.
std::vector<char> members_in(const std::vector<CellBlock>& blocks, const Region& region);

}  // namespace invar
