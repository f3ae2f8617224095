#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

/// The tangent at rest is Hooke's law with the documented shear and bulk modulus; an isochoric form
/// has bulk modulus 0.
void expect_hooke_at_rest(const MaterialChoice& choice, const std::vector<double>& p, double mu,
                          double kappa) {
  const PointResponse r = evaluate(*make_material(choice), Matrix3{}, p);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      const int a = i / 3, b = i % 3, c = j / 3, d = j % 3;
      const double expected = (kappa - 2 * mu / 3) * (a == b) * (c == d) +
                              mu * ((a == c) * (b == d) + (a == d) * (b == c));
      EXPECT_NEAR(r.tangent[i][j], expected, 1e-12 * (mu + kappa))  // rounding
          << choice.name << " " << i << ", " << j;
    }
}

TEST(MaterialLimits, CompressibleLawsAreHookesLawAtRest) {
  const double young = 2.4, poisson = 0.3;
  const double mu = young / (2 * (1 + poisson)), kappa = young / (3 * (1 - 2 * poisson));
  for (const char* name : {"linear_elastic", "saint_venant_kirchhoff", "neo_hookean", "corotated", "hencky"})
    expect_hooke_at_rest({.name = name}, {young, poisson}, mu, kappa);
  const double nu = poisson, E = young, G = mu;
  expect_hooke_at_rest({.name = "orthotropic"}, {E, E, E, nu, nu, nu, G, G, G}, mu, kappa);

  expect_hooke_at_rest({.name = "transversely_isotropic"}, {E, E, nu, nu, G, 35, 20}, mu, kappa);

  expect_hooke_at_rest({.name = "neo_hookean_isochoric"}, {0.8, 3.0}, 0.8, 3.0);
  for (const VolumetricLawName& v : volumetric_laws)
    expect_hooke_at_rest({.name = "neo_hookean_isochoric", .volumetric = v.law}, {0.8, 3.0}, 0.8, 3.0);
  expect_hooke_at_rest({.name = "holzapfel_gasser_ogden"}, {5, 2, 0.1, 30, 10, 0.8, 3.0}, 0.8, 3.0);  // fibres are slack
  expect_hooke_at_rest({.name = "mooney_rivlin"}, {0.5, 0.2, 3.0}, 1.4, 3.0);
  expect_hooke_at_rest({.name = "yeoh"}, {0.5, -0.1, 0.02, 3.0}, 1.0, 3.0);
  expect_hooke_at_rest({.name = "gent"}, {0.8, 40.0, 3.0}, 0.8, 3.0);
  expect_hooke_at_rest({.name = "ogden", .terms = 1}, {0.6, 1.3, 3.0}, 0.39, 3.0);
  expect_hooke_at_rest({.name = "ogden", .terms = 3}, {0.6, 1.3, 0.012, 5.0, -0.1, -2.0, 3.0}, 0.52,
                       3.0);
  {  // μ = ½ (h″ + h′) of the energy h of one stretch
    const std::vector<double> p = stable_constants("convex_network", Formulation::compressible, 3);
    double first = 0, second = 0;
    for (int i = 0; i < 18; i += 3) {
      const double at = 1 / (1 + std::exp(-p[i + 1] * (1 - p[i + 2]))), bend = p[i] * p[i + 1] * at * (1 - at);
      first += i % 2 ? -p[i] * at : p[i] * at;
      second += i % 2 ? bend + 2 * p[i] * at : bend;
    }
    expect_hooke_at_rest({.name = "convex_network", .terms = 3}, p, 0.5 * (first + second), 3.0);
  }
  const double q = 1 / (2.5 * 2.5);  // 1/λm²
  const double series =
      1 + q * (3.0 / 5 + q * (99.0 / 175 + q * (513.0 / 875 + q * 42039 / 67375)));
  expect_hooke_at_rest({.name = "arruda_boyce"}, {0.8, 2.5, 3.0}, 0.8 * series, 3.0);
}

