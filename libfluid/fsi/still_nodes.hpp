#pragma once
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Nodes on the outer boundary of the cells of a region `fluid` that are neither nodes of the regions `bodies` nor on facets of
/// the regions `moving`: the nodes at which the mesh of a fluid is fixed. All nodes of this rank including ghosts, ascending. Collective.
std::vector<int> still_nodes(const DofMap& dofs, const std::string& fluid, const std::vector<std::string>& bodies,
                             const std::vector<std::string>& moving);

}  // namespace invar
