// A normal distribution of fields: its variance in free space and at walls, its correlation, its transpose, and that ranks do not matter.
#include "libfem/design/field/bilaplacian_prior.hpp"

#include "libfem/mesh/boxes.hpp"
#include "tests/unit/design/density_problem.hpp"
#include "tests/unit/design/map_checks.hpp"

namespace invar::priors {
namespace {

using test::DensityMesh;

/// The largest relative error of the variance in cells whose distance from the walls of the unit box is more (or less) than `near`.
double variance_error(const DensityMesh& m, const std::vector<double>& variance, double wanted, double near, bool within) {
  double most = 0;
  for (std::size_t c = 0; c < variance.size(); ++c) {
    double distance = INFINITY;
    for (int i = 0; i < m.mesh->dim; ++i)
      distance = std::min({distance, m.middle(static_cast<int>(c), i), 1 - m.middle(static_cast<int>(c), i)});
    if (m.owned[c] && (distance > near) == within) most = std::max(most, std::abs(variance[c] / wanted - 1));
  }
  return most;
}

/// Of a mesh on one rank, whose cells stand in an order of their own.
std::vector<double> in_file_order(const DensityMesh& m, const std::vector<double>& values) {
  std::vector<double> ordered(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) ordered[m.original[c]] = values[c];
  return ordered;
}

// Six cells on a correlation length: the formula of free space away from the walls, Robin's condition at them. Without it the variance
// would be twice (at corners four times) as large there.
TEST(BilaplacianPrior, HasTheVarianceThatIsAskedFor) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 30, 30, Shape::quadrilateral));
  BilaplacianPrior prior(m.mesh, "", 0.7, 0.2);
  std::vector<double> variance;
  ASSERT_TRUE(prior.variance(variance).ok);
  EXPECT_LT(variance_error(m, variance, 0.49, 0.2, true), 0.05);
  EXPECT_LT(variance_error(m, variance, 0.49, 0.2, false), 0.25);
}

// From random fields: 63 of them leave √(2/63) in each cell, five times that at worst.
TEST(BilaplacianPrior, LargeFieldsAreSampled) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 8, 8, Shape::quadrilateral));
  BilaplacianPrior prior(m.mesh, "", 2, 0.5);
  std::vector<double> exact, sampled;
  ASSERT_TRUE(prior.variance(exact).ok);
  ASSERT_TRUE(prior.variance(sampled, 63).ok);
  EXPECT_LT(m.largest([&](int c) { return sampled[c] / exact[c] - 1; }), 5 * std::sqrt(2.0 / 63));
}

TEST(BilaplacianPrior, HasTheVarianceInSpaceToo) {
  const DensityMesh m(make_box({0, 0, 0}, {1, 1, 1}, {12, 12, 12}, Shape::hexahedron));
  BilaplacianPrior prior(m.mesh, "", 0.3, 0.4);  // five cells on its length
  std::vector<double> variance;
  ASSERT_TRUE(prior.variance(variance).ok);
  EXPECT_LT(variance_error(m, variance, 0.09, 0.35, true), 0.25);
}

// Matérn's correlation with ν = 1 at the distance ℓ: x K₁(x) with x = √8, which is 0.139.
TEST(BilaplacianPrior, IsCorrelatedOverItsLength) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 60, 60, Shape::quadrilateral));
  BilaplacianPrior prior(m.mesh, "", 1, 0.2);
  const auto cell_at = [&](double x, double y) {
    for (std::size_t c = 0; c < m.owned.size(); ++c)
      if (m.owned[c] && std::abs(m.middle(static_cast<int>(c), 0) - x) < 1e-9 && std::abs(m.middle(static_cast<int>(c), 1) - y) < 1e-9)
        return static_cast<int>(c);
    return -1;
  };
  const int here = cell_at(24.5 / 60, 30.5 / 60), there = cell_at(36.5 / 60, 30.5 / 60);
  std::vector<double> unit(m.owned.size(), 0.0), xi, q;
  if (here >= 0) unit[here] = 1;
  ASSERT_TRUE(prior.vjp(unit, xi).ok);
  ASSERT_TRUE(prior.apply(xi, q).ok);
  double covariance[2] = {there >= 0 ? q[there] : 0, here >= 0 ? q[here] : 0};
  MPI_Allreduce(MPI_IN_PLACE, covariance, 2, MPI_DOUBLE, MPI_SUM, m.mesh->comm);
  const double x = std::sqrt(8.0);
  EXPECT_NEAR(covariance[0] / covariance[1], x * std::cyl_bessel_k(1, x), 0.01);
}

