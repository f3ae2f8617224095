#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Neo-Hookean law with volume and shape split.
///   W = μ/2 (Ī1 − 3) + κ/2 (J − 1)²
///   μ shear modulus [Pa], κ bulk modulus [Pa], Ī1 = J^(−2/3) tr C
/// Treloar: The Physics of Rubber Elasticity (1975), ch. 4.
struct NeoHookeanIsochoric {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "neo_hookean_isochoric";
  static constexpr std::string_view doc = "Neo-Hookean, split: W = μ/2 (Ī1 − 3) + κ/2 (J − 1)²";
  static constexpr std::array isochoric_parameters{
      elastic_constants::modulus("mu", "shear modulus μ")};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S& mu = p[0];
    return 0.5 * mu * c.d1;
  }
};

}  // namespace invar
