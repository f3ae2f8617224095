#include "libfem/solid/distributed_material.hpp"
#include "tests/unit/solid/material_cases.hpp"
#include "tests/unit/solid/material_differences.hpp"

// Swelling and volumetric laws: derivatives by parameters and along directions against differences of energy and stress.
// Energy, stress and tangent themselves: material_small_strain_test.cpp.
namespace invar::test {
namespace {

std::vector<MaterialChoice> wrapped() {
  std::vector<MaterialChoice> all;
  for (const VolumetricLawName& v : volumetric_laws)
    for (const bool swelling : {false, true}) {
      if (v.law == VolumetricLaw::quadratic && !swelling) continue;
      for (const bool plane_stress : {false, true}) all.push_back({"yeoh", Formulation::compressible, plane_stress, 1, v.law, swelling});
    }
  for (const char* name : {"linear_elastic", "neo_hookean", "ogden"})
    for (const bool plane_stress : {false, true})
      all.push_back({name, Formulation::isochoric, plane_stress, 1, VolumetricLaw::quadratic, true});
  for (const char* name : {"linear_elastic", "neo_hookean", "saint_venant_kirchhoff", "holzapfel_gasser_ogden"})
    for (const bool plane_stress : {false, true})
      all.push_back({.name = name, .plane_stress = plane_stress, .swelling = plane_stress, .distributed = true, .rest_constants = stable_constants(name, Formulation::compressible, 1)});
  for (const char* name : {"linear_elastic", "neo_hookean", "transversely_isotropic"})
    for (const bool plane_stress : {false, true}) all.push_back({.name = name, .plane_stress = plane_stress, .growth = true});
  for (const char* name : {"linear_elastic", "neo_hookean"}) all.push_back({.name = name, .formulation = Formulation::isochoric, .plane_stress = true, .growth = true});
  return all;
}

const std::vector<double> growth_in_space{0.15, -0.05, 0.1, 0.04, 0.03, -0.06}, growth_in_plane{0.15, -0.05, 0.1, 0.04, 0, 0};

class WrappedLaw : public testing::TestWithParam<MaterialChoice> {
 protected:
  std::vector<double> parameters() const {
    std::vector<double> p = stable_constants(GetParam().name, GetParam().formulation, GetParam().terms);
    if (GetParam().distributed) p.insert(p.end(), {0.6, 0.7});
    if (GetParam().swelling) p.push_back(0.15);
    const std::vector<double>& g = GetParam().plane_stress ? growth_in_plane : growth_in_space;
    if (GetParam().growth) p.insert(p.end(), g.begin(), g.end());
    return p;
  }
  static Matrix3 state() {
    return GetParam().plane_stress ? Matrix3{0.2, 0.15, 0, -0.1, 0.3, 0, 0, 0, 0} : Matrix3{0.2, 0.15, 0.1, -0.1, 0.3, 0.05, 0.1, -0.2, 0.1};
  }
};
INSTANTIATE_TEST_SUITE_P(Choices, WrappedLaw, testing::ValuesIn(wrapped()), [](const auto& info) { return std::to_string(info.index) + std::string(info.param.name); });

TEST_P(WrappedLaw, ByParameter) {
  const auto material = make_material(GetParam());
  const auto p = parameters();
  const Matrix3 H = state();
  const PointResponse r = evaluate(*material, H, p);
  const PointResponse alone = evaluate(*material, H, p, {false, false, false, true});
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double scale = p[k] == 0 ? 0.1 : std::abs(p[k]);
    if (GetParam().growth && p[k] == 0) continue;  // out of the plane
    const auto at = [&](double t) {
      auto moved = p;
      moved[k] += t * scale;
      const PointResponse there = evaluate(*material, H, moved, {true, true, false, false});
      std::array<double, 10> all;
      std::copy(there.stress.begin(), there.stress.end(), all.begin());
      all[9] = there.energy;
      return all;
    };
    const auto slope = difference(at, 5e-3);
    EXPECT_NEAR(r.energy_by_parameter[k] * scale, slope[9], 2e-10) << k;
    EXPECT_NEAR(alone.energy_by_parameter[k], r.energy_by_parameter[k], 1e-14) << k;
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(r.stress_by_parameter[k][i] * scale, slope[i], 2e-10) << k << ", " << i;
      EXPECT_NEAR(alone.stress_by_parameter[k][i], r.stress_by_parameter[k][i], 1e-14) << k << ", " << i;
    }
  }
}

