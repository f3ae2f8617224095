#pragma once
#include <functional>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds to a serial mesh the region of all cells whose centre (mean of the vertices; z = 0 in 2-D) is inside. Throws
/// std::invalid_argument if there is none, or if a region of that name exists.
void mark_cells(Mesh& mesh, const std::string& name, const std::function<bool(double x, double y, double z)>& inside);

}  // namespace invar