TEST(BilaplacianPrior, TransposesAndKnowsNoRanks) {
  for (const Mesh& serial : test::density_meshes()) {
    const DensityMesh m(serial), alone(serial, PETSC_COMM_SELF);
    BilaplacianPrior prior(m.mesh, "", 0.5, 0.8), serial_prior(alone.mesh, "", 0.5, 0.8);
    const auto xi_of = [](const BilaplacianPrior& p, const Mesh& mesh) {
      std::vector<double> xi;
      for (const int node : p.nodes()) xi.push_back(std::sin(0.3 + 1.9 * static_cast<double>(mesh.original_node[node])));
      return xi;
    };
    const std::vector<double> xi = xi_of(prior, *m.mesh);
    std::vector<double> q, q_alone, xi_bar;
    ASSERT_TRUE(prior.apply(xi, q).ok);
    ASSERT_TRUE(serial_prior.apply(xi_of(serial_prior, *alone.mesh), q_alone).ok);
    const std::vector<double> expected = in_file_order(alone, q_alone);
    EXPECT_LT(m.largest([&](int c) { return q[c] - expected[m.original[c]]; }), 1e-10);
    const std::vector<double> q_bar = m.field(0.4);
    ASSERT_TRUE(prior.vjp(q_bar, xi_bar).ok);
    double product = test::dot(xi_bar, xi);
    MPI_Allreduce(MPI_IN_PLACE, &product, 1, MPI_DOUBLE, MPI_SUM, m.mesh->comm);
    EXPECT_NEAR(product, m.sum([&](int c) { return q_bar[c] * q[c]; }), 1e-10);
  }
}

// The field that a design is taken to another mesh by, M^{-1/2} ξ: the same function gives the same q on finer cells.
TEST(BilaplacianPrior, IsTheSameOnFinerCells) {
  std::vector<double> found;
  for (const int n : {20, 40}) {
    const DensityMesh m(make_rectangle(0, 0, 1, 1, n, n, Shape::quadrilateral));
    BilaplacianPrior prior(m.mesh, "", 0.5, 0.4);
    const std::vector<double> roots = prior.roots_of_mass();
    std::vector<double> xi, q;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const double* x = &m.mesh->coordinates[std::size_t(prior.nodes()[i]) * 2];
      xi.push_back(roots[i] * (std::sin(3 * x[0]) + x[1]));
    }
    ASSERT_TRUE(prior.apply(xi, q).ok);
    found.push_back(m.sum([&](int c) {  // the mean over a quarter of the square
      return m.middle(c, 0) < 0.5 && m.middle(c, 1) < 0.5 ? q[c] / (n * n / 4) : 0.0;
    }));
  }
  EXPECT_NEAR(found[0], found[1], 0.005 * std::abs(found[1]));
}

// On a region: zero outside, and its inner border is treated like other boundaries.
TEST(BilaplacianPrior, LivesInARegion) {
  Mesh serial = make_rectangle(0, 0, 2, 1, 40, 20, Shape::quadrilateral);
  Region left{.name = "left_half", .dim = 2, .members = {{}}, .nodes = {}};
  for (int c = 0; c < 800; ++c)
    if (c % 40 < 20) left.members[0].push_back(c);
  serial.regions.push_back(left);
  complete_serial(serial);
  const DensityMesh m(serial), square(make_rectangle(0, 0, 1, 1, 20, 20, Shape::quadrilateral), PETSC_COMM_SELF);
  BilaplacianPrior prior(m.mesh, "left_half", 0.7, 0.3), alone(square.mesh, "", 0.7, 0.3);
  std::vector<double> variance, expected;
  ASSERT_TRUE(prior.variance(variance).ok);
  ASSERT_TRUE(alone.variance(expected).ok);
  expected = in_file_order(square, expected);
  EXPECT_LT(m.largest([&](int c) {
    const long long number = m.original[c];
    return variance[c] - (number % 40 < 20 ? expected[number / 40 * 20 + number % 40] : 0);
  }), 1e-9);
}

TEST(BilaplacianPrior, RefusesWhatMakesNoSense) {
  Mesh serial = make_rectangle(0, 0, 1, 1, 4, 4, Shape::quadrilateral);
  serial.regions.push_back({.name = "nothing", .dim = 2, .members = {{}}, .nodes = {}});
  complete_serial(serial);
  const DensityMesh m(serial);
  EXPECT_THROW(BilaplacianPrior(m.mesh, "", 0, 0.2), std::invalid_argument);
  EXPECT_THROW(BilaplacianPrior(m.mesh, "", 1, -0.2), std::invalid_argument);
  EXPECT_THROW(BilaplacianPrior(m.mesh, "nowhere", 1, 0.2), std::invalid_argument);
  EXPECT_THROW(BilaplacianPrior(m.mesh, "nothing", 1, 0.2), std::invalid_argument);
}

}  // namespace
}  // namespace invar::priors
