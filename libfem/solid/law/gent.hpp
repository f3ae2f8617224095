#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Gent law of rubber with limited chain extensibility.
///   W = −μ Jm/2 ln(1 − (Ī1 − 3)/Jm) + κ/2 (J − 1)²
///   μ shear modulus [Pa], Jm the value that Ī1 − 3 cannot reach [1], κ bulk modulus [Pa]
/// At and beyond the limit nothing is finite.
/// Gent: Rubber Chem. Technol. 69 (1996) 59.
struct Gent {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "gent";
  static constexpr std::string_view doc =
      "Gent: W = −μ Jm/2 ln(1 − (Ī1 − 3)/Jm) + κ/2 (J − 1)²";
  static constexpr std::array isochoric_parameters{
      elastic_constants::modulus("mu", "shear modulus μ"),
      ParamSpec{
          .key = "jm", .unit = "1", .doc = "limit Jm of Ī1 − 3", .lower = 0, .lower_open = true}};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S &mu = p[0], &jm = p[1];
    // ln(1 + x) = 2 ln √(1 + x): unlike 1/(1 + x), the derivatives of this are not finite for x < −1 either.
    const T x = -c.d1 / jm;
    return -mu * jm * log1p(T(x / (1.0 + sqrt(T(1.0 + x)))));
  }
};

}  // namespace invar
