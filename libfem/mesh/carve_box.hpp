#pragma once
#include <span>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Takes the cells between two corners, from … to [dim], m, out of a serial mesh. What they leave is the
/// region `name` of facets, whose normals point into the hole. Facets and nodes that bound nothing any more leave their
/// regions, and regions without any node vanish. Throws std::invalid_argument where there are no such cells or no
/// others, where the box cuts through cells, or where the mesh has the region already.
void carve_box(Mesh& mesh, const std::string& name, std::span<const double> from, std::span<const double> to);

}  // namespace invar
