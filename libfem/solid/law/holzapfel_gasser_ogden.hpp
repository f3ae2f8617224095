#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/math/near_zero.hpp"
#include "libfem/solid/fibre_direction.hpp"
#include "libfem/solid/law/elastic_constants.hpp"

namespace invar {

/// Soft tissue: a neo-Hookean matrix with one or two families of collagen fibres, each dispersed about its direction.
///   W = μ/2 (Ī1 − 3) + Σ_i k1_i/(2 k2_i) (exp(k2_i ⟨Ē_i⟩²) − 1) + κ/2 (J − 1)²
///   Ē_i = κ_i (Ī1 − 3) + (1 − 3 κ_i) (a_i·C̄ a_i − 1)
/// μ, k1 [Pa], k2 [1], κ_i dispersion [1]: 0 all fibres along a_i, 1/3 as many in every direction.
/// Fibres carry no compression: ⟨Ē⟩² is 0 below 0 and Ē² above `toe`. Between them it is toe² (10 x⁴ − 20 x⁵ + 15 x⁶ −
/// 4 x⁷), x = Ē/toe, which is convex and joins both ends with three continuous derivatives: stress, tangent and the
/// tangent's first derivatives are continuous where fibres go slack. The published law (toe = 0) has a tangent that jumps there, at
/// rest. Below a fibre strain of toe/2 fibres are softer than published; at rest only the matrix is stiff.
/// The law is of C̄ alone, as published; where a body is far from incompressible, fibres then feel its volume (Nolan et
/// al., J. Mech. Behav. Biomed. Mater. 39 (2014)): take κ ≫ μ.
/// Gasser, Ogden, Holzapfel: J. R. Soc. Interface 3 (2006), 15–35.
struct HolzapfelGasserOgden {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "holzapfel_gasser_ogden";
  static constexpr std::string_view doc =
      "Soft tissue with fibres: W = μ/2 (Ī1 − 3) + Σ_i k1/(2 k2) (exp(k2 ⟨Ē_i⟩²) − 1), Ē_i = κ_i (Ī1 − 3) + (1 − 3 κ_i)(Ī4_i − 1); "
      "fibres carry no compression, with a smooth transition below Ē = 0.01";
  static constexpr double toe = 0.01;
  static constexpr int terms = 2, shared = 1;  // families; the matrix
  static constexpr std::array isochoric_parameters = [] {
    constexpr std::string_view keys[2][5] = {
        {"fibre1_stiffness", "fibre1_exponent", "fibre1_dispersion", "fibre1_angle", "fibre1_elevation"},
        {"fibre2_stiffness", "fibre2_exponent", "fibre2_dispersion", "fibre2_angle", "fibre2_elevation"}};
    std::array<ParamSpec, 5 * terms + shared> all{};
    for (int i = 0; i < terms; ++i) {
      all[5 * i] = {.key = keys[i][0], .unit = "Pa", .doc = "k1 of the fibres", .lower = 0};
      all[5 * i + 1] = {.key = keys[i][1], .unit = "1", .doc = "k2, exponential stiffening of the fibres", .lower = 0};
      all[5 * i + 2] = {.key = keys[i][2], .unit = "1", .doc = "κ; 0: all in one direction, 1/3: isotropic", .default_value = 0, .lower = 0, .upper = 1.0 / 3};
      all[5 * i + 3] = fibre_constants::angle(keys[i][3]);
      all[5 * i + 4] = fibre_constants::elevation(keys[i][4]);
    }
    all.back() = elastic_constants::modulus("mu", "shear modulus μ of the matrix");
    return all;
  }();

  /// Ī1 − 3 is −4 I2(Ē) − 8 det Ē of C̄ = I + 2Ē, whose determinant is 1: without the linear terms that cancel.
  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& e, std::span<const S> p) {
    const T d1 = -4.0 * (e.second_invariant() + 2.0 * e.determinant());
    T W = 0.5 * p.back() * d1;
    for (std::size_t k = 0; k + shared < p.size(); k += 5) {
      const S &stiffness = p[k], &exponent = p[k + 1], &dispersion = p[k + 2];
      const FibreDirection<S> a(p[k + 3], p[k + 4]);
      const T stretched = dispersion * d1 + 2.0 * (1.0 - 3.0 * dispersion) * a.dot(a.times(e)), squared = squared_tension(stretched);
      W += 0.5 * stiffness * squared * expm1_by_x(T(exponent * squared));
    }
    return W;
  }

 private:
  template <class T>
  INVAR_HD static T squared_tension(const T& E) {
    const T x = E * (1.0 / toe);
    const T bent = (toe * toe) * (x * x) * (x * x) * (10.0 + x * (-20.0 + x * (15.0 - 4.0 * x)));
    return select(key_of(E) > 0.0, T(select(key_of(E) < toe, bent, T(E * E))), T(0.0));
  }
};

}  // namespace invar
