#pragma once
#include <Eigen/Dense>
#include <cmath>

namespace invar::test {

/// Stresses by the textbook, written out by hand. H = ∂u/∂X.
using Tensor = Eigen::Matrix3d;

struct Lame {
  double mu, lambda;
};
inline Lame lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

/// Hooke's law.
inline Tensor hooke(const Tensor& H, Lame m) {
  const Tensor e = 0.5 * (H + H.transpose());
  return m.lambda * e.trace() * Tensor::Identity() + 2 * m.mu * e;
}

/// First Piola–Kirchhoff stress of W = μ/2 (tr C − 3) − μ ln J + λ/2 ln² J (Bonet and Wood, eq. 6.27).
inline Tensor neo_hooke(const Tensor& H, Lame m) {
  const Tensor F = Tensor::Identity() + H, G = F.inverse().transpose();
  return m.mu * (F - G) + m.lambda * std::log(F.determinant()) * G;
}

/// Of W = μ/2 (J^(−2/3) tr C − 3) − p (J − 1).
inline Tensor incompressible_neo_hooke(const Tensor& H, double mu, double p) {
  const Tensor F = Tensor::Identity() + H, G = F.inverse().transpose();
  const double J = F.determinant();
  return mu * std::pow(J, -2.0 / 3) * (F - F.squaredNorm() / 3 * G) - p * J * G;
}

/// σ = P Fᵀ / J
inline Tensor cauchy(const Tensor& P, const Tensor& H) {
  const Tensor F = Tensor::Identity() + H;
  return P * F.transpose() / F.determinant();
}

}  // namespace invar::test
