#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Yeoh law of rubber: a cubic in Ī1.
///   W = c1 (Ī1 − 3) + c2 (Ī1 − 3)² + c3 (Ī1 − 3)³ + κ/2 (J − 1)²
///   c1, c2, c3 [Pa], κ bulk modulus [Pa]; shear modulus at rest μ = 2 c1
/// Yeoh: Rubber Chem. Technol. 66 (1993) 754.
struct Yeoh {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "yeoh";
  static constexpr std::string_view doc =
      "Yeoh: W = c1 (Ī1 − 3) + c2 (Ī1 − 3)² + c3 (Ī1 − 3)³ + κ/2 (J − 1)²";
  static constexpr std::array isochoric_parameters{
      elastic_constants::modulus("c1", "factor of Ī1 − 3; shear modulus at rest 2 c1"),
      ParamSpec{.key = "c2", .unit = "Pa", .doc = "factor of (Ī1 − 3)²; often negative"},
      ParamSpec{.key = "c3", .unit = "Pa", .doc = "factor of (Ī1 − 3)³; the last stiffening"}};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S &c1 = p[0], &c2 = p[1], &c3 = p[2];
    return c.d1 * (c1 + c.d1 * (c2 + c.d1 * c3));
  }
};

}  // namespace invar
