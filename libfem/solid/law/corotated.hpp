#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/math/spectral.hpp"
#include "libfem/math/stretch_distance.hpp"
#include "libfem/solid/green_strain.hpp"
#include "libfem/solid/law/elastic_constants.hpp"

namespace invar {

/// Fixed corotated law: Hooke's law in the stretch, with the volume measured by J.
///   W = μ |F − R|² + λ/2 (J − 1)² = μ Σ_a (λ_a − 1)² + λ/2 (J − 1)²,  F = R U
///   Young's modulus [Pa] and Poisson's ratio [1] give λ and μ [Pa] as in linear elasticity
/// Large rotations and moderate strains; linear in the stretch, so it does not soften under compression as Saint
/// Venant–Kirchhoff's law does. Isochoric part: μ Σ_a (λ̄_a − 1)² with ν = 1/2, so μ = E/3.
/// Stomakhin, Howes, Schroeder, Teran: Energetically Consistent Invertible Elasticity (SCA 2012), with J ≥ 0 here.
struct Corotated {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "corotated";
  static constexpr std::string_view doc = "Fixed corotated: W = μ |F − R|² + λ/2 (J − 1)², R the rotation in F";
  static constexpr std::array compressible_parameters{elastic_constants::young, elastic_constants::poisson};
  static constexpr std::array isochoric_parameters{elastic_constants::young_incompressible};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const GreenStrain<T>& E, std::span<const S> p) {
    const S &young = p[0], &poisson = p[1];
    const T d = E.dilatation();
    return shear_modulus(young, poisson) * trace_of_function(E.matrix(), StretchDistance{}) + 0.5 * first_lame(young, poisson) * d * d;
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& E, std::span<const S> p) {
    return p[0] / 3.0 * trace_of_function(E.matrix(), StretchDistance{});
  }
};

}  // namespace invar
