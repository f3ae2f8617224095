#include "libfem/mesh/serial_order.hpp"

#include "libfem/mesh/all_gather.hpp"

namespace invar {
namespace {

/// Sorts values, `components` for each place, by their places on all ranks.
std::vector<double> sorted_by_place(const std::vector<long long>& places, const std::vector<double>& values, int components, MPI_Comm comm) {
  const std::vector<long long> all_places = all_gather(places, MPI_LONG_LONG, comm);
  const std::vector<double> all = all_gather(values, MPI_DOUBLE, comm);
  std::vector<double> sorted(all.size());
  for (std::size_t k = 0; k < all_places.size(); ++k)
    for (int i = 0; i < components; ++i) sorted[std::size_t(all_places[k]) * components + i] = all[k * components + i];
  return sorted;
}

}  // namespace

std::vector<double> cells_in_serial_order(const Mesh& mesh, const std::vector<double>& values) {
  std::vector<long long> places;
  std::vector<double> own;
  std::size_t cell = 0;
  long long first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    long long count = mesh.cells[b].n_owned;
    for (int c = 0; c < mesh.cells[b].count(); ++c, ++cell)
      if (c < count) {
        places.push_back(first + mesh.original_cell[b][c]);
        own.push_back(values[cell]);
      }
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, mesh.comm);
    first += count;
  }
  return sorted_by_place(places, own, 1, mesh.comm);
}

std::vector<double> nodes_in_serial_order(const Mesh& mesh, const std::vector<double>& values, int components) {
  const std::vector<long long> places(mesh.original_node.begin(), mesh.original_node.begin() + mesh.n_owned_nodes);
  return sorted_by_place(places, {values.begin(), values.begin() + std::ptrdiff_t(mesh.n_owned_nodes) * components}, components, mesh.comm);
}

}  // namespace invar