TEST(MaterialLimits, IsochoricFormsAreDeviatoricAtRest) {
  const auto isochoric = Formulation::isochoric;
  for (const char* name : {"linear_elastic", "saint_venant_kirchhoff", "neo_hookean", "corotated", "hencky"})
    expect_hooke_at_rest({name, isochoric}, {2.4}, 0.8, 0.0);
  expect_hooke_at_rest({"orthotropic", isochoric}, {2.4, 2.4, 2.4, 0.8, 0.8, 0.8}, 0.8, 0.0);
  expect_hooke_at_rest({"mooney_rivlin", isochoric}, {0.5, 0.2}, 1.4, 0.0);
  expect_hooke_at_rest({"yeoh", isochoric}, {0.5, -0.1, 0.02}, 1.0, 0.0);
  expect_hooke_at_rest({"gent", isochoric}, {0.8, 40.0}, 0.8, 0.0);
  expect_hooke_at_rest({"ogden", isochoric, false, 2}, {0.6, 1.3, 0.012, 5.0}, 0.42, 0.0);
}

/// A freely swollen body is stress-free, and further deformation gives the stress of the elastic law.
TEST(MaterialLimits, SwellingIsFreeOfStressWhereItIsFree) {
  const double s = 0.12, g = 1 + s;
  const Matrix3 I = identity<double, 3>();
  std::mt19937 generator(4);
  for (const char* name : {"neo_hookean", "corotated", "holzapfel_gasser_ogden"}) {
    std::vector<double> p = stable_constants(name, Formulation::compressible);
    const Matrix3 H = random_matrix(generator, 0.2);
    const PointResponse elastic = evaluate(*make_material({.name = name}), H, p);
    p.push_back(s);
    const auto swollen = make_material({.name = name, .swelling = true});
    const PointResponse free = evaluate(*swollen, s * I, p), strained = evaluate(*swollen, g * (I + H) - I, p);
    EXPECT_NEAR(free.energy, 0, 1e-15);
    EXPECT_NEAR(strained.energy, g * g * g * elastic.energy, 1e-13);
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(free.stress[i], 0, 1e-14);
      EXPECT_NEAR(strained.stress[i], g * g * elastic.stress[i], 1e-13);
    }
  }
}

/// Fibres that lie along x, turned by a rotation that carries x into their direction.
TEST(MaterialLimits, FibresTurnWithTheirAngles) {
  const double degree = std::acos(-1) / 180, a = 35 * degree, b = 20 * degree;
  const Matrix3 about_y{std::cos(b), 0, -std::sin(b), 0, 1, 0, std::sin(b), 0, std::cos(b)};
  const Matrix3 about_z{std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1};
  const Matrix3 Q = about_z * about_y;
  std::mt19937 generator(8);
  for (int n = 0; n < 5; ++n) {
    const Matrix3 H = random_matrix(generator, 0.25), turned = transpose(Q) * H * Q;
    const PointResponse x = evaluate(*make_material({.name = "transversely_isotropic"}), H, {3, 1.5, 0.3, 0.25, 0.7, 35, 20}),
                        y = evaluate(*make_material({.name = "transversely_isotropic"}), turned, {3, 1.5, 0.3, 0.25, 0.7, 0, 0});
    EXPECT_NEAR(x.energy, y.energy, 1e-14);
    const PointResponse v = evaluate(*make_material({.name = "holzapfel_gasser_ogden"}), H, {3, 0.8, 0.1, 35, 20, 0.7, 3}),
                        w = evaluate(*make_material({.name = "holzapfel_gasser_ogden"}), turned, {3, 0.8, 0.1, 0, 0, 0.7, 3});
    EXPECT_NEAR(v.energy, w.energy, 1e-13);
  }
}

