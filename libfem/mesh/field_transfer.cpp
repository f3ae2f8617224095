#include "libfem/mesh/field_transfer.hpp"

#include <algorithm>
#include <stdexcept>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/cell_children.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Values of all ranks' entities by their numbers in the serial mesh.
struct Gathered {
  std::vector<long long> place;  // by number, −1: not there
  std::vector<double> values;
  const double* of(long long number, int m) const { return values.data() + place[number] * m; }
};

Gathered gathered(const std::vector<long long>& numbers, const std::vector<double>& values, MPI_Comm comm) {
  const std::vector<long long> all = all_gather(numbers, MPI_LONG_LONG, comm);
  Gathered g{{}, all_gather(values, MPI_DOUBLE, comm)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<std::size_t>(all[i]) >= g.place.size()) g.place.resize(all[i] + 1, -1);
    g.place[all[i]] = static_cast<long long>(i);
  }
  return g;
}

/// The node numbers of all cells of a block in the serial mesh: [cell × nodes].
std::vector<long long> serial_cells(const Mesh& mesh, std::size_t block) {
  const CellBlock& cells = mesh.cells[block];
  const std::size_t n = node_count(cells.type);
  std::vector<long long> numbers(mesh.original_cell[block].begin(), mesh.original_cell[block].begin() + cells.n_owned), nodes;
  for (std::size_t i = 0; i < n * cells.n_owned; ++i) nodes.push_back(mesh.original_node[cells.nodes[i]]);
  const std::vector<long long> all = all_gather(numbers, MPI_LONG_LONG, mesh.comm), of_all = all_gather(nodes, MPI_LONG_LONG, mesh.comm);
  std::vector<long long> out(of_all.size());
  for (std::size_t i = 0; i < all.size(); ++i) std::copy_n(of_all.begin() + i * n, n, out.begin() + all[i] * n);
  return out;
}

}  // namespace

FieldTransfer::FieldTransfer(const Mesh& coarse, const Mesh& fine, int levels) : coarse_(coarse), fine_(fine), levels_(levels) {
  bool fits = levels >= 0 && coarse.dim == fine.dim && coarse.cells.size() == fine.cells.size();
  for (std::size_t b = 0; fits && b < coarse.cells.size(); ++b) {
    long long counts[] = {coarse.cells[b].n_owned, fine.cells[b].n_owned};
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, coarse.comm);
    for (int l = 0; l < levels; ++l) counts[0] *= child_count(coarse.cells[b].type.shape);
    fits = counts[0] == counts[1] && coarse.cells[b].type.shape == fine.cells[b].type.shape &&
           coarse.cells[b].type.order <= fine.cells[b].type.order;
  }
  if (!fits) throw std::invalid_argument("neither mesh is a refinement of the other");
}

FieldTransfer::Descent FieldTransfer::descent(std::size_t block, int cell) const {
  Descent d{fine_.original_cell[block][cell], {}};
  const int n = child_count(fine_.cells[block].type.shape);
  for (int l = 0; l < levels_; ++l) {
    d.children.push_back(static_cast<int>(d.parent % n));
    d.parent /= n;
  }
  return d;
}

std::vector<double> FieldTransfer::cells(const std::vector<double>& coarse, int m) const {
  std::vector<double> fine;
  std::size_t first = 0;  // of the block among the rank's coarse cells
  for (std::size_t b = 0; b < coarse_.cells.size(); ++b) {
    const int owned = coarse_.cells[b].n_owned;
    const auto& numbers = coarse_.original_cell[b];
    const auto values = coarse.begin() + static_cast<std::ptrdiff_t>(first * m);
    const Gathered all = gathered({numbers.begin(), numbers.begin() + owned}, {values, values + std::ptrdiff_t(owned) * m}, coarse_.comm);
    for (int c = 0; c < fine_.cells[b].count(); ++c) {
      const double* of = all.of(descent(b, c).parent, m);
      fine.insert(fine.end(), of, of + m);
    }
    first += coarse_.cells[b].count();
  }
  return fine;
}

std::vector<double> FieldTransfer::nodes(const std::vector<double>& coarse, int m) const {
  const int owned = coarse_.n_owned_nodes;
  const auto& numbers = coarse_.original_node;
  const Gathered all = gathered({numbers.begin(), numbers.begin() + owned}, {coarse.begin(), coarse.begin() + std::ptrdiff_t(owned) * m}, coarse_.comm);
  std::vector<double> fine(static_cast<std::size_t>(fine_.node_total()) * m, 0.0);
  for (std::size_t b = 0; b < coarse_.cells.size(); ++b) {
    const std::vector<long long> connectivity = serial_cells(coarse_, b);
    const CellType type = coarse_.cells[b].type;
    const CellBlock& block = fine_.cells[b];
    const int n = node_count(type), n_fine = node_count(block.type), dim = dimension_of(type.shape);
    const std::vector<double> places = reference_nodes(block.type);
    std::vector<double> N(n);
    for (int c = 0; c < block.count(); ++c) {
      const Descent from = descent(b, c);
      for (int a = 0; a < n_fine; ++a) {
        std::vector<double> xi(places.begin() + a * dim, places.begin() + (a + 1) * dim);
        for (const int child : from.children) xi = in_parent(type.shape, child, xi);
        shape_values(type, xi.data(), N.data());
        double* to = fine.data() + static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(c) * n_fine + a]) * m;
        std::fill_n(to, m, 0.0);
        for (int k = 0; k < n; ++k)
          for (int i = 0; i < m; ++i) to[i] += N[k] * all.of(connectivity[from.parent * n + k], m)[i];
      }
    }
  }
  return fine;
}

}  // namespace invar
