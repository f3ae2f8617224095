#pragma once
#include <array>
#include <limits>

#include "libfem/mesh/cell_type.hpp"

namespace invar {

/// A straight or curved facet in a space of `dim` dimensions: a segment in 2-D, a triangle or quadrilateral in 3-D.
struct FacetShape {
  CellType type;
  int dim;
};

/// The point of a facet nearest to a given point.
struct NearestOnFacet {
  std::array<double, 2> xi{};                                  // reference coordinates
  double distance = std::numeric_limits<double>::infinity();  // m
  /// Free reference directions, in which the point moves when the facet or the given point moves: all inside the facet,
  /// that of the edge on an edge, none at a vertex.
  int n_free = 0;
  std::array<std::array<double, 2>, 2> free{};

  /// Whether it is nearer than the other. At equal distance the one with more free directions wins, so that a point
  /// above a vertex of a flat wall is not attached to the vertex.
  bool beats(const NearestOnFacet& other) const;
};

/// nodes: [node_count × dim], m. Newton's method for the squared distance inside the facet and on each edge, started
/// from the best of a lattice of points.
NearestOnFacet nearest_on_facet(FacetShape facet, const double* nodes, const double* point);

/// Rate of its reference coordinates for moving nodes and point, from the derivative of (x − X(ξ))·∂X/∂ξ = 0 in the
/// free directions.
std::array<double, 2> nearest_rate(FacetShape facet, const double* nodes, const double* nodes_dot, const double* point,
                                   const double* point_dot, const NearestOnFacet& at);

}  // namespace invar
