#include <functional>

#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

/// Nominal stress along direction 1 of an incompressible body with the stretches given and free
/// faces in direction 3: the pressure follows from P33 = 0.
double nominal_stress(const MaterialChoice& choice, const std::vector<double>& p, double l1,
                      double l2) {
  const double l3 = 1 / (l1 * l2);
  const PointResponse r =
      evaluate(*make_material(choice), {l1 - 1, 0, 0, 0, l2 - 1, 0, 0, 0, l3 - 1}, p);
  return r.stress[0] - r.stress[8] * l3 / l1;
}

/// The three homogeneous tests of rubber against formulas in the stretch l. Treloar: The Physics
/// of Rubber Elasticity (1975), ch. 5; Holzapfel: Nonlinear Solid Mechanics (2000), section 6.5.
void expect_textbook(const char* name, const std::vector<double>& p,
                     std::function<double(double)> uniaxial, std::function<double(double)> biaxial,
                     std::function<double(double)> pure_shear, int terms = 1) {
  const MaterialChoice choice{name, Formulation::isochoric, false, terms};
  for (const double l : {0.5, 0.9, 1.0, 1.3, 2.0, 3.5}) {
    const double tolerance = 1e-12 * std::max(1.0, std::pow(l, 6));  // rounding of sums of powers
    EXPECT_NEAR(nominal_stress(choice, p, l, 1 / std::sqrt(l)), uniaxial(l), tolerance)
        << name << l;
    if (l < 3) {  // thinner than that, the Gent and Arruda–Boyce chains are at their limit
      EXPECT_NEAR(nominal_stress(choice, p, l, l), biaxial(l),
                  1e-12 * std::max(1.0, std::pow(std::max(l, 1 / l), 12)))
          << name << l;
    }
    EXPECT_NEAR(nominal_stress(choice, p, l, 1.0), pure_shear(l), tolerance) << name << l;
  }
}

double i1_uniaxial(double l) { return l * l + 2 / l; }
double i1_biaxial(double l) { return 2 * l * l + std::pow(l, -4); }
double i1_shear(double l) { return l * l + 1 + 1 / (l * l); }

/// For laws W(I1): the neo-Hookean formulas with μ = 2 W′(I1).
void expect_textbook_of_i1(const char* name, const std::vector<double>& p,
                           std::function<double(double)> mu) {
  expect_textbook(
      name, p, [&](double l) { return mu(i1_uniaxial(l)) * (l - std::pow(l, -2)); },
      [&](double l) { return mu(i1_biaxial(l)) * (l - std::pow(l, -5)); },
      [&](double l) { return mu(i1_shear(l)) * (l - std::pow(l, -3)); });
}

TEST(MaterialTextbook, LawsOfTheFirstInvariant) {
  expect_textbook_of_i1("neo_hookean", {2.4}, [](double) { return 0.8; });
  expect_textbook_of_i1("neo_hookean_isochoric", {0.8}, [](double) { return 0.8; });
  expect_textbook_of_i1("yeoh", {0.5, -0.05, 0.002}, [](double i1) {
    return 2 * (0.5 - 0.1 * (i1 - 3) + 0.006 * (i1 - 3) * (i1 - 3));
  });
  expect_textbook_of_i1("gent", {0.8, 40.0},
                        [](double i1) { return 0.8 * 40.0 / (40.0 - (i1 - 3)); });
  expect_textbook_of_i1("arruda_boyce", {0.8, 4.0}, [](double i1) {
    const double x = i1 / 16.0;  // I1/λm²
    return 2 * 0.8 * (1.0 / 2 + x / 10 + 11 * x * x / 350 + 19 * std::pow(x, 3) / 1750 +
                      519 * std::pow(x, 4) / 134750);
  });
}

