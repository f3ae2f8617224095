#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libadjoint/param_spec.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Mooney–Rivlin law of rubber.
///   W = c10 (Ī1 − 3) + c01 (Ī2 − 3) + κ/2 (J − 1)²
///   c10, c01 [Pa], κ bulk modulus [Pa]; shear modulus at rest μ = 2 (c10 + c01), to be positive
/// Mooney: J. Appl. Phys. 11 (1940) 582; Rivlin: Phil. Trans. R. Soc. A 241 (1948) 379.
struct MooneyRivlin {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "mooney_rivlin";
  static constexpr std::string_view doc =
      "Mooney–Rivlin: W = c10 (Ī1 − 3) + c01 (Ī2 − 3) + κ/2 (J − 1)²";
  static constexpr std::array isochoric_parameters{
      ParamSpec{.key = "c10", .unit = "Pa", .doc = "factor of Ī1 − 3; at rest μ = 2 (c10 + c01)"},
      ParamSpec{.key = "c01", .unit = "Pa", .doc = "factor of Ī2 − 3; may be negative"}};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S &c10 = p[0], &c01 = p[1];
    return c10 * c.d1 + c01 * c.d2;
  }
};

}  // namespace invar