TEST_P(WrappedLaw, AlongADirection) {
  std::mt19937 generator(3);
  expect_derivative_along(*make_material(GetParam()), state(), random_matrix(generator, 1.0), parameters());
}

// A body that has grown by G has no stress where F is a rotation of G; the same along all axes is swelling.
TEST(GrownLaw, IsFreeOfStressWhereItHasGrown) {
  for (const char* name : {"linear_elastic", "neo_hookean", "saint_venant_kirchhoff"}) {
    SCOPED_TRACE(name);
    const auto grown = make_material({.name = name, .growth = true}), swollen = make_material({.name = name, .swelling = true});
    const std::vector<double>& g = growth_in_space;
    const Matrix3 G{g[0], g[3], g[4], g[3], g[1], g[5], g[4], g[5], g[2]};
    std::vector<double> p = stable_constants(name, Formulation::compressible, 1), isotropic = p, swelling = p;
    p.insert(p.end(), g.begin(), g.end());
    isotropic.insert(isotropic.end(), {0.15, 0.15, 0.15, 0, 0, 0});
    swelling.push_back(0.15);
    Matrix3 rest = G;
    if (grown->finite_strain()) {  // turned about z
      const double c = std::cos(0.4), s = std::sin(0.4);
      for (int j = 0; j < 3; ++j) {
        const double x = G.entries[j] + (j == 0), y = G.entries[3 + j] + (j == 1);
        rest.entries[j] = c * x - s * y - (j == 0), rest.entries[3 + j] = s * x + c * y - (j == 1);
      }
    }
    const PointResponse free = evaluate(*grown, rest, p);
    EXPECT_NEAR(free.energy, 0, 1e-13);
    for (int r = 0; r < 9; ++r) EXPECT_NEAR(free.stress[r], 0, 1e-13) << r;
    const Matrix3 H{0.2, 0.15, 0.1, -0.1, 0.3, 0.05, 0.1, -0.2, 0.1};
    const PointResponse a = evaluate(*grown, H, isotropic), b = evaluate(*swollen, H, swelling);
    EXPECT_NEAR(a.energy, b.energy, 1e-13);
    for (int r = 0; r < 9; ++r) {
      EXPECT_NEAR(a.stress[r], b.stress[r], 1e-13) << r;
      for (int k = 0; k < 9; ++k) EXPECT_NEAR(a.tangent[r][k], b.tangent[r][k], 1e-12) << r << k;
    }
  }
}

// The law itself where γ is 1, however its constants have changed, Hooke's law of the first ones where γ is 0, the formula between.
TEST(DistributedLaw, IsTheLawInMaterialAndLinearInVoid) {
  const std::vector<double> first{5, 0.3}, now{4, 0.35};
  const double share = 0.2;
  const Matrix3 H{0.2, 0.15, 0.1, -0.1, 0.3, 0.05, 0.1, -0.2, 0.1};
  for (const char* name : {"neo_hookean", "saint_venant_kirchhoff"}) {
    const auto law = make_material({name}), hooke = make_material({"linear_elastic"}), distributed = make_material({.name = name, .distributed = true, .rest_constants = first});
    EXPECT_TRUE(distributed->finite_strain());
    EXPECT_FALSE(distributed->keeps_orientation());
    EXPECT_EQ(material_share_index(*distributed), 2);
    for (const double gamma : {1.0, 0.4, 0.0}) {
      const PointResponse found = evaluate(*distributed, H, {now[0], now[1], share, gamma}), of_law = evaluate(*law, gamma * H, now), linear = evaluate(*hooke, H, first);
      const double rest = 1 - gamma * gamma;
      EXPECT_NEAR(found.energy, share * (of_law.energy + rest * linear.energy), 1e-14);
      for (int r = 0; r < 9; ++r) {
        EXPECT_NEAR(found.stress[r], share * (gamma * of_law.stress[r] + rest * linear.stress[r]), 1e-14) << r;
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(found.tangent[r][k], share * (gamma * gamma * of_law.tangent[r][k] + rest * linear.tangent[r][k]), 1e-13) << r << k;
      }
    }
    // For an inverted deformation H: NaN if 1 + γ H is inverted, too (γ = 1), finite values otherwise (γ = 0.3).
    const Matrix3 inside_out{-2, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    EXPECT_TRUE(std::isnan(evaluate(*distributed, inside_out, {now[0], now[1], share, 1}).stress[0]));
    EXPECT_TRUE(std::isfinite(evaluate(*distributed, inside_out, {now[0], now[1], share, 0.3}).stress[0]));
  }
}

}  // namespace
}  // namespace invar::test
