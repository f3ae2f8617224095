#include "libfem/contact/surface_measure.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "libfem/contact/facet_lattice.hpp"
#include "tests/unit/contact/scenes.hpp"

namespace invar {
namespace {

using test::ContactScene;
using test::Random;

TEST(LatticeWeights, AreNonNegativeAndIntegrateTheShapeFunctions) {
  for (const Shape shape : {Shape::segment, Shape::triangle, Shape::quadrilateral})
    for (const int order : {1, 2})
      for (int n = order; n <= 16; ++n) {
        const auto points = lattice_points(shape, n);
        const std::vector<double> weights = lattice_weights({shape, order}, n);
        // Moments of the space of shape functions, on paper: ∫ x^a y^b = a! b!/(a + b + 2)! on the triangle.
        for (int a = 0; a <= order; ++a)
          for (int b = 0; b <= (shape == Shape::segment ? 0 : shape == Shape::triangle ? order - a : order); ++b) {
            double sum = 0;
            for (std::size_t k = 0; k < points.size(); ++k)
              sum += weights[k] * std::pow(points[k][0], a) * std::pow(points[k][1], b);
            const double exact = shape == Shape::triangle
                                     ? std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 3)
                                     : 1.0 / ((a + 1) * (b + 1));
            EXPECT_NEAR(sum, exact, 1e-14) << name_of(shape) << order << " " << n;
          }
        for (double w : weights) EXPECT_GE(w, 0);
      }
}

TEST(LatticeWeights, AreTheClassicalOnes) {
  const std::vector<double> simpson = lattice_weights({Shape::segment, 2}, 2),
                            trapezoid = lattice_weights({Shape::segment, 1}, 4);
  const double expected[] = {1.0 / 6, 2.0 / 3, 1.0 / 6}, linear[] = {0.125, 0.25, 0.25, 0.25, 0.125};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simpson[k], expected[k], 1e-15);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(trapezoid[k], linear[k], 1e-15);
}

double sum_of_samples(const ContactSurface& surface, const std::vector<double>& w) {
  return std::accumulate(w.begin(), w.begin() + surface.n_samples, 0.0);
}

TEST(SurfaceMeasure, HasTheMomentsOfStraightFacets) {
  // Second-order facets on an affine patch: integrals of quadratic functions are exact.
  const auto place = [](double x, double y) { return std::array{1 + 2 * x + y, x - y, 0.5 * x + 3 * y}; };
  const double area = norm(cross(Vector<double, 3>{2, 1, 0.5}, Vector<double, 3>{1, -1, 3}));
  for (const CellType type : {CellType{Shape::triangle, 2}, CellType{Shape::quadrilateral, 2}}) {
    ContactScene patch(3);
    test::add_patch(patch, 0, 2, 3, type, place);
    const ContactSurface surface = patch.surface({3, 3});
    const SurfaceMeasure measure(surface);
    std::vector<double> w(measure.size());
    measure.values(patch.X.data(), w.data());
    const SurfacePosition at = surface.position(patch.X.data(), nullptr);
    double first = 0, second = 0;
    for (int s = 0; s < surface.n_samples; ++s) first += w[s] * at.X[3 * s], second += w[s] * at.X[3 * s] * at.X[3 * s];
    EXPECT_NEAR(sum_of_samples(surface, w), area, 1e-13 * area);
    EXPECT_NEAR(first, area * 2.5, 1e-13 * area);
    EXPECT_NEAR(second, area * (2.5 * 2.5 + 4.0 / 12 + 1.0 / 12), 1e-12 * area);
    // Thirds of pieces.
    for (int e = 0; e < surface.n_edges(); ++e) {
      const int pieces = surface.edge_piece_begin[e + 1] - surface.edge_piece_begin[e];
      EXPECT_NEAR(w[surface.n_samples + e], pieces * area / surface.n_pieces() / 3, 1e-13);
    }
  }
}

TEST(SurfaceMeasure, ConvergesToCurvedLengthsAndAreas) {
  const auto length = [](int n) {  // y = x², 0 ≤ x ≤ 1: second-order facets have it exactly
    ContactScene curve(2);
    test::add_curve(curve, 0, 2, 2, false, [](double xi) { return std::array{xi, xi * xi}; });
    const ContactSurface surface = curve.surface({n, 1});
    const SurfaceMeasure measure(surface);
    std::vector<double> w(measure.size());
    measure.values(curve.X.data(), w.data());
    return sum_of_samples(surface, w);
  };
  const double exact = std::sqrt(5.0) / 2 + std::asinh(2.0) / 4;
  EXPECT_NEAR(length(2), exact, 3e-4);
  EXPECT_NEAR(length(8), exact, 3e-6);
  EXPECT_NEAR(length(32), exact, 2e-7);

  const auto area = [](int n) {  // z = (x² + y²)/2 over the unit square
    ContactScene patch(3);
    test::add_patch(patch, 0, 2, 2, {Shape::triangle, 2}, [](double x, double y) {
      return std::array{x, y, (x * x + y * y) / 2};
    });
    const ContactSurface surface = patch.surface({n, 1});
    const SurfaceMeasure measure(surface);
    std::vector<double> w(measure.size());
    measure.values(patch.X.data(), w.data());
    return sum_of_samples(surface, w);
  };
  // ∫∫ √(1 + x² + y²) over the unit square
  const double exact_area =
      std::sqrt(3.0) / 3 + (2.0 / 3) * std::log((1 + std::sqrt(3.0)) / std::sqrt(2.0)) * 2 - std::numbers::pi / 18;
  EXPECT_NEAR(area(2), exact_area, 1e-4);
  EXPECT_NEAR(area(8), exact_area, 3e-7);
}