TEST(MaterialTextbook, MooneyRivlin) {
  const double c10 = 0.5, c01 = 0.2;
  expect_textbook(
      "mooney_rivlin", {c10, c01},
      [&](double l) { return 2 * (c10 + c01 / l) * (l - std::pow(l, -2)); },
      [&](double l) { return 2 * (c10 + c01 * l * l) * (l - std::pow(l, -5)); },
      [&](double l) { return 2 * (c10 + c01) * (l - std::pow(l, -3)); });
}

/// Constants of Ogden (1972) for Treloar's rubber, kgf/cm².
TEST(MaterialTextbook, Ogden) {
  const std::vector<double> p{6.3, 1.3, 0.012, 5.0, -0.1, -2.0};
  const auto sum = [&](double l, double lateral) {
    double s = 0;
    for (int i = 0; i < 6; i += 2) {
      const double a = p[i + 1];
      s += p[i] * (std::pow(l, a - 1) - std::pow(l, lateral * a - 1));
    }
    return s;
  };
  expect_textbook(
      "ogden", p, [&](double l) { return sum(l, -0.5); }, [&](double l) { return sum(l, -2.0); },
      [&](double l) { return sum(l, -1.0); }, 3);
}

/// By the slopes of its neurons: a logistic function of the stretch, one of its inverse.
TEST(MaterialTextbook, ConvexNetwork) {
  const std::vector<double> p = stable_constants("convex_network", Formulation::isochoric, 2);
  const auto slope = [&](double l) {  // of the energy of one principal stretch
    double sum = 0;
    for (int i = 0; i < 12; i += 6)
      sum += p[i] / (1 + std::exp(-p[i + 1] * (l - p[i + 2]))) - p[i + 3] / (l * l) / (1 + std::exp(-p[i + 4] * (1 / l - p[i + 5])));
    return sum;
  };
  const auto stress = [&](double l, double lateral) { return slope(l) - slope(std::pow(l, lateral)) * std::pow(l, lateral - 1); };
  expect_textbook(
      "convex_network", p, [&](double l) { return stress(l, -0.5); }, [&](double l) { return stress(l, -2.0); },
      [&](double l) { return stress(l, -1.0); }, 2);
}

/// Fibres along the pull, W(E) = k1/(2 k2) (exp(k2 E²) − 1) with E = l² − 1; slack, they leave the matrix alone. The same in
/// every direction (κ = 1/3): E = (I1 − 3)/3, Demiray's law with a square in the exponent.
TEST(MaterialTextbook, HolzapfelGasserOgden) {
  const double k1 = 0.9, k2 = 0.05, mu = 0.8;
  const auto fibre = [&](double l) { const double E = l * l - 1; return E > 0 ? 2 * l * k1 * E * std::exp(k2 * E * E) : 0; };
  expect_textbook(
      "holzapfel_gasser_ogden", {k1, k2, 0, 0, 0, mu}, [&](double l) { return mu * (l - std::pow(l, -2)) + fibre(l); },
      [&](double l) { return mu * (l - std::pow(l, -5)) + fibre(l); }, [&](double l) { return mu * (l - std::pow(l, -3)) + fibre(l); });
  expect_textbook_of_i1("holzapfel_gasser_ogden", {k1, 0.001, 1.0 / 3, 70, 0, mu}, [&](double i1) {
    const double E = (i1 - 3) / 3;
    return mu + 2 * k1 * E * std::exp(0.001 * E * E) / 3;
  });
}

/// The energy in tension goes to zero with three continuous derivatives where fibres go slack, and it is convex there.
TEST(MaterialTextbook, FibresGoSlackSmoothly) {
  const auto material = make_material({"holzapfel_gasser_ogden", Formulation::isochoric});
  const auto stiffness = [&](double strain) {  // ∂²W/∂H11² of a pull without change of volume, the matrix being weak
    const double l = std::sqrt(1 + strain);
    return evaluate(*material, {l - 1, 0, 0, 0, 1 / std::sqrt(l) - 1, 0, 0, 0, 1 / std::sqrt(l) - 1}, {1, 0, 0, 0, 0, 1e-9}).tangent[0][0];
  };
  const double toe = HolzapfelGasserOgden::toe;
  EXPECT_LE(std::abs(stiffness(-0.5 * toe)), 1e-8);
  for (const double end : {0.0, toe}) {  // the tangent and its slope agree on both sides
    const double h = 1e-5 * toe, before = stiffness(end - h), after = stiffness(end + h);
    EXPECT_NEAR(before, after, 1e-3);
    EXPECT_NEAR((stiffness(end) - before) / h * toe, (after - stiffness(end)) / h * toe, 0.02);
  }
  for (double x = 0.01; x < 1.5; x += 0.01) EXPECT_GT(stiffness(x * toe), -1e-8) << x;
}

