#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/invariants.hpp"

namespace invar {

/// Saint Venant–Kirchhoff law: Hooke's law in the Green–Lagrange strain. For large rotations and
/// small strains; it softens and collapses under strong compression.
///   E = (C − I)/2,  W = λ/2 (tr E)² + μ E:E,  second Piola–Kirchhoff stress S = λ tr(E) I + 2μ E
///   Young's modulus [Pa] and Poisson's ratio [1] give λ and μ [Pa] as in linear elasticity
/// Isochoric part: W = μ Ē:Ē, Ē = (C̄ − I)/2, with ν = 1/2, so μ = E/3.
/// Ciarlet: Mathematical Elasticity I (1988), section 3.9.
struct SaintVenantKirchhoff {
  template <class T>
  using Measure = Invariants<T>;

  static constexpr std::string_view name = "saint_venant_kirchhoff";
  static constexpr std::string_view doc =
      "Hooke's law in the Green–Lagrange strain E = (C − I)/2: W = λ/2 (tr E)² + μ E:E";
  static constexpr std::array compressible_parameters{elastic_constants::young,
                                                      elastic_constants::poisson};
  static constexpr std::array isochoric_parameters{elastic_constants::young_incompressible};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const Invariants<T>& c, std::span<const S> p) {
    const S &young = p[0], &poisson = p[1];
    const T trace = 0.5 * c.k1 + c.j1, squared_norm = trace * trace + c.k1 - 0.5 * c.k2;  // tr E, E:E
    return 0.5 * first_lame(young, poisson) * trace * trace + shear_modulus(young, poisson) * squared_norm;
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const IsochoricInvariants<T>& c, std::span<const S> p) {
    const S& young = p[0];
    return young / 3.0 * (0.25 * c.d1 * c.d1 + c.d1 - 0.5 * c.d2);
  }
};

}  // namespace invar
