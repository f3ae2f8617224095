#pragma once
#include <array>
#include <span>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

// Reference cells: point, segment [0,1], quadrilateral [0,1]², hexahedron [0,1]³ and the unit
// simplices (vertices: origin, e₁, e₂, e₃). Vertices, edges and faces are numbered as in VTK.

/// A facet of a cell: its shape and vertices, ordered so that its normal (of a segment: to its
/// right) points outwards.
struct ReferenceFacet {
  Shape shape;
  std::array<int, 4> vertices;  // the first vertex_count(shape) count
};

/// Vertex pairs of the edges, in the order of their midpoint nodes; empty for a point.
std::span<const std::array<int, 2>> edges_of(Shape shape);
/// Facets of a cell of two or three dimensions (else none); those of a hexahedron in the order of
/// their centre nodes.
std::span<const ReferenceFacet> facets_of(Shape shape);
/// Node permutation that reverses the orientation of a cell: new node i is old node reversed_nodes(type)[i]. Swaps the
/// first two reference coordinates, or the ends of a segment.
std::vector<int> reversed_nodes(CellType type);

/// Reference coordinates of the nodes, [node_count × dimension].
std::vector<double> reference_nodes(CellType type);
/// Lagrange functions at xi [dimension]: N [node_count].
void shape_values(CellType type, const double* xi, double* N);
/// Derivatives of the Lagrange functions by the reference coordinates: dN [node_count × dimension].
void shape_gradients(CellType type, const double* xi, double* dN);

}  // namespace invar
