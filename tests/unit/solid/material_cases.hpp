#pragma once
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "libfem/solid/law/arruda_boyce.hpp"
#include "libfem/solid/law/convex_network.hpp"
#include "libfem/solid/law/corotated.hpp"
#include "libfem/solid/law/gent.hpp"
#include "libfem/solid/law/hencky.hpp"
#include "libfem/solid/law/holzapfel_gasser_ogden.hpp"
#include "libfem/solid/law/linear_elastic.hpp"
#include "libfem/solid/material_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/law/mooney_rivlin.hpp"
#include "libfem/solid/law/neo_hookean.hpp"
#include "libfem/solid/law/neo_hookean_isochoric.hpp"
#include "libfem/solid/law/ogden.hpp"
#include "libfem/solid/law/orthotropic.hpp"
#include "libfem/solid/law/saint_venant_kirchhoff.hpp"
#include "libfem/solid/law/transversely_isotropic.hpp"
#include "libfem/solid/law/yeoh.hpp"

namespace invar::test {

using Matrix3 = Matrix<double, 3, 3>;
using Complex = std::complex<double>;

/// MaterialResponse of one point in plain numbers.
struct PointResponse {
  double energy = 0;
  std::array<double, 9> stress{};
  std::array<std::array<double, 9>, 9> tangent{};
  std::vector<double> energy_by_parameter;
  std::vector<std::array<double, 9>> stress_by_parameter;
};

inline constexpr MaterialRequest everything{true, true, true, true};

inline PointResponse lane_of(const MaterialResponse<Pack>& r, int lane, std::size_t parameters) {
  PointResponse point;
  point.energy = r.energy[lane];
  for (int i = 0; i < 9; ++i) point.stress[i] = r.stress[i][lane];
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) point.tangent[i][j] = r.tangent[i][j][lane];
  for (std::size_t k = 0; k < parameters; ++k) {
    point.energy_by_parameter.push_back(r.energy_by_parameter[k][lane]);
    auto& by_k = point.stress_by_parameter.emplace_back();
    for (int i = 0; i < 9; ++i) by_k[i] = r.stress_by_parameter[k][i][lane];
  }
  return point;
}

/// The same point in every lane.
inline PointResponse evaluate(const Material& material, const Matrix3& H,
                              const std::vector<double>& p,
                              MaterialRequest request = everything) {
  Matrix<Pack, 3, 3> packed;
  for (int i = 0; i < 9; ++i) packed.entries[i] = H.entries[i];
  const std::vector<Pack> q(p.begin(), p.end());
  MaterialResponse<Pack> r{};
  material.evaluate(packed, std::span<const Pack>(q), request, r);
  return lane_of(r, 0, p.size());
}

inline Matrix3 random_matrix(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Matrix3 m;
  for (double& entry : m.entries) entry = uniform(generator);
  return m;
}