TEST(SurfaceMeasure, TurnsAroundTheAxis) {
  ContactScene cone(2);  // frustum: π (r₁ + r₂) slant height
  test::add_curve(cone, 0, 3, 1, false, test::through({{0.5, 0}, {2, 2}}));
  const ContactSurface surface = cone.surface({4, 1});
  const SurfaceMeasure measure(surface, true);
  std::vector<double> w(measure.size());
  measure.values(cone.X.data(), w.data());
  EXPECT_NEAR(sum_of_samples(surface, w), std::numbers::pi * 2.5 * 2.5, 1e-13);
}

struct MeasureCase {
  int dim;
  CellType type;
  bool axisymmetric;
};
class MeasureDerivatives : public testing::TestWithParam<MeasureCase> {};
INSTANTIATE_TEST_SUITE_P(Facets, MeasureDerivatives,
                         testing::Values(MeasureCase{2, {Shape::segment, 1}, false},
                                         MeasureCase{2, {Shape::segment, 2}, true},
                                         MeasureCase{3, {Shape::triangle, 1}, false},
                                         MeasureCase{3, {Shape::triangle, 2}, false},
                                         MeasureCase{3, {Shape::quadrilateral, 1}, false},
                                         MeasureCase{3, {Shape::quadrilateral, 2}, false}));

TEST_P(MeasureDerivatives, AreThoseOfDifferences) {
  const MeasureCase c = GetParam();
  Random random(9);
  ContactScene scene(c.dim);
  if (c.dim == 2)
    test::add_curve(scene, 0, 4, c.type.order, false, [&](double xi) { return std::array{0.5 + xi, 0.2 * random()}; });
  else
    test::add_patch(scene, 0, 2, 2, c.type, [&](double x, double y) { return std::array{x, y, 0.2 * random()}; });
  const ContactSurface surface = scene.surface({3, 3});
  const SurfaceMeasure measure(surface, c.axisymmetric);
  const std::size_t n = scene.X.size(), m = measure.size();
  std::vector<double> way(n), w_bar(m), w_bar_dot(m);
  for (double& x : way) x = random();
  for (double& x : w_bar) x = random();
  for (double& x : w_bar_dot) x = random();
  const auto shifted = [&](double h) {
    std::vector<double> X = scene.X;
    for (std::size_t i = 0; i < n; ++i) X[i] += h * way[i];
    return X;
  };
  const double h = 1e-5;
  std::vector<double> plus(m), minus(m), w_dot(m);
  measure.values(shifted(h).data(), plus.data()), measure.values(shifted(-h).data(), minus.data());
  measure.jvp(scene.X.data(), way.data(), w_dot.data());
  for (std::size_t i = 0; i < m; ++i)
    EXPECT_NEAR(w_dot[i], (plus[i] - minus[i]) / (2 * h), 1e-8 * std::max(1.0, std::abs(w_dot[i])));

  std::vector<double> X_bar(n, 0);
  measure.vjp(scene.X.data(), w_bar.data(), X_bar.data());
  EXPECT_NEAR(std::inner_product(X_bar.begin(), X_bar.end(), way.begin(), 0.0),
              std::inner_product(w_bar.begin(), w_bar.end(), w_dot.begin(), 0.0), 1e-12);

  const auto bars = [&](double at) {
    std::vector<double> seeds = w_bar, result(n, 0);
    for (std::size_t i = 0; i < m; ++i) seeds[i] += at * w_bar_dot[i];
    measure.vjp(shifted(at).data(), seeds.data(), result.data());
    return result;
  };
  const std::vector<double> after = bars(h), before = bars(-h);
  std::vector<double> X_bar_dot(n, 0);
  measure.vjp_tangent(scene.X.data(), way.data(), w_bar.data(), w_bar_dot.data(), X_bar_dot.data());
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(X_bar_dot[i], (after[i] - before[i]) / (2 * h), 1e-7 * std::max(1.0, std::abs(X_bar_dot[i])));
}

}  // namespace
}  // namespace invar
