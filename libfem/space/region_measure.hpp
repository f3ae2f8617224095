#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Length, area or volume of a region of cells or facets as the mesh is given, m to the power of its dimension (per
/// unit depth in the plane; around an axis that of the section); 0 for points and edges in space. Exact for straight
/// cells, by a rule of degree 8 for curved ones. Collective.
double region_measure(const Mesh& mesh, const Region& region);

/// ∫ N of every node that this rank holds over the region's cells or facets that it owns: shares of a sum over ranks.
std::vector<double> nodal_measures(const Mesh& mesh, const Region& region);

}  // namespace invar
