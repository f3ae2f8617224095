#pragma once
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Adds to a serial mesh the union of several regions of one dimension as a region. Throws std::invalid_argument if one
/// of them does not exist, their dimensions differ, or a region of that name exists.
void unite_regions(Mesh& mesh, const std::string& name, const std::vector<std::string>& parts);

}  // namespace invar
