#include "libfem/design/boundary/ffd_map.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <stdexcept>

#include "libfem/design/boundary/spline_basis.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar {
namespace {

using test::displacements, test::number_of, test::random_values;

const std::array<double, 3> low{-1, 2, 0.5}, high{1, 5, 1};

std::vector<double> points_in_box(int dim, int n, unsigned seed = 3) {
  auto points = random_values(std::size_t(n) * dim, seed, 0, 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int d = static_cast<int>(i) % dim;
    points[i] = low[d] + (high[d] - low[d]) * points[i];
  }
  return points;
}
SplineBasis basis_of(int count, int degree) {
  return SplineBasis::clamped(degree == 0 ? count - 1 : std::min(degree, count - 1), count);
}

std::string name_of(int dim, const std::array<int, 3>& index, int component) {
  std::ostringstream name;
  name << "ffd";
  for (int d = 0; d < dim; ++d) name << '_' << index[d];
  name << '_' << "xyz"[component];
  return name.str();
}

TEST(FfdMap, OneControlPointActsByTheProductOfBernsteinPolynomials) {
  const std::vector<double> points{low[0] + 0.25 * 2, low[1] + 0.5 * 3};
  const auto map = make_ffd_map(points, 2, low, high, {4, 3, 1});
  EXPECT_EQ(map->size(), 24);
  std::vector<double> theta(24, 0.0);
  theta[number_of(*map, "ffd_1_2_y")] = 2;
  const auto w = displacements(*map, 2, theta);
  EXPECT_EQ(w[0], 0);
  EXPECT_NEAR(w[1], 2 * (27. / 64) * (1. / 4), 1e-15);  // B₁³(1/4) = 27/64, B₂²(1/2) = 1/4
}

// An affine map of the control points is the same affine map of the body, e.g. a translation. Bernstein and splines, 2-D and 3-D.
TEST(FfdMap, ReproducesAffineMotions) {
  const double A[3][4] = {{0.3, 0.1, -0.2, 0.05}, {0.2, -0.4, 0.1, 0.3}, {-0.1, 0.6, 0.2, -0.3}};  // shift last
  for (int dim : {2, 3})
    for (int degree : {0, 2, 3}) {
      const std::array<int, 3> counts{6, 4, 3};
      const auto points = points_in_box(dim, 30);
      FfdOptions options;
      options.degree = degree;
      const auto map = make_ffd_map(points, dim, low, high, counts, options);
      std::vector<double> theta(map->size());
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 4; ++j)
          for (int k = 0; k < (dim == 3 ? 3 : 1); ++k) {
            const std::array index{i, j, k};
            for (int a = 0; a < dim; ++a) {
              double value = A[a][3];
              for (int d = 0; d < dim; ++d)
                value += A[a][d] * (low[d] + (high[d] - low[d]) * basis_of(counts[d], degree).abscissa(index[d]));
              theta[number_of(*map, name_of(dim, index, a))] = value;
            }
          }
      const auto w = displacements(*map, dim, theta);
      for (int p = 0; p < 30; ++p)
        for (int a = 0; a < dim; ++a) {
          double expected = A[a][3];
          for (int d = 0; d < dim; ++d) expected += A[a][d] * points[p * dim + d];
          EXPECT_NEAR(w[p * dim + a], expected, 1e-13);
        }
    }
}

TEST(FfdMap, MovesThePointsInTheBoxAndNoOthers) {
  const std::vector<double> points{0, 3, 0.7, -1, 2, 0.5, 1, 5, 1, 1.01, 3, 0.7, 0, 3, 0.49, 0, 1.9, 0.7};
  const auto map = make_ffd_map(points, 3, low, high, {2, 3, 2});
  const auto w = displacements(*map, 3, std::vector<double>(map->size(), 1.0));
  for (int p = 0; p < 6; ++p)
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(w[p * 3 + d], p < 3 ? 1 : 0, 1e-15) << "point " << p;
}

// With k frozen layers the displacement grows like the k-th power of the distance from the face.
TEST(FfdMap, FrozenLayersJoinWithoutMotionAndSlope) {
  for (int degree : {0, 3})
    for (int axis = 0; axis < 2; ++axis)
      for (int side = 0; side < 2; ++side)
        for (int layers = 1; layers <= 3; ++layers) {
          FfdOptions options;
          options.degree = degree;
          options.frozen_layers[axis][side] = layers;
          const double step = 1e-4;
          std::vector<double> points;
          for (double distance : {0.0, step, 2 * step}) {
            double x[2] = {low[0] + 0.37 * 2, low[1] + 0.61 * 3};
            x[axis] = side == 0 ? low[axis] + distance : high[axis] - distance;
            for (double coordinate : x) points.push_back(coordinate);
          }
          const auto map = make_ffd_map(points, 2, low, high, {7, 7, 1}, options);
          EXPECT_EQ(map->size(), 2 * 7 * (7 - layers));
          const auto w = displacements(*map, 2, random_values(map->size(), 5, 0.5, 1));
          for (int d = 0; d < 2; ++d) {
            EXPECT_EQ(w[d], 0);
            EXPECT_NEAR(w[4 + d] / w[2 + d], std::pow(2, layers), 0.02) << layers << " layers, degree " << degree;
          }
        }
}

