#pragma once
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds a region of the facets between the cells of a region and all others to a serial mesh of first order; without facets if there are none. Throws
/// std::invalid_argument if the mesh has a region of that name already, none called `part` of cells, or cells of higher order.
void mark_interface(Mesh& mesh, const std::string& name, const std::string& part);

/// The name of the interface of a region of cells and all others where a physics needs it, and the spec does not name it.
std::string interface_name(const std::string& part);
/// Whether a region has such a name. It is no part of the boundary: shapes and motions of the mesh, which hold all regions of facets that they do
/// not move, do not hold it.
bool is_interface(const Region& region);

}  // namespace invar
