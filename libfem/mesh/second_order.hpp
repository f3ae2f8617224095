#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A serial first-order mesh converted to straight second-order cells and facets, with nodes at the centres of edges,
/// quadrilaterals and hexahedra. Vertices keep their numbers; regions are kept; curves gain the midpoints of edges
/// between two of their nodes. A second-order mesh is returned unchanged.
Mesh to_second_order(const Mesh& mesh);

/// The serial mesh of vertices only (curved cells become straight); regions are kept.
Mesh to_first_order(const Mesh& mesh);

}  // namespace invar
