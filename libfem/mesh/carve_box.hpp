#pragma once
#include <span>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Removes the cells between two corners, from … to [dim], m, of a serial mesh. The new boundary becomes the region
/// `name` of facets, with normals into the hole. Facets and nodes without cells are removed from their regions; empty
/// regions are removed. Throws std::invalid_argument if there are no such cells or no others, if the box cuts through
/// cells, or if the mesh has a region of that name.
void carve_box(Mesh& mesh, const std::string& name, std::span<const double> from, std::span<const double> to);

}  // namespace invar
