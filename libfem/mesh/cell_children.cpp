#include "libfem/mesh/cell_children.hpp"

#include <array>

#include "libfem/mesh/reference_element.hpp"
#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

// Vertices of the children of simplices, by the nodes of the second-order parent. Children have the orientation of their parent.
constexpr std::array<int, 4> triangle_children[] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
constexpr std::array<int, 4> tetrahedron_children[] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                                                       {4, 6, 7, 8}, {4, 6, 8, 5}, {6, 7, 8, 9}, {6, 5, 9, 8}};

const std::array<int, 4>& vertices_of_child(Shape shape, int child) {
  return shape == Shape::triangle ? triangle_children[child] : tetrahedron_children[child];
}

}  // namespace

int child_count(Shape shape) { return 1 << dimension_of(shape); }

std::vector<double> in_parent(Shape shape, int child, std::span<const double> xi) {
  const int dim = dimension_of(shape);
  const std::vector<double> nodes = reference_nodes({shape, 2});
  std::vector<double> x(dim, 0.0);
  if (dim < 2 || !is_simplex(shape)) {  // half the size, at the vertex of that number
    for (int d = 0; d < dim; ++d) x[d] = 0.5 * (nodes[child * dim + d] + xi[d]);
    return x;
  }
  double N[4];
  shape_values({shape, 1}, xi.data(), N);
  for (int v = 0; v <= dim; ++v)
    for (int d = 0; d < dim; ++d) x[d] += N[v] * nodes[vertices_of_child(shape, child)[v] * dim + d];
  return x;
}

}  // namespace invar
