#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Length, area or volume of a region of cells or facets of the undeformed mesh, in m to the power of its dimension
/// (2-D: per unit depth; axisymmetric: of the section); 0 for points, and for edges in 3-D. Exact for straight cells;
/// quadrature of degree 8 for curved ones. Collective.
double region_measure(const Mesh& mesh, const Region& region);

/// ∫ N over the region's owned cells or facets for every local node: shares of a sum over ranks. around_axis: ∫ 2π x N, over the full
/// circle.
std::vector<double> nodal_measures(const Mesh& mesh, const Region& region, bool around_axis = false);

}  // namespace invar
