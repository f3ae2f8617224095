#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libadjoint/param_spec.hpp"
#include "libfem/math/strain_power_sum.hpp"
#include "libfem/math/spectral.hpp"
#include "libfem/solid/green_strain.hpp"

namespace invar {

/// Ogden law of rubber in the principal stretches, 1 to 3 terms.
///   W = Σ_i mu_i/alpha_i (λ̄1^alpha_i + λ̄2^alpha_i + λ̄3^alpha_i − 3) + κ/2 (J − 1)²
///   mu_i [Pa], alpha_i [1], κ bulk modulus [Pa], λ̄_a = J^(−1/3) λ_a
/// This is Ogden's own convention: the shear modulus at rest is μ = ½ Σ mu_i alpha_i, to be
/// positive; single mu_i and alpha_i may be negative, an alpha_i must not be zero. (Programs that
/// write 2 mu_i/alpha_i² mean mu_i alpha_i/2 by their mu_i.)
/// Ogden: Proc. R. Soc. Lond. A 326 (1972) 565.
struct Ogden {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "ogden";
  static constexpr std::string_view doc =
      "Ogden: W = Σ mu_i/alpha_i (λ̄1^alpha_i + λ̄2^alpha_i + λ̄3^alpha_i − 3) + κ/2 (J − 1)²";
  static constexpr int terms = 3;
  static constexpr std::array<ParamSpec, 2 * terms> isochoric_parameters{{
      {.key = "mu1", .unit = "Pa", .doc = "factor of term 1; at rest μ = ½ Σ mu_i alpha_i"},
      {.key = "alpha1", .unit = "1", .doc = "exponent of term 1, not zero"},
      {.key = "mu2", .unit = "Pa", .doc = "factor of term 2, of the sign of alpha2"},
      {.key = "alpha2", .unit = "1", .doc = "exponent of term 2, not zero"},
      {.key = "mu3", .unit = "Pa", .doc = "factor of term 3, of the sign of alpha3"},
      {.key = "alpha3", .unit = "1", .doc = "exponent of term 3, not zero"},
  }};

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& strain, std::span<const S> p) {
    StrainPowerSum<S, terms> f;
    f.count = static_cast<int>(p.size()) / 2;
    for (int i = 0; i < f.count; ++i) {
      f.factor[i] = p[2 * i] / p[2 * i + 1];
      f.power[i] = 0.5 * p[2 * i + 1];
    }
    return trace_of_function(strain.matrix(), f);
  }
};

}  // namespace invar
