#include "libfem/solid/material_model.hpp"
#include "tests/unit/solid/material_cases.hpp"
#include "tests/unit/solid/material_differences.hpp"

namespace invar::test {
namespace {

/// The Ogden terms with exponent 4 and −4 in invariants: Σ λ̄⁴ = Ī1² − 2 Ī2, Σ λ̄⁻⁴ = Ī2² − 2 Ī1.
/// Smooth whatever the stretches are.
struct EvenOgden {
  template <class T>
  using Measure = Invariants<T>;
  static constexpr std::string_view name = "even_ogden";
  static constexpr std::array<ParamSpec, 4> isochoric_parameters{};

  template <class T, class S>
  static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const T i1 = 3.0 + c.d1, i2 = 3.0 + c.d2;
    return p[0] / 4.0 * (i1 * i1 - 2.0 * i2 - 3.0) - p[2] / 4.0 * (i2 * i2 - 2.0 * i1 - 3.0);
  }
};

/// All numbers and their derivatives along a direction (third derivatives of the energy) agree with
/// the law in invariants where stretches are equal, nearly equal and apart.
class OgdenAtGap : public testing::TestWithParam<double> {
 protected:
  static void expect_same(const Matrix3& H) {
    const auto ogden = make_material_model<Ogden>(Formulation::compressible, 2);
    const auto even = make_material_model<EvenOgden>(Formulation::compressible);
    const std::vector<double> p{0.7, 4.0, -0.3, -4.0, 3.0};
    std::mt19937 generator(9);
    for (int n = 0; n < 3; ++n) {
      const Matrix3 direction = random_matrix(generator, 1.0);
      const Along x = evaluate_along(*ogden, H, direction, p, 0.0),
                  y = evaluate_along(*even, H, direction, p, 0.0);
      expect_near(x.value, y.value, 1e-11);
      expect_near(x.rate, y.rate, 1e-9);  // third derivatives reach 1e2
      expect_near(evaluate(*ogden, H, p), y.value, 1e-11);
    }
  }

 private:
  static void expect_near(const PointResponse& x, const PointResponse& y, double tolerance) {
    EXPECT_NEAR(x.energy, y.energy, tolerance);
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(x.stress[i], y.stress[i], tolerance);
      for (int j = 0; j < 9; ++j) EXPECT_NEAR(x.tangent[i][j], y.tangent[i][j], tolerance);
      for (const int k : {0, 2, 4})  // not by the exponents, which the other law does not have
        EXPECT_NEAR(x.stress_by_parameter[k][i], y.stress_by_parameter[k][i], tolerance);
    }
  }
};

TEST_P(OgdenAtGap, ThreeStretches) {
  const double gap = GetParam();
  expect_same({0.1, 0, 0, 0, 0.1 + gap, 0, 0, 0, 0.1 - 2 * gap});
}
TEST_P(OgdenAtGap, TwoStretches) {
  const double gap = GetParam();
  expect_same({0.4, 0, 0, 0, -0.1 + gap, 0, 0, 0, -0.1});
}
TEST_P(OgdenAtGap, TurnedAxes) {
  std::mt19937 generator(4);
  const double gap = GetParam();
  const Matrix3 U{1.3, 0, 0, 0, 0.9, 0, 0, 0, 0.9 + gap}, Q = random_rotation(generator),
                R = random_rotation(generator);
  expect_same(R * (transpose(Q) * U * Q) - identity<double, 3>());
}
INSTANTIATE_TEST_SUITE_P(Gaps, OgdenAtGap,
                         testing::Values(0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 3e-2,
                                         0.1));

/// By the exponents: at equal stretches against differences of the energy and stress.
TEST(Ogden, ByExponentAtEqualStretches) {
  for (const Matrix3& H : {Matrix3{}, Matrix3{0.2, 0, 0, 0, 0.2, 0, 0, 0, -0.1}})
    expect_derivatives(*make_material({.name = "ogden", .terms = 3}), H,
                       {0.6, 1.3, 0.012, 5.0, -0.1, -2.0, 3.0});
}

}  // namespace
}  // namespace invar::test
