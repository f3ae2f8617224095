#include "libfem/design/field/region_cells.hpp"

#include <stdexcept>

namespace invar {

std::vector<char> cells_in_region(const Mesh& mesh, const std::string& name) {
  const Region* region = name.empty() ? nullptr : mesh.find_region(name);
  if (!name.empty() && (!region || region->dim != mesh.dim))
    throw std::invalid_argument("the mesh has no cell region '" + name + "'");
  std::vector<char> inside;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::size_t first = inside.size();
    inside.resize(first + mesh.cells[b].count(), region == nullptr);
    if (region)
      for (int c : region->members[b]) inside[first + c] = 1;
  }
  return inside;
}

}  // namespace invar
