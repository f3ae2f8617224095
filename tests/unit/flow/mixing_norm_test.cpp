#include "libfem/objective/mixing_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"

namespace invar::mixing_norms {
namespace {

using std::numbers::pi;

/// Velocity, pressure and a scalar on the unit square.
struct Square {
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  explicit Square(int n, Shape shape = Shape::quadrilateral, MPI_Comm comm = PETSC_COMM_WORLD) {
    auto mesh = std::make_shared<const Mesh>(distribute(make_rectangle(0, 0, 1, 1, n, n, shape, 2), comm));
    dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"u_x", 2}, {"u_y", 2}, {"p", 1}, {"c", 1}}, comm);
    residual = std::make_shared<FormResidual>(dofs, false, false);
    residual->finish();
  }
  MixingNorm norm(double length, bool axisymmetric = false) const { return {residual, 3, "", length, axisymmetric}; }
  EvaluationPoint at(Vec u) const { return {u, residual->given()}; }
  /// The scalar is f(x), all else is not zero either.
  VecHandle state(const std::function<double(const double*)>& f) const {
    VecHandle u = dofs->create_vector();
    double* a = nullptr;
    check(VecSet(u, 7.0));
    check(VecGetArray(u, &a));
    for (int n = 0; n < dofs->mesh().n_owned_nodes; ++n)
      if (const int dof = dofs->dof(n, 3); dof >= 0) a[dof] = f(&dofs->mesh().coordinates[2 * std::size_t(n)]);
    check(VecRestoreArray(u, &a));
    return u;
  }
};
double value(const Square& s, MixingNorm& y, Vec u) {
  double out = 0;
  y.evaluate(s.at(u), &out);
  return out;
}
double stripes(const double* x, int m, int n) { return 3 + std::cos(pi * m * x[0]) * std::cos(pi * n * x[1]); }

// cos(π m x) cos(π n y) is divided by 1 + l² π² (m² + n²), and has a mean square of ¼ (½ with n = 0).
TEST(MixingNorm, OfAWaveIsItsVarianceLessTheFilter) {
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle})
    for (const auto& [m, n] : {std::pair{1, 1}, {3, 1}, {2, 0}})
      for (const double l : {0.02, 0.3}) {
        const double exact = (n == 0 ? 0.5 : 0.25) / (1 + l * l * pi * pi * (m * m + n * n));
        double error[2];
        for (int k = 0; k < 2; ++k) {
          const Square s(k ? 32 : 16, shape);
          MixingNorm y = s.norm(l);
          error[k] = value(s, y, s.state([m = m, n = n](const double* x) { return stripes(x, m, n); })) - exact;
        }
        EXPECT_NEAR(error[0] / error[1], 4, 0.6) << m << " " << n << " " << l;
        EXPECT_NEAR(error[1] - (error[0] - error[1]) / 3, 0, 3e-3 * exact);
      }
}

// Folding a stripe keeps its variance, and lowers what is seen of it through a filter.
TEST(MixingNorm, FallsWhereStripesGetThinner) {
  const Square s(96);
  MixingNorm wide = s.norm(0.2), narrow = s.norm(1e-4);
  const VecHandle thick = s.state([](const double* x) { return stripes(x, 2, 0); }), thin = s.state([](const double* x) { return stripes(x, 8, 0); });
  EXPECT_LT(value(s, wide, thin), 0.1 * value(s, wide, thick));
  EXPECT_NEAR(value(s, narrow, thin), value(s, narrow, thick), 0.02 * value(s, narrow, thick));
  EXPECT_NEAR(value(s, wide, s.state([](const double*) { return 5.0; })), 0, 1e-14);
}

TEST(MixingNorm, IsAQuadraticFormWithExactDerivativesOnAllRanks) {
  const Square s(6, Shape::triangle), alone(6, Shape::triangle, PETSC_COMM_SELF);
  for (const bool axisymmetric : {false, true}) {
    MixingNorm y = s.norm(0.25, axisymmetric), other = alone.norm(0.25, axisymmetric);
    const auto f = [](const double* x) { return std::sin(3 * x[0]) * x[1] + 2; };
    const auto g = [](const double* x) { return std::cos(4 * x[1]) - x[0] * x[0]; };
    const VecHandle u = s.state(f), v = s.state(g), sum = s.state([&](const double* x) { return f(x) + g(x); });
    EXPECT_NEAR(value(s, y, u), value(alone, other, alone.state(f)), 1e-12 * value(s, y, u));
    double slope = 0, along = 0, bend = 0;
    const double seed = 1.3, seed_dot = -0.4;
    y.jvp(s.at(u), v, nullptr, &slope);
    EXPECT_NEAR(value(s, y, sum) - value(s, y, u) - slope, value(s, y, v), 1e-12);
    VecHandle bar = s.dofs->create_vector(), bar_dot = s.dofs->create_vector();
    y.vjp(s.at(u), &seed, bar, nullptr);
    check(VecDot(bar, v, &along));
    EXPECT_NEAR(along, seed * slope, 1e-12);
    y.vjp_tangent(s.at(u), &seed, &seed_dot, v, nullptr, bar_dot, nullptr);
    check(VecDot(bar_dot, v, &bend));
    EXPECT_NEAR(bend, 2 * seed * value(s, y, v) + seed_dot * slope, 1e-12);
  }
  EXPECT_THROW(s.norm(-1), std::invalid_argument);
  EXPECT_THROW(MixingNorm(s.residual, 0, "", 1, false), std::invalid_argument);
}

}  // namespace
}  // namespace invar::mixing_norms
