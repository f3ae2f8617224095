#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Compressible neo-Hookean law, volume and shape coupled.
///   W = μ/2 (I1 − 3) − μ ln J + λ/2 (ln J)²,  P = μ (F − F⁻ᵀ) + λ ln(J) F⁻ᵀ
///   Young's modulus [Pa] and Poisson's ratio [1] give λ and μ [Pa] as in linear elasticity
/// Isochoric part: W = μ/2 (Ī1 − 3) with ν = 1/2, so μ = E/3.
/// Bonet, Wood: Nonlinear Continuum Mechanics for Finite Element Analysis (2008), section 6.4.3.
struct NeoHookean {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "neo_hookean";
  static constexpr std::string_view doc =
      "Neo-Hookean, coupled: W = μ/2 (I1 − 3) − μ ln J + λ/2 (ln J)²";
  static constexpr std::array compressible_parameters{elastic_constants::young,
                                                      elastic_constants::poisson};
  static constexpr std::array isochoric_parameters{elastic_constants::young_incompressible};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const Invariants<T>& c, std::span<const S> p) {
    const S &young = p[0], &poisson = p[1], mu = shear_modulus(young, poisson);
    const T log_j = log1p(c.j1);
    return mu * (0.5 * c.k1 - log1pmx(c.j1)) + 0.5 * first_lame(young, poisson) * log_j * log_j;
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S& young = p[0];
    return young / 6.0 * c.d1;
  }
};

}  // namespace invar
