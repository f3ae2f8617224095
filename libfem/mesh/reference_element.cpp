#include "libfem/mesh/reference_element.hpp"

#include <algorithm>

#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

using Edge = std::array<int, 2>;

constexpr Edge segment_edges[] = {{0, 1}};
constexpr Edge triangle_edges[] = {{0, 1}, {1, 2}, {2, 0}};
constexpr Edge quadrilateral_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
constexpr Edge tetrahedron_edges[] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
constexpr Edge hexahedron_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                     {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

constexpr ReferenceFacet triangle_facets[] = {
    {Shape::segment, {0, 1}}, {Shape::segment, {1, 2}}, {Shape::segment, {2, 0}}};
constexpr ReferenceFacet quadrilateral_facets[] = {{Shape::segment, {0, 1}},
                                                   {Shape::segment, {1, 2}},
                                                   {Shape::segment, {2, 3}},
                                                   {Shape::segment, {3, 0}}};
constexpr ReferenceFacet tetrahedron_facets[] = {{Shape::triangle, {0, 1, 3}},
                                                 {Shape::triangle, {1, 2, 3}},
                                                 {Shape::triangle, {2, 0, 3}},
                                                 {Shape::triangle, {0, 2, 1}}};
constexpr ReferenceFacet hexahedron_facets[] = {
    {Shape::quadrilateral, {0, 4, 7, 3}}, {Shape::quadrilateral, {1, 2, 6, 5}},
    {Shape::quadrilateral, {0, 1, 5, 4}}, {Shape::quadrilateral, {3, 7, 6, 2}},
    {Shape::quadrilateral, {0, 3, 2, 1}}, {Shape::quadrilateral, {4, 5, 6, 7}}};

/// Per node and direction: 0, 1 or 2 for the reference coordinate 0, 1 or ½ of a tensor cell.
constexpr int segment_nodes[3][1] = {{0}, {1}, {2}};
constexpr int quadrilateral_nodes[9][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0},
                                           {1, 2}, {2, 1}, {0, 2}, {2, 2}};
constexpr int hexahedron_nodes[27][3] = {
    {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1},
    {0, 1, 1}, {2, 0, 0}, {1, 2, 0}, {2, 1, 0}, {0, 2, 0}, {2, 0, 1}, {1, 2, 1},
    {2, 1, 1}, {0, 2, 1}, {0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}, {0, 2, 2},
    {1, 2, 2}, {2, 0, 2}, {2, 1, 2}, {2, 2, 0}, {2, 2, 1}, {2, 2, 2}};

const int* tensor_nodes(Shape shape) {
  if (shape == Shape::segment) return segment_nodes[0];
  return shape == Shape::quadrilateral ? quadrilateral_nodes[0] : hexahedron_nodes[0];
}

/// One-dimensional Lagrange functions at the nodes 0, 1 and (second order) ½.
struct Line {
  double value[3], slope[3];
  Line(int order, double x) {
    if (order == 1) {
      value[0] = 1 - x, value[1] = x, value[2] = 0;
      slope[0] = -1, slope[1] = 1, slope[2] = 0;
    } else {
      value[0] = (1 - x) * (1 - 2 * x), value[1] = x * (2 * x - 1), value[2] = 4 * x * (1 - x);
      slope[0] = 4 * x - 3, slope[1] = 4 * x - 1, slope[2] = 4 - 8 * x;
    }
  }
};

/// Barycentric coordinates of a simplex; the derivative of L[v] by ξ_d is slope(v, d).
std::array<double, 4> barycentric(int dimension, const double* xi) {
  std::array<double, 4> L{1, 0, 0, 0};
  for (int d = 0; d < dimension; ++d) L[0] -= xi[d], L[d + 1] = xi[d];
  return L;
}
double slope(int vertex, int direction) {
  return vertex == 0 ? -1.0 : (vertex == direction + 1 ? 1.0 : 0.0);
}

}  // namespace

std::span<const Edge> edges_of(Shape shape) {
  switch (shape) {
    case Shape::segment: return segment_edges;
    case Shape::triangle: return triangle_edges;
    case Shape::quadrilateral: return quadrilateral_edges;
    case Shape::tetrahedron: return tetrahedron_edges;
    case Shape::hexahedron: return hexahedron_edges;
    default: return {};
  }
}

