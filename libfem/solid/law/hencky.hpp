#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/math/log_stretch_squared.hpp"
#include "libfem/math/spectral.hpp"
#include "libfem/solid/green_strain.hpp"
#include "libfem/solid/law/elastic_constants.hpp"

namespace invar {

/// Hencky's law: Hooke's law between Kirchhoff's stress and the logarithmic strain.
///   W = μ Σ_a (ln λ_a)² + λ/2 (ln J)²,  τ = 2 μ ln V + λ ln J I
///   Young's modulus [Pa] and Poisson's ratio [1] give λ and μ [Pa] as in linear elasticity
/// Moderate elastic strains, as of metals: it is not elliptic at large ones (tension beyond a stretch of e). With `plasticity` the
/// law of the elastic part of the deformation (`FinitePlasticFlow`). Isochoric part: μ Σ_a (ln λ̄_a)² with ν = 1/2, so μ = E/3.
/// Hencky, Z. techn. Phys. 9 (1928) 215; Anand, J. Appl. Mech. 46 (1979) 78.
struct Hencky {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "hencky";
  static constexpr std::string_view doc = "Hencky: W = μ Σ (ln λ_a)² + λ/2 (ln J)², Hooke's law of the logarithmic strain";
  static constexpr std::array compressible_parameters{elastic_constants::young, elastic_constants::poisson};
  static constexpr std::array isochoric_parameters{elastic_constants::young_incompressible};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const GreenStrain<T>& E, std::span<const S> p) {
    const S &young = p[0], &poisson = p[1];
    const T log_j = log1p(E.dilatation());
    return shear_modulus(young, poisson) * trace_of_function(E.matrix(), LogStretchSquared{}) + 0.5 * first_lame(young, poisson) * log_j * log_j;
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& E, std::span<const S> p) {
    return p[0] / 3.0 * trace_of_function(E.matrix(), LogStretchSquared{});
  }
};

}  // namespace invar
