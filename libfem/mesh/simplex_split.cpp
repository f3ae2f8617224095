#include "libfem/mesh/simplex_split.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Divides a face with vertices in cyclic order; add(a, b, c) keeps the orientation.
template <class Add>
void divide_face(std::span<const int> v, const Add& add) {
  if (v.size() == 3) return add(v[0], v[1], v[2]);
  const auto first = static_cast<std::size_t>(std::ranges::min_element(v) - v.begin());
  const auto at = [&](std::size_t k) { return v[(first + k) % 4]; };
  add(at(0), at(1), at(2));
  add(at(0), at(2), at(3));
}

class SimplexDivision {
 public:
  SimplexDivision(const Mesh& mesh, std::span<const double> level) : mesh_(mesh), level_(level) {}

  SimplexSplit divide() {
    int cell = 0;
    for (const CellBlock& block : mesh_.cells)
      for (int c = 0; c < block.count(); ++c, ++cell) add_cell(block, c, cell);
    std::vector<char> in_cell(mesh_.node_total(), 0);
    for (const Simplex& s : split_.cells)
      for (int k = 0; k <= mesh_.dim; ++k) in_cell[s[k]] = 1;
    int facet = 0;
    for (const CellBlock& block : mesh_.facets) {
      const int n = node_count(block.type), vertices = vertex_count(block.type.shape);
      for (int f = 0; f < block.count(); ++f, ++facet) {
        const std::span<const int> v(block.nodes.data() + std::size_t(f) * n, std::size_t(vertices));
        if (!std::ranges::all_of(v, [&](int node) { return in_cell[node] != 0; })) continue;
        if (vertices == 2) add_side({v[0], v[1], -1}, facet);
        else divide_face(v, [&](int a, int b, int c) { add_side({a, b, c}, facet); });
      }
    }
    return std::move(split_);
  }

 private:
  void add(const Simplex& s, int cell) {
    split_.cells.push_back(s);
    split_.cell_parent.push_back(cell);
  }
  void add_side(const SimplexSide& s, int facet) {
    split_.facets.push_back(s);
    split_.facet_parent.push_back(facet);
  }

  void add_cell(const CellBlock& block, int c, int cell) {
    const Shape shape = block.type.shape;
    const int* v = &block.nodes[std::size_t(c) * node_count(block.type)];
    if (shape == Shape::triangle) return add({v[0], v[1], v[2], -1}, cell);
    if (shape == Shape::tetrahedron) return add({v[0], v[1], v[2], v[3]}, cell);
    if (shape == Shape::quadrilateral) {
      const int k = begins_at(v) ? 1 : 0;
      add({v[k], v[k + 1], v[k + 2], -1}, cell);
      return add({v[k], v[k + 2], v[(k + 3) % 4], -1}, cell);
    }
    const int apex = *std::min_element(v, v + 8);
    for (const ReferenceFacet& face : facets_of(shape)) {
      std::array<int, 4> w{};
      for (int k = 0; k < 4; ++k) w[k] = v[face.vertices[k]];
      if (std::ranges::count(w, apex) == 0) divide_face(w, [&](int a, int b, int d) { add({apex, a, b, d}, cell); });
    }
  }

  /// Which diagonal divides a quadrilateral: 0 from its first vertex, 1 from the second.
  bool begins_at(const int* v) const {
    const auto f = [&](int k) { return level_[v[k]]; };
    if (f(0) * f(2) > 0 && f(1) * f(3) > 0 && f(0) * f(1) < 0) {
      const double saddle = (f(0) * f(2) - f(1) * f(3)) / (f(0) + f(2) - f(1) - f(3));
      return saddle * f(1) > 0;
    }
    const auto length = [&](int a, int b) {
      const double* x = mesh_.coordinates.data();
      return std::hypot(x[2 * v[a]] - x[2 * v[b]], x[2 * v[a] + 1] - x[2 * v[b] + 1]);
    };
    const double first = length(0, 2), second = length(1, 3);
    if (std::abs(first - second) > 1e-6 * (first + second)) return second < first;
    return std::abs(f(1) - f(3)) < std::abs(f(0) - f(2));
  }

  const Mesh& mesh_;
  std::span<const double> level_;
  SimplexSplit split_;
};

double edge_entry(const double* x, int dim, int a, int b, int i) { return x[std::size_t(b) * dim + i] - x[std::size_t(a) * dim + i]; }

}  // namespace

SimplexSplit split_into_simplices(const Mesh& serial, std::span<const double> level) { return SimplexDivision(serial, level).divide(); }

double side_measure(int dim, const double* x, const SimplexSide& s) {
  double u[3], w[3];
  for (int i = 0; i < dim; ++i) u[i] = edge_entry(x, dim, s[0], s[1], i);
  if (dim == 2) return std::hypot(u[0], u[1]);
  for (int i = 0; i < dim; ++i) w[i] = edge_entry(x, dim, s[0], s[2], i);
  return 0.5 * std::hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]);
}

double simplex_volume(int dim, const double* x, const Simplex& s) {
  double e[3][3];
  for (int k = 0; k < dim; ++k)
    for (int i = 0; i < dim; ++i) e[k][i] = edge_entry(x, dim, s[0], s[k + 1], i);
  if (dim == 2) return 0.5 * (e[0][0] * e[1][1] - e[0][1] * e[1][0]);
  return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) / 6;
}

double least_height(int dim, const double* x, const Simplex& s) {
  double largest = 0;
  for (int k = 0; k <= dim; ++k) {
    SimplexSide side{-1, -1, -1};
    for (int j = 0, n = 0; j <= dim; ++j)
      if (j != k) side[n++] = s[j];
    largest = std::max(largest, side_measure(dim, x, side));
  }
  return largest > 0 ? dim * simplex_volume(dim, x, s) / largest : 0;
}

double share_above(int dim, const double* level) {
  int up[4], down[4], ups = 0, downs = 0;
  for (int k = 0; k <= dim; ++k) (level[k] > 0 ? up[ups++] : down[downs++]) = k;
  if (downs == 0) return 1;
  if (ups == 0) return 0;
  // of the edge from a positive vertex, the share that is positive
  const auto t = [&](int i, int j) { return level[up[i]] / (level[up[i]] - level[down[j]]); };
  double share = 1;
  if (ups == 1) {
    for (int j = 0; j < downs; ++j) share *= t(0, j);
    return share;
  }
  if (downs == 1) {
    for (int i = 0; i < ups; ++i) share *= 1 - t(i, 0);
    return 1 - share;
  }
  return t(0, 0) * (1 - (1 - t(0, 1)) * (1 - t(1, 1))) + (1 - t(0, 0)) * t(1, 0) * t(1, 1);
}

}  // namespace invar