TEST(FfdMap, OnlyTheComponentsThatMayMoveHaveNumbers) {
  FfdOptions options;
  options.components = {false, true, false};
  const auto map = make_ffd_map(points_in_box(3, 10), 3, low, high, {2, 2, 2}, options);
  EXPECT_EQ(map->size(), 8);
  EXPECT_EQ(map->names()[3], "ffd_0_1_1_y");
  const auto w = displacements(*map, 3, random_values(8, 1));
  for (int p = 0; p < 10; ++p) {
    EXPECT_EQ(w[3 * p], 0);
    EXPECT_NE(w[3 * p + 1], 0);
    EXPECT_EQ(w[3 * p + 2], 0);
  }
}

TEST(FfdMap, MirroredPointsHaveMirroredDisplacements) {
  for (int count : {4, 5}) {
    auto points = points_in_box(3, 20);
    for (int p = 0; p < 20; ++p) points.insert(points.end(), {-points[3 * p], points[3 * p + 1], points[3 * p + 2]});
    points.insert(points.end(), {0, 3, 0.6});
    FfdOptions options;
    options.symmetry = {0, 0.0};
    options.frozen_layers[0][1] = 1;  // and so on the other side
    const auto map = make_ffd_map(points, 3, low, high, {count, 3, 2}, options);
    // Free along x: 1 pair, and for an odd count the layer on the plane, which moves in it alone.
    EXPECT_EQ(map->size(), 6 * 3 + (count == 5 ? 6 * 2 : 0));
    const auto w = displacements(*map, 3, random_values(map->size(), 4));
    for (int p = 0; p < 20; ++p)
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(w[60 + 3 * p + d], (d == 0 ? -1 : 1) * w[3 * p + d], 1e-15);
    EXPECT_NEAR(w[120], 0, 1e-16);
    EXPECT_GT(std::abs(w[121]), 1e-3);
  }
}

TEST(FfdMap, HalfModelsStayOnTheirPlaneAndAreSmoothAcross) {
  for (int side = 0; side < 2; ++side) {
    const double plane = side == 0 ? low[1] : high[1], inward = side == 0 ? 1 : -1, step = 1e-4;
    std::vector<double> points;
    for (double distance : {0.0, step, 2 * step})
      for (double coordinate : {0.3, plane + inward * distance}) points.push_back(coordinate);
    FfdOptions options;
    options.symmetry = {1, plane};
    const auto map = make_ffd_map(points, 2, low, high, {3, 4, 1}, options);
    EXPECT_EQ(map->size(), 3 * 3 + 3 * 3);
    EXPECT_GE(number_of(*map, side == 0 ? "ffd_1_0_x" : "ffd_1_3_x"), 0);
    const auto w = displacements(*map, 2, random_values(map->size(), 6));
    EXPECT_EQ(w[1], 0);                                   // stays on the plane
    EXPECT_NEAR((w[5] - w[1]) / (w[3] - w[1]), 2, 1e-3);  // normal: any slope
    EXPECT_NEAR((w[4] - w[0]) / (w[2] - w[0]), 4, 1e-3);  // along it: none
    const auto shift = displacements(*map, 2, [&] {
      std::vector<double> theta(map->size(), 0.0);
      for (int i = 0; i < map->size(); ++i) theta[i] = map->names()[i].back() == 'x' ? 0.7 : 0;
      return theta;
    }());
    for (int p = 0; p < 3; ++p) EXPECT_NEAR(shift[2 * p], 0.7, 1e-15);
  }
}

TEST(FfdMap, NamesAreDistinctAndDerivativesExact) {
  FfdOptions options;
  options.symmetry = {0, 0.0};
  const auto map = make_ffd_map(points_in_box(3, 15), 3, low, high, {5, 3, 2}, options);
  const auto names = map->names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(map->point_count(), 15);
  test::check_derivatives(*map, 3, random_values(names.size(), 8));
}

TEST(FfdMap, SaysWhatIsWrong) {
  const auto points = points_in_box(2, 3);
  const auto make = [&](const std::array<int, 3>& counts, const FfdOptions& options) {
    return make_ffd_map(points, 2, low, high, counts, options);
  };
  EXPECT_THROW(make_ffd_map(points, 2, high, low, {2, 2, 1}), std::invalid_argument);
  EXPECT_THROW(make({0, 2, 1}, {}), std::invalid_argument);
  FfdOptions elsewhere, frozen, none;
  elsewhere.symmetry = {0, 0.3};
  frozen.frozen_layers[0] = {2, 2};
  none.components = {};
  EXPECT_THROW(make({4, 2, 1}, elsewhere), std::invalid_argument);
  EXPECT_THROW(make({4, 2, 1}, frozen), std::invalid_argument);
  EXPECT_THROW(make({1, 2, 1}, frozen), std::invalid_argument);
  EXPECT_THROW(make({4, 2, 1}, none), std::invalid_argument);
}

}  // namespace
}  // namespace invar
