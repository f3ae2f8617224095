#include "libfem/mesh/cell_lattice.hpp"

#include <cmath>
#include <limits>

namespace invar {

namespace {

constexpr double congruence = 1e-9;  // relative to the size of a cell

struct Extent {
  std::array<double, 3> low, high;
};

Extent extent_of(const Mesh& mesh, const int* nodes, int n) {
  constexpr double far = std::numeric_limits<double>::max();
  Extent box{{far, far, far}, {-far, -far, -far}};
  for (int a = 0; a < n; ++a)
    for (int k = 0; k < mesh.dim; ++k) {
      const double x = mesh.coordinates[std::size_t(nodes[a]) * mesh.dim + k];
      box.low[k] = std::min(box.low[k], x);
      box.high[k] = std::max(box.high[k], x);
    }
  return box;
}

bool all_ranks(const Mesh& mesh, bool here) {
  int all = here;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, mesh.comm);
  return all != 0;
}

}  // namespace

std::optional<CellLattice> find_cell_lattice(const Mesh& mesh) {
  const Shape shape = mesh.dim == 3 ? Shape::hexahedron : Shape::quadrilateral;
  bool fits = mesh.dim >= 2;
  for (const CellBlock& block : mesh.cells) fits &= block.count() == 0 || block.type == CellType{shape, 1};
  if (!all_ranks(mesh, fits)) return std::nullopt;

  // Extent of the grid and smallest cell, over all ranks.
  const int dim = mesh.dim, n = vertex_count(shape);
  constexpr double far = std::numeric_limits<double>::max();
  std::array<double, 9> least;  // low of the grid, minus its high, size of a cell
  least.fill(far);
  for (const CellBlock& block : mesh.cells)
    for (int c = 0; c < block.count(); ++c) {
      const Extent box = extent_of(mesh, &block.nodes[std::size_t(c) * n], n);
      for (int k = 0; k < dim; ++k) {
        least[k] = std::min(least[k], box.low[k]);
        least[3 + k] = std::min(least[3 + k], -box.high[k]);
        least[6 + k] = std::min(least[6 + k], box.high[k] - box.low[k]);
      }
    }
  MPI_Allreduce(MPI_IN_PLACE, least.data(), int(least.size()), MPI_DOUBLE, MPI_MIN, mesh.comm);
  CellLattice lattice;
  lattice.dim = dim;
  std::array<double, 3> size{};
  for (int k = 0; k < dim; ++k) {
    const double length = -least[3 + k] - least[k], count = std::round(length / least[6 + k]);
    if (!(least[6 + k] > 0) || !(count < std::numeric_limits<int>::max())) return std::nullopt;
    lattice.cells[k] = int(count);
    size[k] = length / count;
  }

  const auto place = [&](double x, int k, int& at) {  // false: between the lines
    const double exact = (x - least[k]) / size[k];
    at = int(std::lround(exact));
    return std::abs(exact - at) <= congruence;
  };
  lattice.node.assign(mesh.node_total(), {0, 0, 0});
  for (const CellBlock& block : mesh.cells)
    for (int c = 0; c < block.count() && fits; ++c) {
      const int* nodes = &block.nodes[std::size_t(c) * n];
      const Extent box = extent_of(mesh, nodes, n);
      std::array<int, 3> low{}, high{};
      for (int k = 0; k < dim; ++k) {
        fits &= place(box.low[k], k, low[k]) && place(box.high[k], k, high[k]) && high[k] == low[k] + 1;
      }
      std::array<signed char, 8> corner{};
      unsigned seen = 0;
      for (int a = 0; a < n && fits; ++a) {
        std::array<int, 3>& at = lattice.node[nodes[a]];
        for (int k = 0; k < dim; ++k) {
          fits &= place(mesh.coordinates[std::size_t(nodes[a]) * dim + k], k, at[k]);
          if (at[k] == high[k]) corner[a] |= static_cast<signed char>(1 << k);
        }
        seen |= 1u << corner[a];
      }
      fits &= seen == (1u << n) - 1;
      lattice.cell.push_back(low);
      lattice.corner.push_back(corner);
    }
  if (!all_ranks(mesh, fits)) return std::nullopt;
  return lattice;
}

}  // namespace invar
