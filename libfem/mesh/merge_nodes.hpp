#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Of a serial mesh: each node becomes the one that `stays` names for it (itself, where it stays). Cells and facets
/// keep their numbers; to be completed by `complete_serial`.
void merge_nodes(Mesh& mesh, const std::vector<int>& stays);

/// Removes regions of facets and facets that no region is left to name.
void keep_facet_regions(Mesh& mesh, const std::vector<std::string>& names);

}  // namespace invar
