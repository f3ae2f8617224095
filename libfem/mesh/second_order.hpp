#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The serial first-order mesh with nodes added at the middles of edges, quadrilaterals and
/// hexahedra: straight second-order cells and facets. Vertices keep their numbers; regions are
/// kept; regions of curves gain the middles of the edges between two of their nodes. A mesh that is
/// already of second order comes back as it is.
Mesh to_second_order(const Mesh& mesh);

/// The serial mesh of vertices alone (curved cells become straight); regions are kept.
Mesh to_first_order(const Mesh& mesh);

}  // namespace invar
