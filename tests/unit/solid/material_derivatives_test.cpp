#include <memory>
#include <string>
#include <vector>

#include "tests/unit/solid/material_cases.hpp"
#include "tests/unit/solid/material_differences.hpp"

namespace invar::test {
namespace {

/// Every law in both forms against derivatives without duals and chain rules: complex steps for first derivatives, sixth-order
/// central differences of these for second ones.
struct LawCase {
  std::string name;
  Formulation formulation;
  std::unique_ptr<Material> (*material)();
  std::vector<double> (*parameters)();
  double (*energy)(const Matrix3& H, const std::vector<double>& p);
  Complex (*complex_energy)(const Matrix<Complex, 3, 3>& H, const std::vector<Complex>& p);
};

template <class Case>
LawCase law_case(const char* form) {
  std::string name = std::string(Case::Law::name) + "_" + std::to_string(Case::parameters().size()) + "_" + form;
  return {name, Case::formulation, &Case::material, &Case::parameters, &Case::template energy<double>,
          &Case::template energy<Complex>};
}
/// The law in both forms, with each number of terms.
template <class Law>
void add_law(std::vector<LawCase>& cases) {
  [&]<int... n>(std::integer_sequence<int, n...>) {
    (cases.push_back(law_case<Compressible<Law, n + 1>>("compressible")), ...);
    (cases.push_back(law_case<Isochoric<Law, n + 1>>("isochoric")), ...);
  }(std::make_integer_sequence<int, max_terms<Law>>());
}
template <class... Laws>
std::vector<LawCase> in_both_forms() {
  std::vector<LawCase> cases;
  (add_law<Laws>(cases), ...);
  return cases;
}

class MaterialDerivatives : public testing::TestWithParam<LawCase> {
 protected:
  /// A stretched, sheared and rotated state with det F > 0, away from symmetry.
  static Matrix3 state(unsigned seed) {
    std::mt19937 generator(seed);
    const Matrix3 stretch = random_matrix(generator, 0.2), Q = random_rotation(generator);
    Matrix3 F = stretch;
    for (int i = 0; i < 3; ++i) F(i, i) += 1.15;
    if (GetParam().material()->finite_strain()) F = Q * F;
    return F - identity<double, 3>();
  }

  static std::vector<Complex> complex_of(const std::vector<double>& p) {
    return {p.begin(), p.end()};
  }
  static Matrix<Complex, 3, 3> complex_of(const Matrix3& H) {
    Matrix<Complex, 3, 3> c;
    for (int i = 0; i < 9; ++i) c.entries[i] = H.entries[i];
    return c;
  }

  static constexpr double tiny = 1e-100;  // complex step: no cancellation, exact to rounding

  static std::array<double, 9> stress(const Matrix3& H, const std::vector<double>& p) {
    std::array<double, 9> P;
    for (int r = 0; r < 9; ++r) {
      auto c = complex_of(H);
      c.entries[r] += Complex(0, tiny);
      P[r] = GetParam().complex_energy(c, complex_of(p)).imag() / tiny;
    }
    return P;
  }
};

std::vector<LawCase> all_laws() {
  return in_both_forms<LinearElastic, Orthotropic, SaintVenantKirchhoff, NeoHookean, NeoHookeanIsochoric, MooneyRivlin, Yeoh,
                       Gent, ArrudaBoyce, Ogden, ConvexNetwork, Corotated, TransverselyIsotropic, HolzapfelGasserOgden, Hencky>();
}
INSTANTIATE_TEST_SUITE_P(Laws, MaterialDerivatives, testing::ValuesIn(all_laws()), [](const auto& test) { return test.param.name; });

TEST(MaterialDerivativeTable, EveryLawOfTheLibraryIsListed) {
  std::size_t laws = 0;
  for (const std::string_view name : material_names()) laws += max_material_terms(name);
  EXPECT_EQ(all_laws().size(), 2 * laws);
}

// All energies are of order 1 at these states.
constexpr double rounding = 1e-13;
// Sixth-order differences with step 5e-3: truncation near 1e-12, cancellation near 1e-13.
constexpr double step = 5e-3, difference_error = 2e-10;

TEST_P(MaterialDerivatives, StressIsTheDerivativeOfTheEnergy) {
  const auto p = GetParam().parameters();
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Matrix3 H = state(seed);
    const PointResponse r = evaluate(*GetParam().material(), H, p);
    EXPECT_NEAR(r.energy, GetParam().energy(H, p), rounding);
    const auto P = stress(H, p);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(r.stress[i], P[i], rounding) << "component " << i;
  }
}

TEST_P(MaterialDerivatives, TangentIsTheDerivativeOfTheStressAndSymmetric) {
  const auto p = GetParam().parameters();
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Matrix3 H = state(seed);
    const PointResponse r = evaluate(*GetParam().material(), H, p);
    for (int s = 0; s < 9; ++s) {
      const auto column = difference(
          [&](double t) {
            Matrix3 moved = H;
            moved.entries[s] += t;
            return stress(moved, p);
          },
          step);
      for (int i = 0; i < 9; ++i) {
        EXPECT_NEAR(r.tangent[i][s], column[i], difference_error) << i << ", " << s;
        EXPECT_NEAR(r.tangent[i][s], r.tangent[s][i], rounding);
      }
    }
  }
}

