#pragma once
#include <array>
#include <span>
#include <vector>

#include "libfem/mesh/cell_type.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {

/// A facet's vertices, ascending, with −1 in unused places at the front.
using VertexKey = std::array<long long, 4>;
VertexKey vertex_key(std::span<const int> vertices);

/// The vertices of a cell's facet, from the cell's nodes.
std::vector<int> facet_vertices(const ReferenceFacet& facet, std::span<const int> of_cell);
bool has_all(std::span<const int> nodes, std::span<const int> wanted);
/// Which nodes of a cell lie on each of its facets.
std::vector<std::vector<int>> nodes_on_facets(CellType type);

}  // namespace invar
