#include "libfem/objective/form_value.hpp"

#include <gtest/gtest.h>

#include "tests/support/full_load.hpp"
#include "tests/unit/form/exact_stress.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/solid_problem.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/form/test_meshes.hpp"

namespace invar {
namespace {

using test::SolidProblem, test::Tensor, test::VectorField;

constexpr double young = 3, poisson = 0.3;

double evaluate(SolidProblem& s, Vec u, std::vector<double> factors) {
  double y = 0;
  FormValue(s.residual(), std::move(factors)).evaluate(test::at_full_load(*s.residual(), u), &y);
  return y;
}

// W = ½ σ : ε and W = μ/2 (tr C − 3) − μ ln J + λ/2 ln² J, times the unit volume; on distorted cells
// the quadrature of a uniform density is exact.
TEST(FormValue, EnergyOfAUniformStrain) {
  const Tensor H = (Tensor() << 0.12, 0.2, -0.1, -0.07, -0.15, 0.05, 0.11, 0.03, 0.09).finished();
  const VectorField u = [&](int i, const double* x) { return H(i, 0) * x[0] + H(i, 1) * x[1] + H(i, 2) * x[2]; };
  const auto m = test::lame(young, poisson);
  const Tensor F = Tensor::Identity() + H;
  const double log_J = std::log(F.determinant());
  const double small = 0.5 * (test::hooke(H, m).array() * H.array()).sum(),
               finite = 0.5 * m.mu * (F.squaredNorm() - 3) - m.mu * log_J + 0.5 * m.lambda * log_J * log_J;
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const int order : {1, 2}) {
      SolidProblem s(test::distorted_block(shape, order), SolidKind::spatial);
      s.material("linear_elastic", {young, poisson});
      s.material("neo_hookean", {young, poisson});
      s.finish();
      VecHandle at = s.interpolate(u);
      EXPECT_NEAR(evaluate(s, at, {1, 0}), small, 1e-13);
      EXPECT_NEAR(evaluate(s, at, {0, 1}), finite, 1e-13);
      EXPECT_NEAR(evaluate(s, at, {2, -0.5}), 2 * small - 0.5 * finite, 1e-13);
    }
}

// A bar of length L = 2 and section 1 under the end load T: energy T² L / (2 E), work of the load
// −T² L / E (Clapeyron: twice the energy), ν = 0.
TEST(FormValue, BarUnderEndLoad) {
  constexpr double T = 0.4, L = 2;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SolidProblem s(make_rectangle(0, 0, L, 1, 4, 2, shape, 2), SolidKind::plane_strain);
    s.material("linear_elastic", {young, 0.0});
    s.traction("right", {T, 0});
    s.hold("left", 0);
    s.hold("bottom", 1);
    Vec u = s.solve();
    EXPECT_NEAR(evaluate(s, u, {1, 0}), T * T * L / (2 * young), 1e-13);
    EXPECT_NEAR(evaluate(s, u, {0, 1}), -T * T * L / young, 1e-13);
  }
}

// Derivatives of the energy: ∂W/∂u · v against differences, transposed to round-off.
TEST(FormValue, DerivativesAgree) {
  SolidProblem s(test::distorted_block(Shape::hexahedron, 2, true), SolidKind::spatial);
  s.material("neo_hookean", {young, poisson});
  s.finish();
  FormValue energy(s.residual(), {1.0});
  const auto wave = [](double a, double k) {
    return [=](int c, const double* x) { return a * std::sin(k * x[0] + (1.3 + c) * x[1] - x[2] + c); };
  };
  VecHandle u = s.interpolate(wave(0.05, 0.9)), v = s.interpolate(wave(1, -1.4)), moved = s.dofs()->create_vector(),
            u_bar = s.dofs()->create_vector();
  double forward = 0, reverse = 0, plus = 0, minus = 0;
  constexpr double h = 1e-4;
  energy.jvp(test::at_full_load(*s.residual(), u), v, nullptr, &forward);
  check(VecWAXPY(moved, h, v, u));
  energy.evaluate(test::at_full_load(*s.residual(), moved), &plus);
  check(VecWAXPY(moved, -h, v, u));
  energy.evaluate(test::at_full_load(*s.residual(), moved), &minus);
  EXPECT_NEAR(forward, (plus - minus) / (2 * h), 1e-6 * std::abs(forward));
  const double one = 1;
  energy.vjp(test::at_full_load(*s.residual(), u), &one, u_bar, nullptr);
  check(VecDot(u_bar, v, &reverse));
  EXPECT_NEAR(forward, reverse, 1e-12 * std::abs(forward));
  EXPECT_GT(std::abs(forward), 1e-2);
}

}  // namespace
}  // namespace invar
