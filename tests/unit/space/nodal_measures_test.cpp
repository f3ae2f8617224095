// Integrals of shape functions over regions that move: closed forms, derivatives against differences and each other.
#include "libfem/space/nodal_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libfem/mesh/boxes.hpp"

namespace invar {
namespace {

/// Every node moves a little, each elsewhere.
std::vector<double> uneven(std::size_t n, double phase) {
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(0.05 * std::sin(phase + 2.3 * double(i)));
  return all;
}
std::vector<double> moved(std::vector<double> x, const std::vector<double>& by, double h) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * by[i];
  return x;
}
double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void expect_exact(const Mesh& mesh, const std::string& region, bool around_axis) {
  SCOPED_TRACE(region);
  const NodalMeasures of(mesh, *mesh.find_region(region), around_axis);
  const std::vector<double> x = moved(mesh.coordinates, uneven(mesh.coordinates.size(), 0.4), 1), x_dot = uneven(x.size(), 1.9), bar = uneven(mesh.node_total(), 0.7);
  const auto quotient = [](auto value) {  // of fourth order
    constexpr double h = 2e-3;
    std::vector<double> all = value(h);
    const std::vector<double> behind = value(-h), far = value(2 * h), far_behind = value(-2 * h);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = (8 * (all[k] - behind[k]) - (far[k] - far_behind[k])) / (12 * h);
    return all;
  };
  const auto gradient = [&](const std::vector<double>& at) {
    std::vector<double> g(at.size(), 0.0);
    of.add_gradient(at, bar, g);
    return g;
  };
  const std::vector<double> rates = of.rates(x, x_dot), by_values = quotient([&](double h) { return of.values(moved(x, x_dot, h)); });
  double size = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) size = std::max(size, std::abs(rates[k]));
  EXPECT_GT(size, 1e-4);
  for (std::size_t k = 0; k < rates.size(); ++k) EXPECT_NEAR(rates[k], by_values[k], 1e-9 * size);
  EXPECT_NEAR(product(gradient(x), x_dot), product(bar, rates), 1e-15);
  std::vector<double> g_dot(x.size(), 0.0);
  of.add_gradient_rate(x, x_dot, bar, g_dot);
  const std::vector<double> by_gradients = quotient([&](double h) { return gradient(moved(x, x_dot, h)); });
  for (std::size_t k = 0; k < g_dot.size(); ++k) EXPECT_NEAR(g_dot[k], by_gradients[k], 1e-8 * size);
}

TEST(NodalMeasures, DerivativesAreExact) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
    for (const bool around_axis : {false, true}) {
      const Mesh mesh = make_rectangle(0.3, 0, 1.5, 1, 2, 2, shape, 2);
      expect_exact(mesh, "right", around_axis);
      expect_exact(mesh, "body", around_axis);
    }
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh mesh = make_box({0, 0, 0}, {1, 1.2, 0.8}, {1, 1, 1}, shape, 2);
    expect_exact(mesh, "top", false);
    expect_exact(mesh, "body", false);
  }
}

// A line of two cells, of lengths 0.3 and 0.7, and the ring between radii of 1 and 3.
TEST(NodalMeasures, OfALineAndOfAnAnnulus) {
  Mesh mesh = make_rectangle(1, 0, 3, 1, 1, 2, Shape::quadrilateral);
  for (int node = 0; node < mesh.node_total(); ++node)
    if (double& y = mesh.coordinates[2 * node + 1]; y == 0.5) y = 0.3;
  const std::vector<double> line = NodalMeasures(mesh, *mesh.find_region("left"), false).values(mesh.coordinates);
  const std::vector<double> annulus = NodalMeasures(mesh, *mesh.find_region("bottom"), true).values(mesh.coordinates);
  for (int node = 0; node < mesh.node_total(); ++node) {
    const double x = mesh.coordinates[2 * node], y = mesh.coordinates[2 * node + 1];
    EXPECT_NEAR(line[node], x > 1 ? 0 : y == 0 ? 0.15 : y == 1 ? 0.35 : 0.5, 1e-14);
    // ∫₁³ 2π r N dr with N = (3 − r)/2 and (r − 1)/2
    EXPECT_NEAR(annulus[node], y > 0 ? 0 : 2 * std::numbers::pi * (x == 1 ? 5.0 / 3 : 7.0 / 3), 1e-13);
  }
}

}  // namespace
}  // namespace invar