/// Engineering constants by their definition, at strains so small that E = ε.
TEST(MaterialLimits, TransverselyIsotropicEngineeringConstants) {
  const double El = 3, Et = 1.5, nul = 0.3, nut = 0.25, G = 0.7, t = 1e-9;
  const auto material = make_material({.name = "transversely_isotropic"});
  const std::vector<double> p{El, Et, nul, nut, G, 0, 0};
  const PointResponse along = evaluate(*material, {t / El, 0, 0, 0, -nul * t / El, 0, 0, 0, -nul * t / El}, p);
  const PointResponse across = evaluate(*material, {-nul * t / El, 0, 0, 0, t / Et, 0, 0, 0, -nut * t / Et}, p);
  const PointResponse shear = evaluate(*material, {0, t, 0, 0, 0, 0, 0, 0, 0}, p);
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(along.stress[k] / t, k == 0 ? 1.0 : 0.0, 1e-8);
    EXPECT_NEAR(across.stress[k] / t, k == 4 ? 1.0 : 0.0, 1e-8);
  }
  EXPECT_NEAR(shear.stress[1] / t, G, 1e-8);
  // Without change of volume: a pull gives E, the pressure makes the sides free of stress.
  const auto isochoric = make_material({"transversely_isotropic", Formulation::isochoric});
  const PointResponse pulled = evaluate(*isochoric, {t / El, 0, 0, 0, -t / (2 * El), 0, 0, 0, -t / (2 * El)}, {El, Et, G, 0, 0});
  EXPECT_NEAR((pulled.stress[0] - pulled.stress[8]) / t, 1.0, 1e-8);
  const double lateral = -(1 / Et - 1 / (2 * El));  // 1/Et − 1/(2 El) along z, 1/(2 El) along the fibres
  const PointResponse wide = evaluate(*isochoric, {-t / (2 * El), 0, 0, 0, t / Et, 0, 0, 0, t * lateral}, {El, Et, G, 0, 0});
  EXPECT_NEAR((wide.stress[4] - wide.stress[8]) / t, 1.0, 1e-8);
  EXPECT_NEAR((wide.stress[0] - wide.stress[8]) / t, 0.0, 1e-8);
}

/// Engineering constants by their definition: under σ = e_i ⊗ e_i the strains are 1/E_i and
/// −ν_ij/E_i.
TEST(MaterialLimits, OrthotropicEngineeringConstants) {
  const auto p = Compressible<Orthotropic>::parameters();
  const double E1 = p[0], E2 = p[1], E3 = p[2], nu12 = p[3], nu23 = p[4], nu13 = p[5];
  const auto material = make_material({.name = "orthotropic"});
  const Matrix3 pulls[3] = {{1 / E1, 0, 0, 0, -nu12 / E1, 0, 0, 0, -nu13 / E1},
                            {-nu12 / E1, 0, 0, 0, 1 / E2, 0, 0, 0, -nu23 / E2},
                            {-nu13 / E1, 0, 0, 0, -nu23 / E2, 0, 0, 0, 1 / E3}};
  for (int i = 0; i < 3; ++i) {
    const PointResponse r = evaluate(*material, pulls[i], p);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(r.stress[k], k == 4 * i ? 1.0 : 0.0, 1e-14);
  }
  const PointResponse shear = evaluate(*material, {0, 0.01, 0, 0, 0, 0.02, 0.04, 0, 0}, p);
  EXPECT_NEAR(shear.stress[1], p[6] * 0.01, 1e-15);
  EXPECT_NEAR(shear.stress[5], p[7] * 0.02, 1e-15);
  EXPECT_NEAR(shear.stress[2], p[8] * 0.04, 1e-15);
}

