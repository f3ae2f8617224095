#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Which of a rank's nodes are those of some regions; none of a region that is not there.
std::vector<char> nodes_in(const Mesh& mesh, const std::vector<std::string>& regions);
/// Which cells (blocks: Mesh::cells) or facets (Mesh::facets) are in a region, numbered through all blocks.
std::vector<char> members_in(const std::vector<CellBlock>& blocks, const Region& region);

}  // namespace invar
