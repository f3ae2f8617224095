#pragma once
#include <string>
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Nodes on the outer boundary of the cells of a region `fluid` that are neither nodes of the regions `bodies` nor on facets of
/// the regions `moving`: where the mesh of a fluid rests. All that this rank knows, ascending. Collective.
std::vector<int> still_nodes(const DofMap& dofs, const std::string& fluid, const std::vector<std::string>& bodies,
                             const std::vector<std::string>& moving);

}  // namespace invar
