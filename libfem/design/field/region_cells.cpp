#include "libfem/design/field/region_cells.hpp"

#include <algorithm>
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

GivenCells given_cells(const Mesh& mesh, const std::string& region, double outside, const std::vector<PassiveCells>& passive) {
  GivenCells cells{cells_in_region(mesh, region == "all" ? "" : region), {}};
  cells.value.assign(cells.designed.size(), outside);
  for (const PassiveCells& p : passive) {
    const std::vector<char> inside = cells_in_region(mesh, p.region);
    for (std::size_t c = 0; c < inside.size(); ++c)
      if (inside[c]) cells.designed[c] = 0, cells.value[c] = p.value;
  }
  int any = std::ranges::count(cells.designed, 1) > 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, mesh.comm);
  if (!any) throw std::invalid_argument("no cell can be designed: the whole region is passive");
  return cells;
}

}  // namespace invar
