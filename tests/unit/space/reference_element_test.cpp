#include "libfem/space/reference_element.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace invar {
namespace {

std::vector<CellType> all_cells() {
  std::vector<CellType> cells;
  for (Shape shape : {Shape::point, Shape::segment, Shape::triangle, Shape::quadrilateral,
                      Shape::tetrahedron, Shape::hexahedron})
    for (int order : {0, 1, 2}) cells.push_back({shape, order});
  return cells;
}

const double sample[] = {0.21, 0.17, 0.34};  // inside every reference cell

/// Monomial x^i y^j z^k and its gradient.
struct Monomial {
  int power[3];
  double value(const double* x, int dimension) const {
    double product = 1;
    for (int d = 0; d < dimension; ++d) product *= std::pow(x[d], power[d]);
    return product;
  }
  double slope(const double* x, int dimension, int by) const {
    double product = 1;
    for (int d = 0; d < dimension; ++d)
      product *= d == by ? power[d] * std::pow(x[d], power[d] - 1) : std::pow(x[d], power[d]);
    return power[by] == 0 ? 0.0 : product;
  }
};

/// The monomials that the element spans: total degree on simplices, degree per direction otherwise.
std::vector<Monomial> spanned(CellType type) {
  const int dimension = dimension_of(type.shape), order = type.order;
  const bool simplex = type.shape == Shape::triangle || type.shape == Shape::tetrahedron;
  std::vector<Monomial> found;
  for (int i = 0; i <= (dimension > 0 ? order : 0); ++i)
    for (int j = 0; j <= (dimension > 1 ? order : 0); ++j)
      for (int k = 0; k <= (dimension > 2 ? order : 0); ++k)
        if (!simplex || i + j + k <= order) found.push_back({{i, j, k}});
  return found;
}

TEST(ReferenceElement, NodeCountIsTheDimensionOfTheSpannedSpace) {
  for (CellType type : all_cells())
    EXPECT_EQ(spanned(type).size(), static_cast<size_t>(node_count(type)))
        << name_of(type.shape) << " order " << type.order;
}

TEST(ReferenceElement, KroneckerProperty) {
  for (CellType type : all_cells()) {
    const int dimension = dimension_of(type.shape), n = node_count(type);
    const auto nodes = reference_nodes(type);
    ASSERT_EQ(nodes.size(), static_cast<size_t>(n * dimension));
    std::vector<double> N(n);
    for (int a = 0; a < n; ++a) {
      shape_values(type, nodes.data() + a * dimension, N.data());
      for (int b = 0; b < n; ++b) EXPECT_NEAR(N[b], a == b ? 1 : 0, 1e-15) << a << ' ' << b;
    }
  }
}

// Interpolating what the element spans is exact, value and gradient: rounding only.
TEST(ReferenceElement, ReproducesPolynomialsAndTheirGradients) {
  for (CellType type : all_cells()) {
    const int dimension = dimension_of(type.shape), n = node_count(type);
    const auto nodes = reference_nodes(type);
    std::vector<double> N(n), dN(n * dimension);
    shape_values(type, sample, N.data());
    shape_gradients(type, sample, dN.data());
    for (const Monomial& f : spanned(type)) {
      double value = 0, slope[3] = {};
      for (int a = 0; a < n; ++a) {
        const double nodal = f.value(nodes.data() + a * dimension, dimension);
        value += nodal * N[a];
        for (int d = 0; d < dimension; ++d) slope[d] += nodal * dN[a * dimension + d];
      }
      EXPECT_NEAR(value, f.value(sample, dimension), 1e-14);
      for (int d = 0; d < dimension; ++d)
        EXPECT_NEAR(slope[d], f.slope(sample, dimension, d), 1e-14)
            << name_of(type.shape) << " order " << type.order;
    }
  }
}

// Numbering of the VTK file formats book, figures 2 and 3: a few nodes of each kind.
TEST(ReferenceElement, NodesAreInVtkOrder) {
  const auto node = [](Shape shape, int n) {
    const int dimension = dimension_of(shape);
    const auto all = reference_nodes({shape, 2});
    return std::vector<double>(all.begin() + n * dimension, all.begin() + (n + 1) * dimension);
  };
  using Point = std::vector<double>;
  EXPECT_EQ(node(Shape::segment, 2), (Point{0.5}));
  EXPECT_EQ(node(Shape::triangle, 5), (Point{0, 0.5}));
  EXPECT_EQ(node(Shape::quadrilateral, 6), (Point{0.5, 1}));
  EXPECT_EQ(node(Shape::tetrahedron, 6), (Point{0, 0.5, 0}));
  EXPECT_EQ(node(Shape::tetrahedron, 8), (Point{0.5, 0, 0.5}));
  EXPECT_EQ(node(Shape::hexahedron, 13), (Point{1, 0.5, 1}));
  EXPECT_EQ(node(Shape::hexahedron, 18), (Point{1, 1, 0.5}));
  EXPECT_EQ(node(Shape::hexahedron, 20), (Point{0, 0.5, 0.5}));
  EXPECT_EQ(node(Shape::hexahedron, 22), (Point{0.5, 0, 0.5}));
  EXPECT_EQ(node(Shape::hexahedron, 25), (Point{0.5, 0.5, 1}));
}

TEST(ReferenceElement, EdgeAndFaceNodesLieBetweenTheirVertices) {
  for (Shape shape : {Shape::segment, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                      Shape::hexahedron}) {
    const int dimension = dimension_of(shape);
    const auto x = reference_nodes({shape, 2});
    int n = vertex_count(shape);
    for (auto [a, b] : edges_of(shape)) {
      for (int d = 0; d < dimension; ++d)
        EXPECT_EQ(x[n * dimension + d], 0.5 * (x[a * dimension + d] + x[b * dimension + d]));
      ++n;
    }
    if (shape != Shape::hexahedron) continue;
    for (const ReferenceFacet& facet : facets_of(shape)) {
      for (int d = 0; d < 3; ++d) {
        double sum = 0;
        for (int v : facet.vertices) sum += x[v * 3 + d];
        EXPECT_EQ(x[n * 3 + d], sum / 4);
      }
      ++n;
    }
  }
}

// A closed surface whose normals point outwards encloses the volume (1/d) ∮ x·n; on flat facets the
// integrand is the value at any of its points times the area.
TEST(ReferenceElement, FacetsEncloseTheCell) {
  const std::pair<Shape, double> cells[] = {{Shape::triangle, 1.0 / 2},
                                            {Shape::quadrilateral, 1},
                                            {Shape::tetrahedron, 1.0 / 6},
                                            {Shape::hexahedron, 1}};
  for (auto [shape, measure] : cells) {
    const int dimension = dimension_of(shape);
    const auto x = reference_nodes({shape, 1});
    double enclosed = 0;
    for (const ReferenceFacet& facet : facets_of(shape)) {
      const double* a = &x[facet.vertices[0] * dimension];
      const double* b = &x[facet.vertices[1] * dimension];
      if (dimension == 2) {
        enclosed += 0.5 * (a[0] * (b[1] - a[1]) - a[1] * (b[0] - a[0]));
        continue;
      }
      const double* c = &x[facet.vertices[2] * dimension];
      const double triple = a[0] * (b[1] * c[2] - b[2] * c[1]) +
                            a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      enclosed += triple * (facet.shape == Shape::triangle ? 0.5 : 1.0) / 3;
    }
    EXPECT_NEAR(enclosed, measure, 1e-15) << name_of(shape);
  }
}

TEST(ReferenceElement, ReversingTwiceIsTheIdentityAndOnceTurnsTheCellOver) {
  for (CellType type : all_cells()) {
    if (type.order == 0 || type.shape == Shape::point) continue;
    const int dimension = dimension_of(type.shape), n = node_count(type);
    const auto reversed = reversed_nodes(type);
    const auto x = reference_nodes(type);
    for (int i = 0; i < n; ++i) EXPECT_EQ(reversed[reversed[i]], i);
    std::vector<double> dN(n * dimension);
    shape_gradients(type, sample, dN.data());
    double J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int d = 0; d < dimension; ++d)
      for (int e = 0; e < dimension; ++e) {
        J[d][e] = 0;
        for (int i = 0; i < n; ++i)
          J[d][e] += x[reversed[i] * dimension + d] * dN[i * dimension + e];
      }
    const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                       J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                       J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
    EXPECT_NEAR(det, -1, 1e-14) << name_of(type.shape) << " order " << type.order;
  }
}

}  // namespace
}  // namespace invar