/// By a unit quaternion.
inline Matrix3 random_rotation(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  double w = normal(generator), x = normal(generator), y = normal(generator), z = normal(generator);
  const double n = std::sqrt(w * w + x * x + y * y + z * z);
  w /= n, x /= n, y /= n, z /= n;
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

/// Σ energy(λ̄_a) by the roots of the characteristic polynomial of C, which stay analytic functions of a complex H as
/// long as they are apart; and J. A root is sought as its distance y from its real part s, by the polynomial of C − s 1: derivatives of that of C
/// are differences of numbers that are larger by the square of C over the product of the gaps between the roots.
template <class T, class Energy>
std::pair<T, T> sum_over_stretches(const Matrix<T, 3, 3>& H, Energy&& energy) {
  const Matrix<T, 3, 3> F = H + identity<T, 3>(), FtF = transpose(F) * F;
  const T j = det(F);
  Eigen::Matrix3d C;
  for (int i = 0; i < 9; ++i) C(i / 3, i % 3) = key_of(FtF.entries[i]);
  const Eigen::Vector3d start = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(C).eigenvalues();
  T sum{};
  for (int a = 0; a < 3; ++a) {
    const Matrix<T, 3, 3> B = FtF - start[a] * identity<T, 3>();
    const T i1 = trace(B), i2 = B(0, 0) * B(1, 1) - B(0, 1) * B(1, 0) + B(1, 1) * B(2, 2) - B(1, 2) * B(2, 1) + B(0, 0) * B(2, 2) - B(0, 2) * B(2, 0), i3 = det(B);
    T y{};
    for (int newton = 0; newton < 4; ++newton) y -= (((y - i1) * y + i2) * y - i3) / ((3.0 * y - 2.0 * i1) * y + i2);
    sum += energy(T(sqrt(start[a] + y) * pow(j, -1.0 / 3)));
  }
  return {sum, j};
}

/// Energies of laws of the stretches; p ends with the bulk modulus or not.
template <class T>
T ogden_energy(const Matrix<T, 3, 3>& H, const std::vector<T>& p) {
  const auto [sum, j] = sum_over_stretches(H, [&](const T& stretch) {
    T terms{};
    for (std::size_t k = 0; k + 1 < p.size(); k += 2) terms += p[k] / p[k + 1] * (pow(stretch, p[k + 1]) - 1.0);
    return terms;
  });
  return p.size() % 2 ? sum + 0.5 * p.back() * (j - 1.0) * (j - 1.0) : sum;
}
template <class T>
T network_energy(const Matrix<T, 3, 3>& H, const std::vector<T>& p) {
  const auto [sum, j] = sum_over_stretches(H, [&](const T& stretch) {
    T neurons{};
    for (std::size_t k = 0; k + 2 < p.size(); k += 3) {
      const T w = p[k], s = p[k + 1], c = p[k + 2], l = k % 2 ? 1.0 / stretch : stretch;
      neurons += w / s * (log(1.0 + exp(s * (l - c))) - log(1.0 + exp(s * (1.0 - c))));
    }
    return neurons;
  });
  return p.size() % 3 ? sum + 0.5 * p.back() * (j - 1.0) * (j - 1.0) : sum;
}

/// μ Σ (l_a − 1)² over the stretches of C, or of C̄ (isochoric), + λ/2 (J − 1)².
template <class T>
T corotated_energy(const Matrix<T, 3, 3>& H, const std::vector<T>& p) {
  const T j = det(H + identity<T, 3>()), grown = p.size() == 1 ? T(1.0) : T(pow(j, 1.0 / 3));
  const auto sum = sum_over_stretches(H, [&](const T& stretch) {
    const T d = grown * stretch - 1.0;
    return T(d * d);
  }).first;
  if (p.size() == 1) return p[0] / 3.0 * sum;
  return shear_modulus(p[0], p[1]) * sum + 0.5 * first_lame(p[0], p[1]) * (j - 1.0) * (j - 1.0);
}

/// μ Σ (ln l_a)² over the stretches of C, or of C̄ (isochoric), + λ/2 (ln J)².
template <class T>
T hencky_energy(const Matrix<T, 3, 3>& H, const std::vector<T>& p) {
  const T grown = p.size() == 1 ? T(0.0) : T(log(det(H + identity<T, 3>())) / 3.0);
  const auto sum = sum_over_stretches(H, [&](const T& stretch) {
    const T strain = log(stretch) + grown;
    return T(strain * strain);
  }).first;
  if (p.size() == 1) return p[0] / 3.0 * sum;
  return shear_modulus(p[0], p[1]) * sum + 4.5 * first_lame(p[0], p[1]) * grown * grown;
}

/// Constants at which a law is stable, in the order of its parameters: of the whole law, or of its isochoric part.
inline std::vector<double> stable_constants(std::string_view law, Formulation formulation, int terms = 1) {
  const bool isochoric = formulation == Formulation::isochoric;
  if (law == "orthotropic")
    return isochoric ? std::vector{3.0, 2.0, 2.5, 0.7, 0.9, 0.6} : std::vector{3.0, 2.0, 2.5, 0.3, 0.25, 0.2, 0.7, 0.9, 0.6};
  if (law == "linear_elastic" || law == "saint_venant_kirchhoff" || law == "neo_hookean" || law == "corotated" || law == "hencky")
    return isochoric ? std::vector{2.4} : std::vector{2.4, 0.3};
  if (law == "transversely_isotropic")
    return isochoric ? std::vector{3.0, 1.5, 0.7, 35.0, 20.0} : std::vector{3.0, 1.5, 0.3, 0.25, 0.7, 35.0, 20.0};
  std::vector<double> p;
  if (law == "holzapfel_gasser_ogden") p = {1.2, 0.7, 0.1, 40.0, 10.0, 0.8, 1.1, 0.05, -25.0, 5.0};
  if (law == "holzapfel_gasser_ogden") p.resize(5 * terms), p.push_back(0.6);
  if (law == "neo_hookean_isochoric") p = {0.8};
  if (law == "mooney_rivlin") p = {0.5, 0.2};
  if (law == "yeoh") p = {0.5, -0.05, 0.02};
  if (law == "gent") p = {0.8, 40.0};
  if (law == "arruda_boyce") p = {0.8, 2.5};
  if (law == "ogden") p = {0.6, 1.3, 0.012, 5.0, -0.1, -2.0};
  if (law == "ogden") p.resize(2 * terms);
  if (law == "convex_network")
    p = {0.9, 3.0, 1.2, 0.4, 2.0, 1.1, 0.2, 1.5, 2.0, 0.3, 4.0, 0.8, 0.5, 2.0, 0.7, 0.2, 1.0, 1.5, 0.1, 2.5, 1.6, 0.6, 1.2, 0.9};
  if (law == "convex_network") p.resize(6 * terms);
  if (p.empty()) throw std::logic_error("no stable constants of the law '" + std::string(law) + "': write them here");
  if (!isochoric) p.push_back(3.0);
  return p;
}

/// A law in one form and with so many terms, with constants at which it is stable.
template <class Law_, Formulation formulation_, int terms = 1>
struct MaterialCase {
  using Law = Law_;
  static constexpr Formulation formulation = formulation_;
  using Form = std::conditional_t<formulation == Formulation::isochoric, IsochoricForm<Law>,
                                  CompressibleForm<Law>>;

  static std::unique_ptr<Material> material() { return make_material_model<Law>(formulation, terms); }

  static std::vector<double> parameters() { return stable_constants(Law::name, formulation, terms); }

  /// The energy without duals: T is double or complex.
  template <class T>
  static T energy(const Matrix<T, 3, 3>& H, const std::vector<T>& p) {
    using Measure = typename Law::template Measure<T>;
    if constexpr (Law::name == "convex_network") return network_energy(H, p);
    else if constexpr (Law::name == "ogden") return ogden_energy(H, p);
    else if constexpr (Law::name == "corotated") return corotated_energy(H, p);
    else if constexpr (Law::name == "hencky") return hencky_energy(H, p);
    else
      return Form::energy(Measure::of(H), std::span<const T>(p));
  }
};

template <class Law, int terms = 1>
using Compressible = MaterialCase<Law, Formulation::compressible, terms>;
template <class Law, int terms = 1>
using Isochoric = MaterialCase<Law, Formulation::isochoric, terms>;

}  // namespace invar::test
