#include "tests/unit/solid/material_cases.hpp"
#include "tests/unit/solid/material_differences.hpp"

namespace invar::test {
namespace {

const auto isochoric = Formulation::isochoric;

Matrix3 plane_state(double h11, double h12, double h21, double h22) {
  return {h11, h12, 0, h21, h22, 0, 0, 0, 0};
}

/// Hooke's law in plane stress: σ11 = E/(1 − ν²) (ε11 + ν ε22), σ12 = 2 G ε12.
TEST(PlaneStress, LinearElastic) {
  const double E = 2.4, nu = 0.3;
  const auto material = make_material({.name = "linear_elastic", .plane_stress = true});
  const PointResponse r = evaluate(*material, plane_state(0.01, 0.03, -0.01, 0.02), {E, nu});
  EXPECT_NEAR(r.stress[0], E / (1 - nu * nu) * (0.01 + nu * 0.02), 1e-15);
  EXPECT_NEAR(r.stress[4], E / (1 - nu * nu) * (0.02 + nu * 0.01), 1e-15);
  EXPECT_NEAR(r.stress[1], E / (1 + nu) * 0.01, 1e-15);
  EXPECT_NEAR(r.tangent[0][4], nu * E / (1 - nu * nu), 1e-14);
  for (int i : {2, 5, 6, 7, 8}) {
    EXPECT_EQ(r.stress[i], 0);
    for (int j = 0; j < 9; ++j) EXPECT_EQ(r.tangent[i][j], 0);
  }
}

/// Jones (1999), section 2.5: Q11 = E1/(1 − ν12 ν21), Q12 = ν12 E2/(1 − ν12 ν21).
TEST(PlaneStress, Orthotropic) {
  const auto p = Compressible<Orthotropic>::parameters();
  const double nu21 = p[3] * p[1] / p[0], d = 1 - p[3] * nu21;
  const PointResponse r = evaluate(*make_material({.name = "orthotropic", .plane_stress = true}),
                                   plane_state(0.1, 0.2, 0.3, 0.4), p);
  EXPECT_NEAR(r.tangent[0][0], p[0] / d, 1e-13);
  EXPECT_NEAR(r.tangent[4][4], p[1] / d, 1e-13);
  EXPECT_NEAR(r.tangent[0][4], p[3] * p[1] / d, 1e-13);
  EXPECT_NEAR(r.tangent[1][3], p[6], 1e-13);
}

/// Incompressible: ν = 1/2.
TEST(PlaneStress, IncompressibleLinearElastic) {
  const double E = 2.4;
  const auto material = make_material({"linear_elastic", isochoric, true});
  const PointResponse r = evaluate(*material, plane_state(0.01, 0.03, -0.01, 0.02), {E});
  EXPECT_NEAR(r.stress[0], E / 0.75 * (0.01 + 0.5 * 0.02), 1e-15);
  EXPECT_NEAR(r.stress[1], E / 1.5 * 0.01, 1e-15);
  EXPECT_NEAR(r.tangent[0][4], 0.5 * E / 0.75, 1e-14);
}

/// The thickness strain found by bisection on P33 of the solid.
double thickness_strain(const Material& solid, Matrix3 H, const std::vector<double>& p) {
  double low = -0.999, high = 30;
  for (int i = 0; i < 200; ++i) {
    H(2, 2) = 0.5 * (low + high);
    (evaluate(solid, H, p, {false, true, false, false}).stress[8] < 0 ? low : high) = H(2, 2);
  }
  return 0.5 * (low + high);
}

using NamedConstants = std::pair<const char*, std::vector<double>>;
class PlaneStressOfLaw : public testing::TestWithParam<NamedConstants> {};

TEST_P(PlaneStressOfLaw, IsTheSolidWithFreeFaces) {
  const auto& [name, p] = GetParam();
  const auto solid = make_material({.name = name});
  const auto plane = make_material({.name = name, .plane_stress = true});
  for (const Matrix3& H : {plane_state(0.0, 0.0, 0.0, 0.0), plane_state(0.3, 0.2, -0.1, 0.1),
                           plane_state(-0.3, 0.1, 0.1, -0.2), plane_state(1.0, -0.3, 0.5, 0.6)}) {
    Matrix3 full = H;
    full(2, 2) = thickness_strain(*solid, H, p);
    const PointResponse r = evaluate(*plane, H, p), expected = evaluate(*solid, full, p);
    EXPECT_NEAR(r.energy, expected.energy, 1e-13);
    for (const int i : {0, 1, 3, 4}) EXPECT_NEAR(r.stress[i], expected.stress[i], 2e-13);
  }
}

TEST_P(PlaneStressOfLaw, Derivatives) {
  const auto& [name, p] = GetParam();
  const Matrix3 H = plane_state(0.3, 0.2, -0.1, 0.1), direction = plane_state(0.5, -0.7, 0.2, 0.9);
  for (const Formulation f : {Formulation::compressible, Formulation::isochoric}) {
    const auto material = make_material({name, f, true});
    auto q = p;
    if (f == isochoric) q.pop_back();  // the bulk modulus, or Poisson's ratio
    expect_derivatives(*material, H, q);
    expect_derivative_along(*material, H, direction, q);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, PlaneStressOfLaw,
    testing::Values(std::pair{"linear_elastic", std::vector{2.4, 0.3}},
                    std::pair{"neo_hookean", std::vector{2.4, 0.3}},
                    std::pair{"neo_hookean", std::vector{2.4, 0.45}},
                    std::pair{"mooney_rivlin", std::vector{0.5, 0.2, 3.0}},
                    std::pair{"yeoh", std::vector{0.5, -0.05, 0.02, 3.0}},
                    std::pair{"ogden", std::vector{0.6, 1.3, 3.0}},
                    std::pair{"gent", std::vector{0.8, 40.0, 3.0}},
                    std::pair{"arruda_boyce", std::vector{0.8, 2.5, 3.0}}),
    [](const auto& info) { return info.param.first + std::to_string(info.index); });

/// Saint Venant–Kirchhoff: E33 = −ν/(1 − ν) (E11 + E22), which makes it Hooke's law of plane stress
/// in E.
TEST(PlaneStress, SaintVenantKirchhoff) {
  const double E = 2.4, nu = 0.3;
  const Matrix3 H = plane_state(0.3, 0.2, -0.1, 0.1), F = H + identity<double, 3>();
  const Matrix3 G = 0.5 * (transpose(F) * F - identity<double, 3>());
  const double c = E / (1 - nu * nu);
  const Matrix3 S{c * (G(0, 0) + nu * G(1, 1)), E / (1 + nu) * G(0, 1), 0,
                  E / (1 + nu) * G(0, 1), c * (G(1, 1) + nu * G(0, 0)), 0, 0, 0, 0};
  const Matrix3 P = F * S;
  const PointResponse r = evaluate(
      *make_material({.name = "saint_venant_kirchhoff", .plane_stress = true}), H, {E, nu});
  for (const int i : {0, 1, 3, 4}) EXPECT_NEAR(r.stress[i], P.entries[i], 1e-14);
}

/// Neo-Hookean sheet: P1 = μ (λ1 − 1/(λ1³ λ2²)), at any stretches.
TEST(PlaneStress, IncompressibleNeoHookeanSheet) {
  const auto sheet = make_material({"neo_hookean_isochoric", isochoric, true});
  for (const double l1 : {0.4, 1.0, 2.0, 5.0})
    for (const double l2 : {0.5, 1.0, 3.0}) {
      const PointResponse r = evaluate(*sheet, plane_state(l1 - 1, 0, 0, l2 - 1), {0.8});
      const double expected = 0.8 * (l1 - std::pow(l1, -3) * std::pow(l2, -2));
      EXPECT_NEAR(r.stress[0], expected, 1e-13 * std::max(1.0, std::abs(expected)));
    }
}

/// The compressible sheet approaches the incompressible one as 1/κ: the difference falls tenfold,
/// to 1e-2, from one κ to the next.
TEST(PlaneStress, NearlyIncompressible) {
  const Matrix3 H = plane_state(1.5, 0.2, -0.4, 0.7);
  const auto p = Isochoric<Yeoh>::parameters();
  const PointResponse limit = evaluate(*make_material({"yeoh", isochoric, true}), H, p);
  const auto sheet = make_material({.name = "yeoh", .plane_stress = true});
  const PointResponse soft = evaluate(*sheet, H, {p[0], p[1], p[2], 1e5});
  const PointResponse hard = evaluate(*sheet, H, {p[0], p[1], p[2], 1e6});
  for (const int i : {0, 1, 3, 4}) {
    const double ratio = (soft.stress[i] - limit.stress[i]) / (hard.stress[i] - limit.stress[i]);
    EXPECT_NEAR(ratio, 10.0, 0.1);
  }
}

/// The thickness is found far from rest, also where the guess without change of volume is poor.
TEST(PlaneStress, FarFromRest) {
  for (const double nu : {-0.3, 0.0, 0.3, 0.49, 0.4999})
    for (const double l1 : {0.15, 0.5, 1.0, 3.0, 8.0})
      for (const double l2 : {0.15, 1.0, 8.0}) {
        const std::vector<double> p{2.4, nu};
        const Matrix3 H = plane_state(l1 - 1, 0, 0, l2 - 1);
        const PointResponse r =
            evaluate(*make_material({.name = "neo_hookean", .plane_stress = true}), H, p);
        EXPECT_TRUE(std::isfinite(r.stress[0])) << nu << " " << l1 << " " << l2;
      }
}

/// A lane without a solution is NaN and leaves the others alone.
TEST(PlaneStress, NoSolutionIsNaNInItsLane) {
  const auto material = make_material({.name = "gent", .plane_stress = true});
  Matrix<Pack, 3, 3> H{};
  H(0, 0) = 0.1;
  H(0, 0).set(0, 6.0);  // Ī1 − 3 beyond Jm
  const Pack p[3] = {0.8, 5.0, 3.0};
  MaterialResponse<Pack> r{};
  material->evaluate(H, p, everything, r);
  const PointResponse alone = evaluate(*material, plane_state(0.1, 0, 0, 0), {0.8, 5.0, 3.0});
  EXPECT_TRUE(std::isnan(r.stress[0][0]));
  EXPECT_TRUE(std::isnan(r.energy[0]));
  for (int lane = 1; lane < simd_width; ++lane) {
    EXPECT_EQ(r.stress[0][lane], alone.stress[0]);
    EXPECT_EQ(r.tangent[0][0][lane], alone.tangent[0][0]);
  }
  const PointResponse flat = evaluate(*make_material({.name = "yeoh", .plane_stress = true}),
                                      plane_state(-1.2, 0, 0, 0), {0.5, 0.0, 0.0, 3.0});
  EXPECT_TRUE(std::isnan(flat.stress[0]));
}

}  // namespace
}  // namespace invar::test
