#include "libfem/mesh/wall_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar::wall_distances {
namespace {

using Array = std::vector<double>;

Mesh warped(Mesh mesh, const std::function<void(double*)>& map) {
  for (int n = 0; n < mesh.node_total(); ++n) map(&mesh.coordinates[std::size_t(n) * mesh.dim]);
  return mesh;
}

/// Blocks whose walls bulge to both sides; walls left and bottom (and back) meet in a concave corner, seen from inside,
/// and the top face bulges into the block.
Mesh bulging(Shape shape, int order) {
  if (dimension_of(shape) == 2)
    return warped(make_rectangle(0, 0, 1, 1, 4, 5, shape, order), [](double* x) {
      const double a = x[0], b = x[1];
      x[0] = a + 0.13 * std::sin(4.1 * b + 0.3) * (1 - a);
      x[1] = b + 0.11 * std::sin(5.3 * a + 0.7) * (1 - b) + 0.03 * a;
    });
  return warped(make_box({0, 0, 0}, {1, 1, 1}, {3, 3, 2}, shape, order), [](double* x) {
    const double a = x[0], b = x[1], c = x[2];
    x[0] = a + 0.11 * std::sin(3.1 * b + 1.3 * c) * (1 - a);
    x[1] = b + 0.09 * std::cos(3.7 * a - 1.1 * c) * (1 - b);
    x[2] = c + 0.10 * std::sin(2.8 * a + 2.2 * b + 0.5) * (1 - 0.7 * c);
  });
}
std::vector<std::string> walls(int dim) {
  return dim == 2 ? std::vector<std::string>{"left", "bottom"} : std::vector<std::string>{"left", "bottom", "back"};
}

double sum(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}
double dot(const Array& a, const Array& b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return sum(s);
}
double largest_difference(const Array& a, const Array& b, int n) {
  double most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}
/// Between −1 and 1, the same for a node on every rank.
Array random(const Mesh& mesh, int components, double seed) {
  Array a;
  for (int n = 0; n < mesh.node_total(); ++n)
    for (int i = 0; i < components; ++i)
      a.push_back(std::sin(12.9898 * (double(mesh.original_node[n]) + seed) + 78.233 * (i + 1) * seed));
  return a;
}

/// Least distance to points of the facets of a serial mesh: lattices that close in on the best point, of every facet.
double by_brute_force(const Mesh& mesh, const std::vector<std::string>& regions, const double* point) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& name : regions)
    for (std::size_t b = 0; b < mesh.facets.size(); ++b) {
      const CellBlock& block = mesh.facets[b];
      const int m = mesh.dim - 1, n = node_count(block.type);
      const bool triangle = block.type.shape == Shape::triangle;
      for (const int e : mesh.find_region(name)->members[b]) {
        double centre[2] = {0.5, m == 2 ? 0.5 : 0.0}, size = 0.5, best = std::numeric_limits<double>::infinity();
        for (int level = 0; level < 14; ++level, size *= 0.4) {
          const double at[2] = {centre[0], centre[1]};
          const int half = level == 0 ? 8 : 4;
          for (int i = -half; i <= half; ++i)
            for (int j = m == 2 ? -half : 0; j <= (m == 2 ? half : 0); ++j) {
              double xi[2] = {std::clamp(at[0] + size * i / half, 0.0, 1.0), std::clamp(at[1] + size * j / half, 0.0, 1.0)};
              if (const double over = xi[0] + xi[1] - 1; triangle && over > 0) {
                xi[0] = std::clamp(xi[0] - over / 2, 0.0, 1.0);
                xi[1] = std::min(xi[1], 1 - xi[0]);
              }
              double N[9], square = 0;
              shape_values(block.type, xi, N);
              for (int d = 0; d < mesh.dim; ++d) {
                double r = point[d];
                for (int a = 0; a < n; ++a) r -= N[a] * mesh.coordinates[std::size_t(block.nodes[std::size_t(e) * n + a]) * mesh.dim + d];
                square += r * r;
              }
              if (square < best) best = square, centre[0] = xi[0], centre[1] = xi[1];
            }
        }
        least = std::min(least, std::sqrt(best));
      }
    }
  return least;
}

class OnMesh : public testing::TestWithParam<CellType> {
 protected:
  OnMesh()
      : serial(bulging(GetParam().shape, GetParam().order)),
        mesh(std::make_shared<const Mesh>(distribute(serial, MPI_COMM_WORLD))),
        distance(mesh, walls(mesh->dim)) {}
  Array moved(double h, const Array& x_dot) const {
    Array x = mesh->coordinates;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * x_dot[i];
    return x;
  }
  /// Central difference of sixth order of f() at coordinates moved by ±k h.
  Array difference(const Array& x_dot, const std::function<Array(double)>& f) {
    constexpr double h = 1e-5, weights[] = {45, -9, 1};
    Array total;
    for (int k = 1; k <= 3; ++k)
      for (int sign : {1, -1}) {
        distance.move(moved(sign * k * h, x_dot));
        const Array y = f(sign * k * h);
        total.resize(y.size(), 0.0);
        for (std::size_t i = 0; i < y.size(); ++i) total[i] += sign * weights[k - 1] * y[i] / (60 * h);
      }
    distance.move(mesh->coordinates);
    return total;
  }
  Array vjp(const Array& bar) const {
    Array x_bar(mesh->coordinates.size(), 0.0);
    distance.vjp(bar.data(), x_bar.data());
    return x_bar;
  }