/// Pulled along i without change of volume, the isochoric form gives the deviator of a stress of
/// E_i times the strain: the pressure makes the sides free of stress.
TEST(MaterialLimits, OrthotropicIsochoricYoungsModuli) {
  const auto p = Isochoric<Orthotropic>::parameters();
  const double s11 = 1 / p[0], s22 = 1 / p[1], s33 = 1 / p[2];
  const double s12 = -(s11 + s22 - s33) / 2, s13 = -(s11 + s33 - s22) / 2;
  const PointResponse r = evaluate(*make_material({"orthotropic", Formulation::isochoric}),
                                   {s11, 0, 0, 0, s12, 0, 0, 0, s13}, p);
  EXPECT_NEAR(r.stress[0] - r.stress[8], 1.0, 1e-14);
  EXPECT_NEAR(r.stress[4] - r.stress[8], 0.0, 1e-14);
  EXPECT_NEAR(r.stress[0] + r.stress[4] + r.stress[8], 0.0, 1e-14);
}

/// All numbers of two materials agree at random states.
void expect_same(const MaterialChoice& a, const std::vector<double>& pa, const MaterialChoice& b,
                 const std::vector<double>& pb, double tolerance) {
  std::mt19937 generator(1);
  for (int n = 0; n < 10; ++n) {
    const Matrix3 H = random_matrix(generator, 0.25);
    const PointResponse x = evaluate(*make_material(a), H, pa);
    const PointResponse y = evaluate(*make_material(b), H, pb);
    EXPECT_NEAR(x.energy, y.energy, tolerance) << a.name << ", " << b.name;
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(x.stress[i], y.stress[i], tolerance) << a.name << ", " << b.name;
      for (int j = 0; j < 9; ++j)
        EXPECT_NEAR(x.tangent[i][j], y.tangent[i][j], tolerance) << a.name << ", " << b.name;
    }
  }
}

TEST(MaterialLimits, LawsThatContainEachOther) {
  const MaterialChoice neo_hookean{.name = "neo_hookean_isochoric"};
  expect_same({.name = "mooney_rivlin"}, {0.4, 0.0, 3.0}, neo_hookean, {0.8, 3.0}, 1e-13);
  expect_same({.name = "yeoh"}, {0.4, 0.0, 0.0, 3.0}, neo_hookean, {0.8, 3.0}, 1e-13);
  expect_same({.name = "ogden", .terms = 1}, {0.8, 2.0, 3.0}, neo_hookean, {0.8, 3.0}, 1e-12);
  expect_same({.name = "ogden", .terms = 2}, {1.0, 2.0, -0.4, -2.0, 3.0}, {.name = "mooney_rivlin"},
              {0.5, 0.2, 3.0}, 1e-12);
  expect_same({.name = "ogden", .terms = 3}, {0.3, 2.0, -0.4, -2.0, 0.7, 2.0, 3.0},
              {.name = "mooney_rivlin"}, {0.5, 0.2, 3.0}, 1e-12);
}

/// The first terms left out are μ (Ī1 − 3)²/(4 Jm) and μ (Ī1² − 9)/(20 λm²): below 1e-6 here.
TEST(MaterialLimits, ChainsWithoutLimit) {
  const MaterialChoice neo_hookean{.name = "neo_hookean_isochoric"};
  expect_same({.name = "gent"}, {0.8, 1e7, 3.0}, neo_hookean, {0.8, 3.0}, 1e-6);
  expect_same({.name = "arruda_boyce"}, {0.8, 3e3, 3.0}, neo_hookean, {0.8, 3.0}, 1e-6);
}

TEST(MaterialLimits, NotFiniteWhereTheLawEnds) {
  const Matrix3 inverted{-1.5, 0, 0, 0, 0, 0, 0, 0, 0}, pulled{4, 0, 0, 0, 0, 0, 0, 0, 0};
  const PointResponse negative =
      evaluate(*make_material({.name = "neo_hookean"}), inverted, {1, 0.3});
  EXPECT_FALSE(std::isfinite(negative.energy));
  EXPECT_FALSE(std::isfinite(negative.stress[0]));
  const PointResponse locked = evaluate(*make_material({.name = "gent"}), pulled, {1, 3, 1});
  EXPECT_FALSE(std::isfinite(locked.energy));
  EXPECT_FALSE(std::isfinite(locked.stress[0]));
}

}  // namespace
}  // namespace invar::test
