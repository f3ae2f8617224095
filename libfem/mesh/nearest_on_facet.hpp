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

/// The point of a facet that is nearest to a given point.
struct NearestOnFacet {
  std::array<double, 2> xi{};                                  // reference coordinates
  double distance = std::numeric_limits<double>::infinity();  // m
  /// Reference directions in which it moves when the facet or the point does: all of them inside the facet, the
  /// edge's on an edge, none at a vertex.
  int n_free = 0;
  std::array<std::array<double, 2>, 2> free{};

  /// Nearer than the other; of two at the same distance that with more freedom, so that a point above a vertex of a
  /// flat wall does not hold on to the vertex.
  bool beats(const NearestOnFacet& other) const;
};

/// nodes: [node_count × dim], m. Newton's method on the squared distance inside the facet and on each of its edges,
/// from the best of a lattice of points.
NearestOnFacet nearest_on_facet(FacetShape facet, const double* nodes, const double* point);

/// The rate of its reference coordinates while nodes and point move: from the derivative of the condition
/// (x − X(ξ))·∂X/∂ξ = 0 in the free directions.
std::array<double, 2> nearest_rate(FacetShape facet, const double* nodes, const double* nodes_dot, const double* point,
                                   const double* point_dot, const NearestOnFacet& at);

}  // namespace invar
