#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds a region of the facets between the cells of a region and all others to a serial mesh of first order; without facets if there are none. Throws
/// std::invalid_argument if the mesh has a region of that name already, none called `part` of cells, or cells of higher order.
void mark_interface(Mesh& mesh, const std::string& name, const std::string& part);

}  // namespace invar
