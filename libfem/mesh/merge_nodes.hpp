#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Merges nodes of a serial mesh: node i is replaced by node stays[i] (i itself if it is kept). Cells and facets keep
/// their numbers. Call `complete_serial` afterwards.
void merge_nodes(Mesh& mesh, const std::vector<int>& stays);

/// Keeps only the named facet regions, and the facets in them.
void keep_facet_regions(Mesh& mesh, const std::vector<std::string>& names);

}  // namespace invar
