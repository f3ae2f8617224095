// The Helmholtz filter: what it keeps, its transpose, the analytic profile of a step, one to three ranks.
#include <algorithm>
#include <numbers>

#include "tests/unit/design/density_problem.hpp"

namespace invar {
namespace {

using test::DensityMesh;

/// Of a large mesh a polynomial takes the place of factors.
LinearSolverOptions as_if(bool large) {
  LinearSolverOptions o{.rtol = 1e-12, .prefix = "filter_"};
  if (large) o.multigrid_from = 0;
  return o;
}

TEST(DensityFilter, KeepsConstantsIntegralsAndIsSelfAdjoint) {
  for (const Mesh& serial : test::density_meshes())
    for (const auto& [axisymmetric, large] : {std::pair{false, false}, std::pair{true, false}, std::pair{false, true}, std::pair{true, true}}) {
      if (axisymmetric && serial.dim == 3) continue;
      SCOPED_TRACE(std::string(name_of(serial.cells[0].type.shape)) + (axisymmetric ? ", axisymmetric" : "") + (large ? ", large" : ""));
      const DensityMesh m(serial);
      HelmholtzFilter filter(m.mesh, 0.6, axisymmetric, HelmholtzFilter::Mass::lumped, as_if(large));
      ASSERT_EQ(filter.cell_count(), static_cast<int>(m.owned.size()));
      const std::vector<double>& V = filter.volumes();
      std::vector<double> out;
      ASSERT_TRUE(filter.apply(std::vector<double>(m.owned.size(), 0.7), out).ok);
      for (double v : out) EXPECT_NEAR(v, 0.7, 1e-13);

      const std::vector<double> a = m.field(0.3), b = m.field(1.9);
      std::vector<double> fa, fb, transposed;
      ASSERT_TRUE(filter.apply(a, fa).ok && filter.apply(b, fb).ok && filter.vjp(b, transposed).ok);
      const double volume = m.sum([&](int c) { return V[c]; });
      const double before = m.sum([&](int c) { return V[c] * a[c]; });
      EXPECT_NEAR(m.sum([&](int c) { return V[c] * fa[c]; }), before, 1e-13 * volume);
      const double product = m.sum([&](int c) { return V[c] * fa[c] * b[c]; });
      EXPECT_NEAR(m.sum([&](int c) { return V[c] * a[c] * fb[c]; }), product, 1e-13 * volume);
      // It does something.
      EXPECT_GT(std::abs(product - m.sum([&](int c) { return V[c] * a[c] * b[c]; })), 1e-4 * volume);
      const double forward = m.sum([&](int c) { return fa[c] * b[c]; });
      EXPECT_NEAR(m.sum([&](int c) { return transposed[c] * a[c]; }), forward, 1e-12);
    }
}

// The polynomial is the inverse to 1e-8, on bent cells and where rows repeat; and it is one map: what it does to a sum is the sum of
// what it does, to round-off.
TEST(DensityFilter, OfALargeMeshIsThatOfFactors) {
  std::vector<Mesh> meshes = test::density_meshes();
  meshes.push_back(make_box({0, 0, 0}, {1, 1, 1}, {9, 8, 7}, Shape::hexahedron));
  for (const Mesh& serial : meshes) {
    SCOPED_TRACE(name_of(serial.cells[0].type.shape));
    const DensityMesh m(serial);
    for (const double radius : {0.2, 1.0}) {
      HelmholtzFilter factored(m.mesh, radius, false), polynomial(m.mesh, radius, false, HelmholtzFilter::Mass::lumped, as_if(true));
      std::vector<double> a = m.field(0.3), b = m.field(1.9), both, exact, fa, fb, f_both;
      for (std::size_t c = 0; c < a.size(); ++c) both.push_back(a[c] + 3 * b[c]);
      ASSERT_TRUE(factored.apply(a, exact).ok && polynomial.apply(a, fa).ok && polynomial.apply(b, fb).ok && polynomial.apply(both, f_both).ok);
      EXPECT_LT(m.largest([&](int c) { return fa[c] - exact[c]; }), 1e-8);
      EXPECT_LT(m.largest([&](int c) { return f_both[c] - fa[c] - 3 * fb[c]; }), 1e-14);
      ASSERT_TRUE(factored.vjp(a, exact).ok && polynomial.vjp(a, fa).ok);
      EXPECT_LT(m.largest([&](int c) { return fa[c] - exact[c]; }), 1e-8);
    }
  }
}

TEST(DensityFilter, VolumesAreThoseOfTheBody) {
  const DensityMesh m(test::warped(make_rectangle(0.5, 0, 1.5, 1, 3, 4, Shape::quadrilateral), [](double* x) {
    x[1] += 0.1 * std::sin(std::numbers::pi * x[1]) * x[0];  // the outline stays
  }));
  for (const bool axisymmetric : {false, true}) {
    const HelmholtzFilter filter(m.mesh, 0.3, axisymmetric);
    EXPECT_NEAR(m.sum([&](int c) { return filter.volumes()[c]; }), axisymmetric ? 2 * std::numbers::pi : 1, 1e-13);
  }
}

// ρ = 1 for x < s, else 0, on 0 … 1: φ = 1 − A cosh(x/r) and B cosh((1 − x)/r).
double step_mean(double a, double b, double s, double r) {
  const double A = std::sinh((1 - s) / r) / std::sinh(1 / r), B = std::sinh(s / r) / std::sinh(1 / r);
  if (b <= s + 1e-12) return 1 - A * r * (std::sinh(b / r) - std::sinh(a / r)) / (b - a);
  return B * r * (std::sinh((1 - a) / r) - std::sinh((1 - b) / r)) / (b - a);
}

// The error is largest in the cells beside the step, where φ = ½ exp(−|x − s|/r): the mean is taken by the
// trapezoidal rule, which is off by h²/12 φ″ = (h/r)²/24 to leading order.
TEST(DensityFilter, ConvergesToTheProfileOfAStep) {
  const double s = 0.4, R = 0.4, r = R / (2 * std::sqrt(3.0));
  using enum HelmholtzFilter::Mass;
  for (const auto& [shape, order, mass] : {std::tuple{Shape::quadrilateral, 1, lumped}, std::tuple{Shape::quadrilateral, 2, lumped},
                                           std::tuple{Shape::triangle, 1, lumped}, std::tuple{Shape::triangle, 2, lumped},
                                           std::tuple{Shape::quadrilateral, 1, consistent}, std::tuple{Shape::triangle, 1, consistent}}) {
    double before = 0;
    // The consistent mass's error has a term of order 3 that is felt on the coarsest of these.
    for (const int n : mass == lumped ? std::array{40, 80, 160} : std::array{80, 160, 320}) {
      const double h = 1.0 / n;
      const DensityMesh m(make_rectangle(0, 0, 1, 3 * h, n, 3, shape, order));
      HelmholtzFilter filter(m.mesh, R, false, mass);
      std::vector<double> rho, out;
      for (int c = 0; c < filter.cell_count(); ++c) rho.push_back(m.middle(c, 0) < s);
      ASSERT_TRUE(filter.apply(rho, out).ok);
      // The mean over each column of cells: on triangles that of two halves.
      std::vector<double> column(n, 0.0), volume(n, 0.0);
      for (int c = 0; c < filter.cell_count(); ++c)
        if (m.owned[c]) {
          const int i = std::min(n - 1, static_cast<int>(m.middle(c, 0) * n));
          column[i] += filter.volumes()[c] * out[c];
          volume[i] += filter.volumes()[c];
        }
      MPI_Allreduce(MPI_IN_PLACE, column.data(), n, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, volume.data(), n, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      double worst = 0;
      for (int i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(column[i] / volume[i] - step_mean(i * h, (i + 1) * h, s, r)));
      EXPECT_LT(worst, h * h / (24 * r * r)) << n << " cells";
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / worst), 2, 0.1) << n << " cells";
      }
      before = worst;
    }
  }
}

