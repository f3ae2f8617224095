// Learned laws at 10⁴ random stretches in the range of rubber: symmetric tangents that are positive for every wave, whatever the
// weights within their bounds.
#include "tests/unit/solid/material_cases.hpp"

namespace invar::test {
namespace {

/// The least of m⊗n : A : m⊗n over some random waves that keep the volume (m ⊥ F⁻ᵀ n), over the largest entry of A; strong ellipticity
/// of an incompressible law is that it is positive for all of them. asymmetry: the largest difference of A and its transpose over the same and
/// over the square of the ratio of the principal stretches, by which the rounding of C counts in its smallest eigenvalue.
double least_of_waves(const Material& law, const std::vector<double>& p, const Matrix3& F, std::mt19937& generator, double& asymmetry) {
  const PointResponse r = evaluate(law, F - identity<double, 3>(), p, {false, false, true, false});
  double size = 0, least = INFINITY, worst = 0;
  for (int k = 0; k < 9; ++k)
    for (int l = 0; l < 9; ++l) {
      size = std::max(size, std::abs(r.tangent[k][l]));
      worst = std::max(worst, std::abs(r.tangent[k][l] - r.tangent[l][k]));
    }
  const Matrix3 back = transpose(inverse(F));
  asymmetry = std::max(asymmetry, worst / (size * inner(F, F) * inner(back, back)));
  std::normal_distribution<double> normal;
  for (int wave = 0; wave < 6; ++wave) {
    Vector<double, 3> n, m;
    for (int i = 0; i < 3; ++i) n[i] = wave < 3 ? double(i == wave) : normal(generator), m[i] = normal(generator);
    const Vector<double, 3> c = back * n;
    const double along = (m[0] * c[0] + m[1] * c[1] + m[2] * c[2]) / (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    for (int i = 0; i < 3; ++i) m[i] -= along * c[i];
    const double length = std::sqrt((m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    double q = 0;
    for (int k = 0; k < 9; ++k)
      for (int l = 0; l < 9; ++l) q += m[k / 3] * n[k % 3] * r.tangent[k][l] * m[l / 3] * n[l % 3];
    least = std::min(least, q / (length * length * size));
  }
  return least;
}

/// Two principal stretches between the bounds and the third of an unchanged volume, turned at random.
Matrix3 random_stretch(std::mt19937& generator, double lower, double upper) {
  std::uniform_real_distribution<double> log_stretch(std::log(lower), std::log(upper));
  Matrix3 D{};
  double third = 0;
  do {
    const double a = log_stretch(generator), b = log_stretch(generator);
    third = std::exp(-a - b);
    D = {std::exp(a), 0, 0, 0, std::exp(b), 0, 0, 0, third};
  } while (third < lower || third > upper);
  const Matrix3 Q = random_rotation(generator);
  return Q * D * transpose(Q);
}

TEST(MaterialEllipticity, LearnedLawsAreEllipticAtTenThousandStretches) {
  std::mt19937 generator(21);
  std::uniform_real_distribution<double> unit(0, 1);
  double asymmetry = 0, least = INFINITY;
  int stretches = 0;
  for (int network = 0; network < 100; ++network) {
    const int terms = 1 + network % 4;
    const auto law = make_material({.name = "convex_network", .formulation = Formulation::isochoric, .terms = terms});
    std::vector<double> p;
    for (int k = 0; k < 2 * terms; ++k) {
      p.push_back(std::pow(10, 3 * unit(generator) - 2));   // stress
      p.push_back(std::pow(10, 2 * unit(generator) - 1));   // sharpness
      p.push_back(8 * unit(generator));                     // knee
    }
    for (int k = 0; k < 100; ++k, ++stretches) least = std::min(least, least_of_waves(*law, p, random_stretch(generator, 1.0 / 7.6, 7.6), generator, asymmetry));
  }
  EXPECT_EQ(stretches, 10000);
  EXPECT_GT(least, -1e-13);
  EXPECT_LT(asymmetry, 1e-13);
}

// The same test finds what is not elliptic: Hencky's law at large stretches, and a network with a weight out of bounds.
TEST(MaterialEllipticity, TheTestSeesLawsThatAreNot) {
  std::mt19937 generator(22);
  double asymmetry = 0, hencky = INFINITY, concave = INFINITY;
  const auto law = make_material({.name = "hencky", .formulation = Formulation::isochoric});
  const auto network = make_material({.name = "convex_network", .formulation = Formulation::isochoric, .terms = 1});
  for (int k = 0; k < 300; ++k) {
    const Matrix3 F = random_stretch(generator, 1.0 / 7.6, 7.6);
    hencky = std::min(hencky, least_of_waves(*law, {3}, F, generator, asymmetry));
    concave = std::min(concave, least_of_waves(*network, {1, 1, 1, -2, 3, 2}, F, generator, asymmetry));
  }
  EXPECT_LT(hencky, -1e-3);
  EXPECT_LT(concave, -1e-3);
}

}  // namespace
}  // namespace invar::test
