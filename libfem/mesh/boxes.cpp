#include "libfem/mesh/boxes.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar {
namespace {

using Index3 = std::array<int, 3>;
constexpr const char* side_names[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};

/// The lattice of nodes; x varies fastest.
struct Lattice {
  int dim;
  Index3 n;  // cells per direction; 0 in unused ones
  int node(Index3 at) const { return at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2]); }
  Index3 position(int node) const {
    return {node % (n[0] + 1), node / (n[0] + 1) % (n[1] + 1), node / ((n[0] + 1) * (n[1] + 1))};
  }
  int node_total() const { return (n[0] + 1) * (n[1] + 1) * (n[2] + 1); }
};

/// Corners of the unit square or cube, one row per cell that it is split into: itself, or the
/// simplices along the diagonal (Kuhn), one per order of the directions.
std::vector<std::vector<Index3>> split(Shape shape) {
  const int dim = dimension_of(shape), corners = vertex_count(shape);
  std::vector<std::vector<Index3>> cells;
  if (shape == Shape::quadrilateral || shape == Shape::hexahedron) {
    const auto x = reference_nodes({shape, 1});
    auto& cell = cells.emplace_back(corners, Index3{});
    for (int v = 0; v < corners; ++v)
      for (int d = 0; d < dim; ++d) cell[v][d] = static_cast<int>(x[v * dim + d]);
    return cells;
  }
  Index3 directions{0, 1, 2};
  do {
    auto& cell = cells.emplace_back(1, Index3{});
    for (int d = 0; d < dim; ++d) {
      cell.push_back(cell.back());
      ++cell.back()[directions[d]];
    }
    int inversions = 0;
    for (int d = 0; d < dim; ++d)
      for (int e = 0; e < d; ++e) inversions += directions[e] > directions[d];
    if (inversions % 2 == 1) std::swap(cell[dim - 1], cell[dim]);
  } while (std::next_permutation(directions.begin(), directions.begin() + dim));
  return cells;
}

void add_sides(Mesh& mesh, const Lattice& lattice) {
  const Shape shape = mesh.cells[0].type.shape;
  const auto facets = facets_of(shape);
  CellBlock block{{facets[0].shape, 1}, {}, 0};
  for (int axis = 0; axis < mesh.dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      Region region{side_names[axis][side], mesh.dim - 1, {{}}, {}};
      const int level = side * lattice.n[axis];
      const auto& nodes = mesh.cells[0].nodes;
      for (auto cell = nodes.begin(); cell != nodes.end(); cell += vertex_count(shape))
        for (const ReferenceFacet& facet : facets) {
          const std::span vertices(facet.vertices.data(), vertex_count(facet.shape));
          const auto on_side = [&](int v) { return lattice.position(cell[v])[axis] == level; };
          if (!std::ranges::all_of(vertices, on_side)) continue;
          region.members[0].push_back(block.count());
          for (int v : vertices) block.nodes.push_back(cell[v]);
        }
      mesh.regions.push_back(std::move(region));
    }
  mesh.facets.push_back(std::move(block));
}

void add_corners(Mesh& mesh, const Lattice& lattice) {
  for (int corner = 0; corner < 1 << mesh.dim; ++corner) {
    Region region;
    Index3 at{};
    for (int d = 0; d < mesh.dim; ++d) {
      const int side = corner >> d & 1;
      at[d] = side * lattice.n[d];
      region.name += (d > 0 ? "_" : "") + std::string(side_names[d][side]);
    }
    region.nodes = {lattice.node(at)};
    mesh.regions.push_back(std::move(region));
  }
}

/// The edges of a box, as regions of nodes.
void add_edges(Mesh& mesh, const double* low, const double* high) {
  for (int first = 0; first < 2; ++first)
    for (int second = first + 1; second < 3; ++second)
      for (int sides = 0; sides < 4; ++sides) {
        const int side[2] = {sides & 1, sides >> 1};
        Region region;
        region.name = std::string(side_names[first][side[0]]) + "_" + side_names[second][side[1]];
        for (int node = 0; node < mesh.node_total(); ++node) {
          const double* x = &mesh.coordinates[std::size_t(node) * 3];
          if (x[first] == (side[0] ? high : low)[first] && x[second] == (side[1] ? high : low)[second]) region.nodes.push_back(node);
        }
        mesh.regions.push_back(std::move(region));
      }
}

Mesh make_lattice(const Lattice& lattice, const double* low, const double* high, Shape shape,
                  int order, const std::string& body) {
  const int dim = lattice.dim;
  if (dimension_of(shape) != dim)
    throw std::invalid_argument("a " + std::to_string(dim) + "-D box of cells of shape " +
                                std::string(name_of(shape)) + ": their dimension must be the same");
  if (order != 1 && order != 2)
    throw std::invalid_argument("mesh order " + std::to_string(order) + ": it must be 1 or 2");
  for (int d = 0; d < dim; ++d)
    if (lattice.n[d] < 1 || !(high[d] > low[d]))
      throw std::invalid_argument(
          "a box needs at least one cell and a positive size in each direction");
  Mesh mesh;
  mesh.dim = dim;
  for (int i = 0; i < lattice.node_total(); ++i) {
    const Index3 at = lattice.position(i);
    for (int d = 0; d < dim; ++d) {
      const double t = static_cast<double>(at[d]) / lattice.n[d];
      mesh.coordinates.push_back((1 - t) * low[d] + t * high[d]);
    }
  }
  CellBlock block{{shape, 1}, {}, 0};
  const auto parts = split(shape);
  for (int k = 0; k < std::max(lattice.n[2], 1); ++k)
    for (int j = 0; j < lattice.n[1]; ++j)
      for (int i = 0; i < lattice.n[0]; ++i)
        for (const auto& part : parts)
          for (const Index3& v : part)
            block.nodes.push_back(lattice.node({i + v[0], j + v[1], k + v[2]}));
  Region all{body, dim, std::vector<std::vector<int>>(1, std::vector<int>(block.count())), {}};
  std::iota(all.members[0].begin(), all.members[0].end(), 0);
  mesh.cells.push_back(std::move(block));
  mesh.regions.push_back(std::move(all));
  add_sides(mesh, lattice);
  add_corners(mesh, lattice);
  complete_serial(mesh);
  if (order == 2) mesh = to_second_order(mesh);
  if (dim == 3) add_edges(mesh, low, high);
  return mesh;
}

}  // namespace

Mesh make_rectangle(double x0, double y0, double x1, double y1, int nx, int ny, Shape shape,
                    int order, const std::string& body) {
  const double low[] = {x0, y0}, high[] = {x1, y1};
  return make_lattice({2, {nx, ny, 0}}, low, high, shape, order, body);
}

Mesh make_box(std::array<double, 3> low, std::array<double, 3> high, std::array<int, 3> n,
              Shape shape, int order, const std::string& body) {
  return make_lattice({3, n}, low.data(), high.data(), shape, order, body);
}

}  // namespace invar