  Mesh serial;
  std::shared_ptr<const Mesh> mesh;
  WallDistance distance;
};

TEST_P(OnMesh, IsTheLeastOfAllDistances) {
  for (const double size : {0.0, 0.02}) {  // as given, and with rough facets
    const Array x = moved(size, random(*mesh, mesh->dim, 3.1)), rough = random(serial, serial.dim, 3.1);
    Mesh whole = serial;
    for (std::size_t i = 0; i < rough.size(); ++i) whole.coordinates[i] += size * rough[i];
    distance.move(x);
    for (int n = 0; n < mesh->n_owned_nodes; ++n)
      EXPECT_NEAR(distance.values()[n], by_brute_force(whole, walls(mesh->dim), &x[std::size_t(n) * mesh->dim]), 1e-8)
          << "node " << mesh->original_node[n];
  }
}

TEST_P(OnMesh, DerivativesAgreeWithDifferencesAndEachOther) {
  const int owned = mesh->n_owned_nodes, dim = mesh->dim;
  const Array x_dot = random(*mesh, dim, 0.71), bar = random(*mesh, 1, 1.93), bar_dot = random(*mesh, 1, 2.71);
  Array d_dot(mesh->node_total());
  distance.jvp(x_dot.data(), d_dot.data());
  EXPECT_LT(largest_difference(d_dot, difference(x_dot, [&](double) { return distance.values(); }), mesh->node_total()), 1e-9);

  const Array x_bar = vjp(bar);
  EXPECT_NEAR(dot(x_bar, x_dot, owned * dim), dot(bar, d_dot, owned), 1e-12);

  Array x_bar_dot(mesh->coordinates.size(), 0.0);
  distance.vjp_tangent(x_dot.data(), bar.data(), bar_dot.data(), x_bar_dot.data());
  const Array expected = difference(x_dot, [&](double h) {
    Array b = bar;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += h * bar_dot[i];
    return vjp(b);
  });
  double size = 0;
  for (const double v : expected) size = std::max(size, std::abs(v));
  EXPECT_GT(sum(size), 1e-2);
  EXPECT_LT(largest_difference(x_bar_dot, expected, owned * dim), 1e-8 * std::max(1.0, sum(size)));

  // Second derivatives are symmetric: (ẏ, d″[ẋ]) = (ẋ, d″[ẏ]).
  const Array y_dot = random(*mesh, dim, 5.5), none(bar.size(), 0.0);
  Array from_x(x_bar.size(), 0.0), from_y(x_bar.size(), 0.0);
  distance.vjp_tangent(x_dot.data(), bar.data(), none.data(), from_x.data());
  distance.vjp_tangent(y_dot.data(), bar.data(), none.data(), from_y.data());
  EXPECT_NEAR(dot(from_x, y_dot, owned * dim), dot(from_y, x_dot, owned * dim), 1e-11 * std::max(1.0, sum(size)));
}

