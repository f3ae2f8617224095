#include "libfem/solid/material_stability.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "libfem/solid/grown_material.hpp"
#include "libfem/solid/swollen_material.hpp"

namespace invar {
namespace {

/// Orthonormal symmetric strains, columns of nine entries; the last is the change of volume.
Eigen::Matrix<double, 9, 6> strains() {
  Eigen::Matrix<double, 9, 6> s = Eigen::Matrix<double, 9, 6>::Zero();
  const double r2 = 1 / std::sqrt(2.0), r3 = 1 / std::sqrt(3.0), r6 = 1 / std::sqrt(6.0);
  s(1, 0) = s(3, 0) = s(5, 1) = s(7, 1) = s(2, 2) = s(6, 2) = r2;
  s(0, 3) = r2, s(4, 3) = -r2;
  s(0, 4) = s(4, 4) = r6, s(8, 4) = -2 * r6;
  s(0, 5) = s(4, 5) = s(8, 5) = r3;
  return s;
}

/// Tangent with respect to the six strains, and the first diagonal entry of the stress.
std::pair<Eigen::Matrix<double, 6, 6>, double> at_rest(const Material& material, std::span<const double> constants) {
  Matrix<Pack, 3, 3> rest;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rest(i, j) = Pack(0.0);
  const std::vector<Pack> p(constants.begin(), constants.end());
  const auto out = std::make_unique<MaterialResponse<Pack>>();
  material.evaluate(rest, p, {.energy = true, .stress = true, .tangent = true}, *out);
  Eigen::Matrix<double, 9, 9> tangent;
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b) tangent(a, b) = out->tangent[a][b][0];
  return {strains().transpose() * tangent * strains(), out->stress[0][0]};
}

/// At a displacement gradient without symmetries, times `size`.
std::array<double, 9> stress_of(const Material& material, double size, std::span<const double> constants) {
  constexpr double gradient[] = {0.05, -0.12, 0.07, 0.09, -0.04, 0.11, -0.03, 0.06, 0.08};
  Matrix<Pack, 3, 3> H;
  for (int a = 0; a < 9; ++a) H(a / 3, a % 3) = Pack(size * gradient[a]);
  const std::vector<Pack> p(constants.begin(), constants.end());
  const auto out = std::make_unique<MaterialResponse<Pack>>();
  material.evaluate(H, p, {.energy = false, .stress = true}, *out);
  std::array<double, 9> stress;
  for (int a = 0; a < 9; ++a) stress[a] = out->stress[a][0];
  return stress;
}

}  // namespace

bool has_linear_stress(const Material& material, std::span<const double> constants, int scaled) {
  if (swelling_index(material) >= 0 || growth_index(material) >= 0) return false;
  constexpr double roundoff = 1e-9;  // and errors of the thickness strain that laws in plane stress solve for
  const auto is_sum = [](const std::array<double, 9>& whole, const std::array<double, 9>& a, double of_a, const std::array<double, 9>& b, double of_b) {
    double size = 0, error = 0;
    for (int k = 0; k < 9; ++k) {
      size = std::max({size, std::abs(whole[k]), std::abs(a[k]), std::abs(b[k])});
      error = std::max(error, std::abs(whole[k] - of_a * a[k] - of_b * b[k]));
    }
    return error <= roundoff * size;  // not for NaN
  };
  std::vector<double> p(constants.begin(), constants.end());
  const auto at = [&](double size, double factor) {
    if (scaled >= 0) p[scaled] = factor * constants[scaled];
    return stress_of(material, size, p);
  };
  const std::array<double, 9> one = at(1, 1), none{};
  if (!is_sum(at(2, 1), one, 2, none, 0) || !is_sum(at(-1, 1), one, -1, none, 0) || !is_sum(at(0, 1), one, 0, none, 0)) return false;
  if (scaled < 0) return true;
  const std::array<double, 9> half = at(1, 0.5);
  return is_sum(at(1, 0.75), one, 0.5, half, 0.5) && is_sum(at(1, 0.1), one, -0.8, half, 1.8);
}

double smallest_stiffness(const Material& material, std::span<const double> constants, bool isochoric) {
  const auto [tangent, stress] = at_rest(material, constants);
  const int n = isochoric ? 5 : 6;
  Eigen::MatrixXd stiffness = tangent.topLeftCorner(n, n);
  // The pressure that balances the isochoric part's stress at rest works on det(I + H) − 1, whose
  // second derivative along a volume-preserving strain is −1.
  if (isochoric) stiffness.diagonal().array() += stress;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

double bulk_modulus(const Material& material, std::span<const double> constants) { return at_rest(material, constants).first(5, 5) / 3; }

double volumetric_ratio(const Material& material, std::span<const double> constants) {
  return bulk_modulus(material, constants) / (0.5 * smallest_stiffness(material, constants, false));
}

}  // namespace invar