TEST(DensityFilter, StaysBetweenTheExtremesForAnyRadius) {
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle, Shape::hexahedron}) {
    const DensityMesh m(shape == Shape::hexahedron ? make_box({0, 0, 0}, {1, 1, 1}, {6, 6, 6}, shape)
                                                   : make_rectangle(0, 0, 1, 1, 8, 8, shape));
    std::vector<double> rho, out;
    for (long long cell : m.original) rho.push_back(cell % 5 == 0 || cell % 7 == 0);
    for (const double radius : {0.01, 0.05, 0.2, 1.0, 5.0}) {
      HelmholtzFilter filter(m.mesh, radius, false);
      ASSERT_TRUE(filter.apply(rho, out).ok);
      for (double v : out) {
        EXPECT_GE(v, -1e-14) << radius;
        EXPECT_LE(v, 1 + 1e-14) << radius;
      }
    }
  }
}

TEST(DensityFilter, IsTheSameOnAllRanks) {
  for (const Mesh& serial : test::density_meshes())
    for (const bool large : {false, true}) {
      const DensityMesh together(serial), alone(serial, PETSC_COMM_SELF);
      HelmholtzFilter f(together.mesh, 0.5, false, HelmholtzFilter::Mass::lumped, as_if(large)), g(alone.mesh, 0.5, false, HelmholtzFilter::Mass::lumped, as_if(large));
      std::vector<double> a, b, by_original(alone.original.size());
      ASSERT_TRUE(f.apply(together.field(0.4), a).ok && g.apply(alone.field(0.4), b).ok);
      for (std::size_t c = 0; c < b.size(); ++c) by_original[alone.original[c]] = b[c];
      for (std::size_t c = 0; c < a.size(); ++c)  // ghosts too
        EXPECT_NEAR(a[c], by_original[together.original[c]], 1e-13);
    }
}

TEST(DensityFilter, ReportsASolveThatFails) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 20, 20, Shape::quadrilateral));
  HelmholtzFilter iterative(m.mesh, 0.5, false, HelmholtzFilter::Mass::lumped, {.method = "cg_gamg", .rtol = 1e-12, .prefix = "filter_"});
  HelmholtzFilter direct(m.mesh, 0.5, false), hasty(m.mesh, 0.5, false, HelmholtzFilter::Mass::lumped, {.method = "cg_gamg", .rtol = 1e-12,
                                                                         .max_iterations = 1, .prefix = "filter_"});
  std::vector<double> a, b, bar;
  ASSERT_TRUE(direct.apply(m.field(0.1), a).ok && iterative.apply(m.field(0.1), b).ok);
  EXPECT_LT(m.largest([&](int c) { return a[c] - b[c]; }), 1e-10);
  const Evaluation failed = hasty.apply(m.field(0.1), b);
  EXPECT_FALSE(failed.ok);
  EXPECT_NE(failed.reason.find("Helmholtz filter"), std::string::npos) << failed.reason;
  EXPECT_FALSE(hasty.vjp(m.field(0.1), bar).ok);
}

TEST(DensityFilter, RefusesARadiusThatIsNone) {
  const DensityMesh m(make_rectangle(0, 0, 1, 1, 2, 2, Shape::quadrilateral));
  for (const double radius : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(HelmholtzFilter(m.mesh, radius, false), std::invalid_argument);
}

}  // namespace
}  // namespace invar
