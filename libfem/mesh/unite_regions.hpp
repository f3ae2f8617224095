#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds to a serial mesh a region that is the union of others of one dimension. Throws std::invalid_argument where one
/// of them is not there, they differ in dimension, or there is already a region of that name.
void unite_regions(Mesh& mesh, const std::string& name, const std::vector<std::string>& parts);

}  // namespace invar