std::span<const ReferenceFacet> facets_of(Shape shape) {
  switch (shape) {
    case Shape::triangle: return triangle_facets;
    case Shape::quadrilateral: return quadrilateral_facets;
    case Shape::tetrahedron: return tetrahedron_facets;
    case Shape::hexahedron: return hexahedron_facets;
    default: return {};
  }
}

std::vector<int> reversed_nodes(CellType type) {
  const int dimension = dimension_of(type.shape), count = node_count(type);
  const auto x = reference_nodes(type);
  std::vector<int> reversed;
  for (int n = 0; n < count; ++n) {
    std::vector<double> image(x.begin() + n * dimension, x.begin() + (n + 1) * dimension);
    if (dimension == 1) image[0] = 1 - image[0];
    if (dimension > 1) std::swap(image[0], image[1]);
    int m = 0;
    while (!std::equal(image.begin(), image.end(), x.begin() + m * dimension)) ++m;
    reversed.push_back(m);
  }
  return reversed;
}

std::vector<double> reference_nodes(CellType type) {
  const int dimension = dimension_of(type.shape), count = node_count(type);
  if (type.order == 0)
    return std::vector<double>(dimension, is_simplex(type.shape) ? 1.0 / (dimension + 1) : 0.5);
  std::vector<double> nodes(count * dimension, 0.0);
  if (!is_simplex(type.shape)) {
    constexpr double coordinate[] = {0, 1, 0.5};
    if (dimension > 0)
      std::transform(tensor_nodes(type.shape), tensor_nodes(type.shape) + nodes.size(),
                     nodes.begin(), [&](int i) { return coordinate[i]; });
    return nodes;
  }
  for (int d = 0; d < dimension; ++d) nodes[(d + 1) * dimension + d] = 1;
  if (type.order == 2) {
    int n = dimension + 1;
    for (auto [a, b] : edges_of(type.shape)) {
      for (int d = 0; d < dimension; ++d)
        nodes[n * dimension + d] = 0.5 * (nodes[a * dimension + d] + nodes[b * dimension + d]);
      ++n;
    }
  }
  return nodes;
}

void shape_values(CellType type, const double* xi, double* N) {
  const int dimension = dimension_of(type.shape), count = node_count(type);
  if (count == 1) {
    N[0] = 1;
  } else if (is_simplex(type.shape)) {
    const auto L = barycentric(dimension, xi);
    for (int v = 0; v <= dimension; ++v) N[v] = type.order == 1 ? L[v] : L[v] * (2 * L[v] - 1);
    if (type.order == 1) return;
    N += dimension + 1;
    for (auto [a, b] : edges_of(type.shape)) *N++ = 4 * L[a] * L[b];
  } else {
    const int* node = tensor_nodes(type.shape);
    std::fill_n(N, count, 1.0);
    for (int d = 0; d < dimension; ++d) {
      const Line line(type.order, xi[d]);
      for (int n = 0; n < count; ++n) N[n] *= line.value[node[n * dimension + d]];
    }
  }
}

void shape_gradients(CellType type, const double* xi, double* dN) {
  const int dimension = dimension_of(type.shape), count = node_count(type);
  std::fill_n(dN, count * dimension, type.order == 0 ? 0.0 : 1.0);
  if (count == 1) return;
  if (is_simplex(type.shape)) {
    const auto L = barycentric(dimension, xi);
    for (int v = 0; v <= dimension; ++v)
      for (int d = 0; d < dimension; ++d)
        *dN++ = slope(v, d) * (type.order == 1 ? 1.0 : 4 * L[v] - 1);
    if (type.order == 1) return;
    for (auto [a, b] : edges_of(type.shape))
      for (int d = 0; d < dimension; ++d) *dN++ = 4 * (slope(a, d) * L[b] + L[a] * slope(b, d));
  } else {
    const int* node = tensor_nodes(type.shape);
    for (int d = 0; d < dimension; ++d) {
      const Line line(type.order, xi[d]);
      for (int n = 0; n < count; ++n)
        for (int e = 0; e < dimension; ++e)
          dN[n * dimension + e] *= (d == e ? line.slope : line.value)[node[n * dimension + d]];
    }
  }
}

}  // namespace invar
