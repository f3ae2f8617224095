#include "libfluid/fsi/moved_mesh.hpp"

#include <cmath>
#include <limits>

#include "libfem/mesh/cell_centres.hpp"
#include "libfem/mesh/cell_quality.hpp"

namespace invar {

MovedCell worst_moved_cell(const Mesh& mesh, const std::string& name, const std::vector<double>& x) {
  struct {
    double quality;
    int rank;
  } worst{std::numeric_limits<double>::infinity(), 0};
  int at = -1, first = 0;
  const Region& region = *mesh.find_region(name);
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellBlock& block = mesh.cells[b];
    const CellQuality quality(block.type);
    const int n = node_count(block.type);
    if (b < region.members.size())
      for (const int cell : region.members[b])
        if (cell < block.n_owned) {
          double q = quality.at_nodes(x.data(), &block.nodes[std::size_t(cell) * n]).low;
          if (std::isnan(q)) q = -std::numeric_limits<double>::infinity();
          if (q < worst.quality) worst.quality = q, at = first + cell;
        }
    first += block.count();
  }
  MPI_Comm_rank(mesh.comm, &worst.rank);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MINLOC, mesh.comm);
  MovedCell found{worst.quality, {}};
  int rank = 0;
  MPI_Comm_rank(mesh.comm, &rank);
  if (rank == worst.rank && at >= 0) {
    const std::vector<double> centres = cell_centres(mesh);
    for (int i = 0; i < 3; ++i) found.place[i] = centres[3 * std::size_t(at) + i];
  }
  MPI_Bcast(found.place.data(), 3, MPI_DOUBLE, worst.rank, mesh.comm);
  return found;
}

}  // namespace invar
