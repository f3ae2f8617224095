#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/fibre_direction.hpp"
#include "libfem/solid/law/elastic_constants.hpp"

namespace invar {

/// Transversely isotropic Hooke's law in the Green–Lagrange strain: bodies with one direction a of fibres, large
/// rotations, small strains, the same in tension and compression.
///   e = a·E a, s = tr E − e, r = |E a|²
///   W = ½ C11 e² + C12 e s + ½ C23 s² + G_T (E:E − 2 r + e²) + 2 G_L (r − e²)
///   C11 = E_L (1 − ν_T)/D, C12 = E_T ν_L/D, C23 = E_T (ν_T + n ν_L²)/((1 + ν_T) D), n = E_T/E_L,
///   D = 1 − ν_T − 2 n ν_L², G_T = E_T/(2 (1 + ν_T))
/// E_L, E_T Young's moduli along and across the fibres [Pa], ν_L contraction across when pulled along, ν_T across when
/// pulled across [1], G_L shear modulus along the fibres [Pa].
/// Isochoric part, of C̄: ν_L = ½, ν_T = 1 − n/2, by which no small pull changes the volume; E_L, E_T and G_L are left.
/// Spencer: Continuum Theory of the Mechanics of Fibre-Reinforced Composites (1984); Jones (1999), section 2.4.
struct TransverselyIsotropic {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "transversely_isotropic";
  static constexpr std::string_view doc =
      "Hooke's law in the Green–Lagrange strain with one direction of fibres: five engineering constants and the direction";
  static constexpr std::array compressible_parameters{
      elastic_constants::modulus("E_along", "Young's modulus along the fibres"),
      elastic_constants::modulus("E_across", "Young's modulus across the fibres"),
      elastic_constants::ratio("nu_along", "Poisson's ratio: contraction across under a pull along the fibres"),
      elastic_constants::ratio("nu_across", "Poisson's ratio: contraction across under a pull across the fibres"),
      elastic_constants::modulus("G_along", "shear modulus along the fibres"),
      fibre_constants::angle("angle"),
      fibre_constants::elevation("elevation")};
  static constexpr std::array isochoric_parameters{compressible_parameters[0], compressible_parameters[1],
                                                   compressible_parameters[4], compressible_parameters[5],
                                                   compressible_parameters[6]};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const GreenStrain<T>& E, std::span<const S> p) {
    const S &along = p[0], &across = p[1], &nu_l = p[2], &nu_t = p[3];
    const S share = across / along * nu_l * nu_l, D = 1.0 - nu_t - 2.0 * share;
    const Parts<T> z(E, FibreDirection<S>(p[5], p[6]));
    const T s = E.trace() - z.e;
    const T coupled = 0.5 * (along * (1.0 - nu_t)) * z.e * z.e + (across * nu_l) * z.e * s +
                      0.5 * (across * (nu_t + share) / (1.0 + nu_t)) * s * s;
    return coupled / D + 0.5 * across / (1.0 + nu_t) * z.across + 2.0 * p[4] * z.sheared;
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& E, std::span<const S> p) {
    const S &along = p[0], &across = p[1], shear = across / (4.0 - across / along);
    const Parts<T> z(E, FibreDirection<S>(p[3], p[4]));
    return 0.5 * (along - shear) * z.e * z.e + shear * z.across + 2.0 * p[2] * z.sheared;
  }

 private:
  template <class T>
  struct Parts {
    T e, across, sheared;  // a·E a; squared strains in the plane across; of shear along the fibres

    template <class S>
    INVAR_HD Parts(const GreenStrain<T>& E, const FibreDirection<S>& a) {
      const std::array<T, 3> v = a.times(E);
      e = a.dot(v);
      sheared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - e * e;
      across = E.squared_norm() - 2.0 * sheared - e * e;
    }
  };
};

}  // namespace invar