TEST_P(MaterialDerivatives, ByParameter) {
  const auto p = GetParam().parameters();
  const Matrix3 H = state(7);
  const PointResponse r = evaluate(*GetParam().material(), H, p);
  for (std::size_t k = 0; k < p.size(); ++k) {
    auto c = complex_of(p);
    c[k] += Complex(0, tiny);
    const double by_k = GetParam().complex_energy(complex_of(H), c).imag() / tiny;
    EXPECT_NEAR(r.energy_by_parameter[k], by_k, rounding) << "parameter " << k;
    const double scale = std::abs(p[k]);
    const auto stress_by_k = difference(
        [&](double t) {
          auto moved = p;
          moved[k] += t * scale;
          return stress(H, moved);
        },
        step);
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(r.stress_by_parameter[k][i] * scale, stress_by_k[i], difference_error)
          << "parameter " << k << ", component " << i;
  }
}

/// What Dual<Pack, 1> carries along is the derivative of what Pack gives.
TEST_P(MaterialDerivatives, AlongADirection) {
  std::mt19937 generator(3);
  expect_derivative_along(*GetParam().material(), state(11), random_matrix(generator, 1.0),
                          GetParam().parameters());
}

/// Requested results must not depend on which others are requested.
TEST_P(MaterialDerivatives, EachRequestGivesTheSameNumbers) {
  const auto material = GetParam().material();
  const auto p = GetParam().parameters();
  const Matrix3 H = state(13);
  const PointResponse all = evaluate(*material, H, p);
  const PointResponse energy = evaluate(*material, H, p, {true, false, false, false});
  const PointResponse stress = evaluate(*material, H, p, {false, true, false, false});
  const PointResponse parameters = evaluate(*material, H, p, {false, false, false, true});
  EXPECT_NEAR(energy.energy, all.energy, rounding);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(stress.stress[i], all.stress[i], rounding);
  for (std::size_t k = 0; k < p.size(); ++k)
    EXPECT_EQ(parameters.stress_by_parameter[k], all.stress_by_parameter[k]);
}

TEST_P(MaterialDerivatives, LanesDoNotTouchEachOther) {
  const auto material = GetParam().material();
  const auto p = GetParam().parameters();
  const std::size_t n = p.size();
  Matrix<Pack, 3, 3> H;
  std::vector<Pack> q(n);
  for (int lane = 0; lane < simd_width; ++lane) {
    const Matrix3 one = state(20 + lane);
    for (int i = 0; i < 9; ++i) H.entries[i].set(lane, one.entries[i]);
    for (std::size_t k = 0; k < n; ++k) q[k].set(lane, p[k] * (1 + 0.01 * lane));
  }
  MaterialResponse<Pack> r{};
  material->evaluate(H, std::span<const Pack>(q), everything, r);
  for (int lane = 0; lane < simd_width; ++lane) {
    auto own = p;
    for (double& value : own) value *= 1 + 0.01 * lane;
    const PointResponse alone = evaluate(*material, state(20 + lane), own);
    const PointResponse together = lane_of(r, lane, n);
    EXPECT_EQ(alone.energy, together.energy);
    EXPECT_EQ(alone.stress, together.stress);
    EXPECT_EQ(alone.tangent, together.tangent);
    EXPECT_EQ(alone.stress_by_parameter, together.stress_by_parameter);
  }
}

TEST_P(MaterialDerivatives, FrameIndifference) {
  const auto material = GetParam().material();
  const auto p = GetParam().parameters();
  std::mt19937 generator(5);
  const Matrix3 H = state(17), I = identity<double, 3>();
  const PointResponse at = evaluate(*material, H, p);
  if (material->finite_strain()) {
    const Matrix3 Q = random_rotation(generator);
    const PointResponse turned = evaluate(*material, Q * (I + H) - I, p);
    Matrix3 P;
    for (int i = 0; i < 9; ++i) P.entries[i] = at.stress[i];
    const Matrix3 QP = Q * P;
    EXPECT_NEAR(turned.energy, at.energy, 1e-12);  // F itself is rotated with rounding
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(turned.stress[i], QP.entries[i], 1e-12);
  } else {  // small strains: an infinitesimal rotation changes nothing
    const Matrix3 A = random_matrix(generator, 1.0);
    const PointResponse turned = evaluate(*material, H + A - transpose(A), p);
    EXPECT_NEAR(turned.energy, at.energy, 1e-12);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(turned.stress[i], at.stress[i], 1e-12);
  }
}

/// F = I is free of stress, and the isochoric forms do not depend on the volume.
TEST_P(MaterialDerivatives, RestAndVolume) {
  const auto material = GetParam().material();
  const auto p = GetParam().parameters();
  const PointResponse rest = evaluate(*material, Matrix3{}, p);
  EXPECT_NEAR(rest.energy, 0, 1e-14);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(rest.stress[i], 0, 1e-14);
  if (GetParam().formulation == Formulation::compressible) return;
  const Matrix3 H = state(19), I = identity<double, 3>();
  const Matrix3 blown = material->finite_strain() ? 1.3 * (I + H) - I : H + 0.3 * I;
  EXPECT_NEAR(evaluate(*material, blown, p).energy, evaluate(*material, H, p).energy, 1e-12);
}

}  // namespace
}  // namespace invar::test