/// Corotated: P = 2 μ (F − R) + λ (J − 1) cof F; of a pull F is its own stretch.
TEST(MaterialTextbook, CorotatedStress) {
  const double young = 2.4, poisson = 0.3, mu = young / 2.6, lame = young * 0.3 / (1.3 * 0.4);
  std::mt19937 generator(6);
  for (int n = 0; n < 5; ++n) {
    const Matrix3 I = identity<double, 3>(), A = random_matrix(generator, 0.3), U = 0.5 * (A + transpose(A)) + I, R = random_rotation(generator);
    const Matrix3 F = R * U, P = 2 * mu * (F - R) + lame * (det(F) - 1) * det(F) * transpose(inverse(F));
    const PointResponse r = evaluate(*make_material({.name = "corotated"}), F - I, {young, poisson});
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(r.stress[i], P.entries[i], 1e-13);
  }
}

/// Simple shear of a neo-Hookean body, F12 = γ: P12 = μ γ at any γ.
TEST(MaterialTextbook, SimpleShear) {
  const double gamma = 0.7;
  Matrix3 H{};
  H(0, 1) = gamma;
  const auto isochoric = make_material({"neo_hookean_isochoric", Formulation::isochoric});
  const PointResponse r = evaluate(*isochoric, H, {0.8});
  // P12 carries a part of the pressure: P = ∂W/∂F + p F⁻ᵀ with F⁻ᵀ_12 = 0.
  EXPECT_NEAR(r.stress[1], 0.8 * gamma, 1e-14);
  const PointResponse coupled = evaluate(*make_material({.name = "neo_hookean"}), H, {2.4, 0.3});
  EXPECT_NEAR(coupled.stress[1], 2.4 / 2.6 * gamma, 1e-14);
}

/// Coupled neo-Hookean: P = μ (F − F⁻ᵀ) + λ ln(J) F⁻ᵀ.
TEST(MaterialTextbook, CoupledNeoHookeanStress) {
  std::mt19937 generator(2);
  const double young = 2.4, poisson = 0.3, mu = young / 2.6, lame = young * 0.3 / (1.3 * 0.4);
  for (int n = 0; n < 5; ++n) {
    const Matrix3 H = random_matrix(generator, 0.3), F = H + identity<double, 3>();
    const Matrix3 P = mu * F + (lame * std::log(det(F)) - mu) * transpose(inverse(F));
    const PointResponse r = evaluate(*make_material({.name = "neo_hookean"}), H, {young, poisson});
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(r.stress[i], P.entries[i], 1e-13);
  }
}

/// Saint Venant–Kirchhoff: P = F (λ tr(E) I + 2μ E).
TEST(MaterialTextbook, SaintVenantKirchhoffStress) {
  std::mt19937 generator(2);
  const double young = 2.4, poisson = 0.3, mu = young / 2.6, lame = young * 0.3 / (1.3 * 0.4);
  const Matrix3 I = identity<double, 3>(), H = random_matrix(generator, 0.3), F = H + I;
  const Matrix3 E = 0.5 * (transpose(F) * F - I), P = F * (lame * trace(E) * I + 2 * mu * E);
  const PointResponse r =
      evaluate(*make_material({.name = "saint_venant_kirchhoff"}), H, {young, poisson});
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(r.stress[i], P.entries[i], 1e-14);
}

}  // namespace
}  // namespace invar::test
