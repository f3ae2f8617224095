#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/small_strain.hpp"

namespace invar {

/// Orthotropic linear elasticity, small strains, symmetry axes along x, y, z.
///   ε = sym H,  W = ½ ε·S⁻¹ε over the normal strains + 2 Σ G_ij ε_ij²
///   S_ii = 1/E_i,  S_ij = −ν_ij/E_i:  pulling along i by ε_i gives −ν_ij ε_i along j
///   E_i Young's moduli [Pa], ν_ij Poisson's ratios [1], G_ij shear moduli [Pa]
/// The law is stable when S is positive definite: |ν_ij| < √(E_i/E_j) and det S > 0.
/// Isochoric part: the volume cannot change when every row of S sums to zero, which leaves
/// S_12 = −½ (1/E1 + 1/E2 − 1/E3) and so on; the law then depends on E_i and G_ij alone.
/// Jones: Mechanics of Composite Materials (1999), sections 2.2 to 2.4.
struct Orthotropic {
  template <class T>
  using Measure = SmallStrain<T>;

  static constexpr std::string_view name = "orthotropic";
  static constexpr std::string_view doc =
      "Orthotropic linear elasticity along x, y, z, small strains: nine engineering constants";

  static constexpr std::array compressible_parameters{
      elastic_constants::modulus("E1", "Young's modulus along x"),
      elastic_constants::modulus("E2", "Young's modulus along y"),
      elastic_constants::modulus("E3", "Young's modulus along z"),
      elastic_constants::ratio("nu12", "Poisson's ratio −ε_y/ε_x under a pull along x"),
      elastic_constants::ratio("nu23", "Poisson's ratio −ε_z/ε_y under a pull along y"),
      elastic_constants::ratio("nu13", "Poisson's ratio −ε_z/ε_x under a pull along x"),
      elastic_constants::modulus("G12", "shear modulus in the x-y plane"),
      elastic_constants::modulus("G23", "shear modulus in the y-z plane"),
      elastic_constants::modulus("G13", "shear modulus in the x-z plane")};
  static constexpr std::array isochoric_parameters{
      elastic_constants::modulus("E1", "Young's modulus along x"),
      elastic_constants::modulus("E2", "Young's modulus along y"),
      elastic_constants::modulus("E3", "Young's modulus along z"),
      elastic_constants::modulus("G12", "shear modulus in the x-y plane"),
      elastic_constants::modulus("G23", "shear modulus in the y-z plane"),
      elastic_constants::modulus("G13", "shear modulus in the x-z plane")};

  template <class T, class S>
  INVAR_HD static T compressible_energy(const SmallStrain<T>& e, std::span<const S> p) {
    const S &E1 = p[0], &E2 = p[1], &E3 = p[2], &nu12 = p[3], &nu23 = p[4], &nu13 = p[5];
    const S s11 = 1.0 / E1, s22 = 1.0 / E2, s33 = 1.0 / E3;
    const S s12 = -nu12 / E1, s23 = -nu23 / E2, s13 = -nu13 / E1;
    const S a11 = s22 * s33 - s23 * s23, a12 = s13 * s23 - s12 * s33, a13 = s12 * s23 - s13 * s22;
    const S a22 = s11 * s33 - s13 * s13, a23 = s12 * s13 - s11 * s23, a33 = s11 * s22 - s12 * s12;
    const S det = s11 * a11 + s12 * a12 + s13 * a13;
    const T normal = a11 * e.xx * e.xx + a22 * e.yy * e.yy + a33 * e.zz * e.zz +
                     2.0 * (a12 * e.xx * e.yy + a23 * e.yy * e.zz + a13 * e.xx * e.zz);
    return 0.5 / det * normal + shear_energy(e, p.subspan(6));
  }

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const SmallStrain<T>& e, std::span<const S> p) {
    const S &E1 = p[0], &E2 = p[1], &E3 = p[2];
    const S s11 = 1.0 / E1, s22 = 1.0 / E2;
    const S s12 = -0.5 * (s11 + s22 - 1.0 / E3);
    const T normal = s22 * e.xx * e.xx - 2.0 * s12 * e.xx * e.yy + s11 * e.yy * e.yy;
    return 0.5 / (s11 * s22 - s12 * s12) * normal + shear_energy(e, p.subspan(3));
  }

 private:
  template <class T, class S>
  INVAR_HD static T shear_energy(const SmallStrain<T>& e, std::span<const S> moduli) {
    const S &G12 = moduli[0], &G23 = moduli[1], &G13 = moduli[2];
    return 2.0 * (G12 * e.xy * e.xy + G23 * e.yz * e.yz + G13 * e.xz * e.xz);
  }
};

}  // namespace invar
