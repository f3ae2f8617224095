#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/small_strain.hpp"

namespace invar {

/// Isotropic linear elasticity (Hooke's law), small strains.
///   ε = sym H,  W = λ/2 (tr ε)² + μ ε:ε,  σ = λ tr(ε) I + 2μ ε
///   E Young's modulus [Pa], ν Poisson's ratio [1], λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)) [Pa]
/// Isochoric part: W = μ dev ε : dev ε with ν = 1/2, so μ = E/3.
/// Gurtin, Fried, Anand: The Mechanics and Thermodynamics of Continua (2010), ch. 52.
struct LinearElastic {
  template <class T>
  using Measure = SmallStrain<T>;

  static constexpr std::string_view name = "linear_elastic";
  static constexpr std::string_view doc =
      "Isotropic linear elasticity, small strains: W = λ/2 (tr ε)² + μ ε:ε";
  static constexpr std::array compressible_parameters{elastic_constants::young,
                                                      elastic_constants::poisson};
  static constexpr std::array isochoric_parameters{elastic_constants::young_incompressible};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const SmallStrain<T>& e, std::span<const S> p) {
    const S &young = p[0], &poisson = p[1];
    const T trace = e.trace();
    return 0.5 * first_lame(young, poisson) * trace * trace + shear_modulus(young, poisson) * e.squared_norm();
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const SmallStrain<T>& e, std::span<const S> p) {
    const S& young = p[0];
    return young / 3.0 * e.squared_norm();
  }
};

}  // namespace invar
