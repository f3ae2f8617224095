#include "libfem/space/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "libfem/mesh/simplex.hpp"

namespace invar {
namespace {

double factorial(int n) { return std::tgamma(n + 1.0); }

/// ∫ x^i y^j z^k: i! j! k! / (i + j + k + d)! on simplices, ∏ 1/(i + 1) on unit cubes.
double exact(Shape shape, const int* power) {
  const int dimension = dimension_of(shape);
  if (!is_simplex(shape)) {
    double product = 1;
    for (int d = 0; d < dimension; ++d) product /= power[d] + 1;
    return product;
  }
  double product = 1;
  int sum = dimension;
  for (int d = 0; d < dimension; ++d) product *= factorial(power[d]), sum += power[d];
  return product / factorial(sum);
}

double integrate(const Quadrature& rule, int dimension, const int* power) {
  double sum = 0;
  for (int q = 0; q < rule.count(); ++q) {
    double term = rule.weights[q];
    for (int d = 0; d < dimension; ++d) term *= std::pow(rule.points[q * dimension + d], power[d]);
    sum += term;
  }
  return sum;
}

class EachShape : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Quadrature, EachShape,
                         testing::Values(Shape::segment, Shape::triangle, Shape::quadrilateral,
                                         Shape::tetrahedron, Shape::hexahedron),
                         [](const auto& info) { return std::string(name_of(info.param)); });

// Closed forms; the integrals are at most 1 and the sums are a few hundred rounded terms.
TEST_P(EachShape, IntegratesEveryMonomialOfItsDegree) {
  const int dimension = dimension_of(GetParam());
  for (int degree = 0; degree <= 12; ++degree) {
    const Quadrature rule = quadrature(GetParam(), degree);
    const int last[3] = {degree, dimension > 1 ? degree : 0, dimension > 2 ? degree : 0};
    for (int i = 0; i <= last[0]; ++i)
      for (int j = 0; j <= last[1]; ++j)
        for (int k = 0; k <= last[2]; ++k) {
          const int power[] = {i, j, k};
          if (is_simplex(GetParam()) && i + j + k > degree) continue;
          EXPECT_NEAR(integrate(rule, dimension, power), exact(GetParam(), power), 4e-15)
              << "degree " << degree << ": " << i << ' ' << j << ' ' << k;
        }
  }
}

TEST_P(EachShape, PointsLieInsideAndWeightsArePositive) {
  const int dimension = dimension_of(GetParam());
  for (int degree = 0; degree <= 12; ++degree) {
    if (GetParam() == Shape::tetrahedron && degree == 4) continue;  // has points on edges
    const Quadrature rule = quadrature(GetParam(), degree);
    ASSERT_EQ(rule.points.size(), rule.weights.size() * dimension);
    for (int q = 0; q < rule.count(); ++q) {
      double sum = 0;
      for (int d = 0; d < dimension; ++d) {
        EXPECT_GT(rule.points[q * dimension + d], 0);
        EXPECT_LT(rule.points[q * dimension + d], 1);
        sum += rule.points[q * dimension + d];
      }
      EXPECT_LT(is_simplex(GetParam()) ? sum : 0.0, 1);
      EXPECT_GT(rule.weights[q], 0);
    }
  }
}

TEST(Quadrature, PointCountsAreThoseOfThePublishedRules) {
  const int triangle[] = {1, 1, 3, 6, 6, 7, 12, 16, 16}, tetrahedron[] = {1, 1, 4, 8, 14, 14, 24};
  for (int degree = 0; degree <= 8; ++degree)
    EXPECT_EQ(quadrature(Shape::triangle, degree).count(), triangle[degree]);
  for (int degree = 0; degree <= 6; ++degree)
    EXPECT_EQ(quadrature(Shape::tetrahedron, degree).count(), tetrahedron[degree]);
  EXPECT_EQ(quadrature(Shape::hexahedron, 3).count(), 8);
  EXPECT_EQ(quadrature(Shape::point, 5).count(), 1);
}

// KEAST5: six midpoints of edges, and four points on the lines from the vertices to the centre twice.
TEST(Quadrature, TetrahedraOfDegreeFourUseMidpointsOfEdges) {
  const Quadrature rule = quadrature(Shape::tetrahedron, 4);
  int midpoints = 0, inside = 0;
  for (int q = 0; q < rule.count(); ++q) {
    EXPECT_GT(rule.weights[q], 0);
    const double* x = &rule.points[3 * q];
    const double rest = 1 - x[0] - x[1] - x[2];
    int zeros = 0, halves = 0;
    for (const double L : {x[0], x[1], x[2], rest}) zeros += L == 0, halves += L == 0.5;
    midpoints += zeros == 2 && halves == 2;
    inside += zeros == 0 && x[0] > 0 && x[1] > 0 && x[2] > 0 && rest > 0;
  }
  EXPECT_EQ(midpoints, 6);
  EXPECT_EQ(inside, 8);
}

TEST(Quadrature, RefusesANegativeDegree) {
  EXPECT_THROW(quadrature(Shape::triangle, -1), std::invalid_argument);
}

// Exact for linear functions; the shares of Hinton, Rock and Zienkiewicz for triangles and tetrahedra of second order, Simpson's rule on
// tensor elements of second order. Weights follow from sums of at most 27 rounded terms.
TEST_P(EachShape, NodalRulesIntegrateLinearFunctionsWithTheWeightsOfLumpedMasses) {
  const int dimension = dimension_of(GetParam());
  for (const int order : {1, 2}) {
    const Quadrature rule = nodal_quadrature({GetParam(), order});
    ASSERT_EQ(rule.count(), node_count({GetParam(), order}));
    for (const double w : rule.weights) EXPECT_GT(w, 0);
    for (int d = -1; d < dimension; ++d) {
      int power[3] = {0, 0, 0};
      if (d >= 0) power[d] = 1;
      EXPECT_NEAR(integrate(rule, dimension, power), exact(GetParam(), power), 1e-14);
    }
  }
  const std::vector<double> quadratic = nodal_quadrature({GetParam(), 2}).weights;
  const std::map<Shape, std::pair<double, double>> ends{{Shape::segment, {1.0 / 6, 4.0 / 6}},
                                                        {Shape::triangle, {0.5 / 19, 0.5 * 16 / 57}},
                                                        {Shape::quadrilateral, {1.0 / 36, 16.0 / 36}},
                                                        {Shape::tetrahedron, {1.0 / 6 / 36, 4.0 / 6 / 27}},
                                                        {Shape::hexahedron, {1.0 / 216, 64.0 / 216}}};
  EXPECT_NEAR(quadratic.front(), ends.at(GetParam()).first, 1e-14);
  EXPECT_NEAR(quadratic.back(), ends.at(GetParam()).second, 1e-14);
}

}  // namespace
}  // namespace invar