// On a mesh of which every rank holds the walls.
TEST_P(OnMesh, SensitivitiesAreTheDerivative) {
  const auto held = std::make_shared<const Mesh>(distribute(serial, MPI_COMM_WORLD, {}, walls(serial.dim)));
  const WallDistance from_held(held, walls(held->dim));
  const std::vector<char> all(held->node_total(), 1), of_mesh(mesh->node_total(), 1);
  EXPECT_TRUE(from_held.holds_all(all));
  int ranks = 1, complete = distance.holds_all(of_mesh);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  EXPECT_EQ(complete, ranks == 1);
  const Array x_dot = random(*held, held->dim, 0.71);
  Array d_dot(held->node_total()), sums(held->node_total(), 0.0);
  from_held.jvp(x_dot.data(), d_dot.data());
  std::vector<WallDistance::Sensitivity> of_node;
  for (int n = 0; n < held->node_total(); ++n) {
    of_node.clear();
    from_held.add_sensitivities(n, of_node);
    for (const WallDistance::Sensitivity& s : of_node)
      for (int i = 0; i < held->dim; ++i) sums[n] += s.by[i] * x_dot[std::size_t(s.node) * held->dim + i];
  }
  EXPECT_LT(largest_difference(sums, d_dot, held->node_total()), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(WallDistance, OnMesh,
                         testing::Values(CellType{Shape::triangle, 1}, CellType{Shape::triangle, 2},
                                         CellType{Shape::quadrilateral, 1}, CellType{Shape::quadrilateral, 2},
                                         CellType{Shape::tetrahedron, 1}, CellType{Shape::tetrahedron, 2},
                                         CellType{Shape::hexahedron, 1}, CellType{Shape::hexahedron, 2}),
                         [](const auto& info) { return std::string(name_of(info.param.shape)) + std::to_string(info.param.order); });

/// Largest |d − exact(x)| over the nodes.
double error(const Mesh& serial, const std::vector<std::string>& regions, const std::function<double(const double*)>& exact) {
  const auto mesh = std::make_shared<const Mesh>(distribute(serial, MPI_COMM_WORLD));
  const WallDistance distance(mesh, regions);
  Array expected;
  for (int n = 0; n < mesh->node_total(); ++n) expected.push_back(exact(&mesh->coordinates[std::size_t(n) * mesh->dim]));
  return largest_difference(distance.values(), expected, mesh->node_total());
}

TEST(WallDistance, OfPlanesIsExact) {
  EXPECT_LT(error(make_rectangle(0, 0, 3, 2, 5, 4, Shape::triangle, 2), {"bottom", "left"},
                  [](const double* x) { return std::min(x[0], x[1]); }), 1e-14);
  EXPECT_LT(error(make_box({0, 0, 0}, {3, 2, 1}, {3, 4, 3}, Shape::tetrahedron), {"bottom", "left", "front"},
                  [](const double* x) { return std::min({x[0], x[1], 1 - x[2]}); }), 1e-14);
}

// Above vertices of a flat wall a point must not hold on to the vertex: along the wall d″ vanishes.
TEST(WallDistance, AboveVerticesOfAFlatWallHasNoCurvature) {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral), MPI_COMM_WORLD));
  const WallDistance distance(mesh, {"bottom"});
  Array x_dot(mesh->coordinates.size(), 0.0);
  for (int n = 0; n < mesh->node_total(); ++n)
    if (mesh->coordinates[2 * n + 1] > 0.1) x_dot[2 * n] = 1;
  const Array bar(mesh->node_total(), 1.0), none(mesh->node_total(), 0.0);
  Array x_bar_dot(x_dot.size(), 0.0);
  distance.vjp_tangent(x_dot.data(), bar.data(), none.data(), x_bar_dot.data());
  for (int n = 0; n < mesh->n_owned_nodes; ++n) EXPECT_NEAR(mesh->coordinates[2 * n + 1] > 0.1 ? x_bar_dot[2 * n] : 0, 0, 1e-13);
}

// Nodes are not above nodes of the wall, where the facets touch the circle or the sphere.
TEST(WallDistance, OfCirclesAndSpheresConvergesAsTheirFacetsDo) {
  const auto circle = [](int n) {
    return error(warped(make_rectangle(0, 0, 1, 1, 3, n, Shape::triangle, 2), [](double* x) {
                   const double r = 1 + x[0], t = 1.5 * x[1] * (1 - 0.2 * x[0]);
                   x[0] = r * std::cos(t), x[1] = r * std::sin(t);
                 }), {"left"}, [](const double* x) { return std::hypot(x[0], x[1]) - 1; });
  };
  const double coarse = circle(4), fine = circle(8);
  EXPECT_GT(std::log2(coarse / fine), 2.9);
  EXPECT_LT(fine, 1e-4);
  const auto sphere = [](int n) {
    return error(warped(make_box({-0.5, -0.5, 0}, {0.5, 0.5, 1}, {n, n, 2}, Shape::tetrahedron, 2), [](double* x) {
                   for (int i : {0, 1}) x[i] *= 1 - 0.2 * x[2];
                   const double size = std::hypot(x[0], x[1], 1.0), r = 1 + x[2];
                   x[0] *= r / size, x[1] *= r / size, x[2] = r / size;
                 }), {"back"}, [](const double* x) { return std::hypot(x[0], x[1], x[2]) - 1; });
  };
  const double coarse_sphere = sphere(3), fine_sphere = sphere(6);
  EXPECT_GT(std::log2(coarse_sphere / fine_sphere), 2.7);
  EXPECT_LT(fine_sphere, 1e-3);
}

TEST(WallDistance, OfCoordinatesThatAreNotFiniteIsNoNumber) {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 4, 4, Shape::triangle, 2), MPI_COMM_WORLD));
  WallDistance distance(mesh, {"bottom"});
  for (const bool wall : {false, true}) {
    Array x = mesh->coordinates;
    for (int n = 0; n < mesh->node_total(); ++n)
      if ((x[2 * n + 1] < 0.01) == wall) x[2 * n] = std::nan("");
    distance.move(x);
    for (int n = 0; n < mesh->n_owned_nodes; ++n)
      EXPECT_EQ(std::isnan(distance.values()[n]), wall || mesh->coordinates[2 * n + 1] > 0.01);
  }
}

TEST(WallDistance, RefusesWhatIsNoWall) {
  const auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, 4, 4, Shape::triangle), MPI_COMM_WORLD));
  const auto message = [&](const std::vector<std::string>& regions) -> std::string {
    try {
      WallDistance distance(mesh, regions);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message({"roof"}).find("no region 'roof'"), std::string::npos);
  EXPECT_NE(message({"body"}).find("'body' is not a part of the boundary"), std::string::npos);
  EXPECT_NE(message({}).find("no facets"), std::string::npos);
}

}  // namespace
}  // namespace invar::wall_distances
