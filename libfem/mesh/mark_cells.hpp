#pragma once
#include <functional>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds to a serial mesh the region of those cells whose middle (the mean of the vertices; z = 0 in the plane) is
/// inside. Throws std::invalid_argument where there is none or there is already a region of that name.
void mark_cells(Mesh& mesh, const std::string& name, const std::function<bool(double x, double y, double z)>& inside);

}  // namespace invar
