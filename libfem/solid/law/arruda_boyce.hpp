#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Arruda–Boyce eight-chain law of rubber, the inverse Langevin function as its five-term series.
///   W = μ Σ_{i=1..5} a_i λm^(2−2i) (Ī1^i − 3^i) + κ/2 (J − 1)²
///   a = 1/2, 1/20, 11/1050, 19/7000, 519/673750
///   μ rubber modulus [Pa], λm locking stretch [1], κ bulk modulus [Pa]
/// Shear modulus at rest: 2 ∂W/∂Ī1 =
///   μ (1 + 3/(5λm²) + 99/(175λm⁴) + 513/(875λm⁶) + 42039/(67375λm⁸)).
/// Arruda, Boyce: J. Mech. Phys. Solids 41 (1993) 389, eq. 18.
struct ArrudaBoyce {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "arruda_boyce";
  static constexpr std::string_view doc =
      "Arruda–Boyce, five terms: W = μ Σ a_i λm^(2−2i) (Ī1^i − 3^i) + κ/2 (J − 1)²";
  static constexpr std::array isochoric_parameters{
      elastic_constants::modulus("mu", "rubber modulus μ; shear modulus at rest as λm → ∞"),
      ParamSpec{.key = "lambda_m", .unit = "1", .doc = "locking stretch λm of the chains",
                .lower = 1, .lower_open = true}};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S &mu = p[0], &lambda_m = p[1], q = 1.0 / (lambda_m * lambda_m);
    const T& d = c.d1;  // a factor of every Ī1^i − 3^i
    const T x = 3.0 + d;
    const T s2 = x + 3.0, s3 = x * s2 + 9.0, s4 = x * s3 + 27.0, s5 = x * s4 + 81.0;
    return mu * d * (1.0 / 2 + q * (1.0 / 20 * s2 + q * (11.0 / 1050 * s3 +
           q * (19.0 / 7000 * s4 + q * (519.0 / 673750) * s5))));
  }
};

}  // namespace invar
