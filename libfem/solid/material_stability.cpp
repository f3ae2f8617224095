#include "libfem/solid/material_stability.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

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

}  // namespace

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
