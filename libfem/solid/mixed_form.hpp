#pragma once
#include "libfem/math/near_zero.hpp"
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/swollen_growth.hpp"

namespace invar {

/// Incompressible and nearly incompressible solids, unknowns u [m] and pressure p [Pa] (positive in
/// compression):
///   Π(u, p) = ∫ W_iso(H) − p (J − 1) − p²/(2κ) dV        finite strain, J = det F
///   Π(u, p) = ∫ W_iso(H) − p tr H   − p²/(2κ) dV         small strain
/// A law that swells by s (SwollenMaterial) is free of stress at the volume ratio g = (1 + s)³: J − g stands for J − 1, and
/// g p²/(2κ) for p²/(2κ); at small strains tr H − 3 s for tr H.
/// κ [Pa] is the bulk modulus; κ = ∞ makes the solid exactly incompressible. u of second order with p
/// of first order (Taylor–Hood) is stable. Reference: Boffi, Brezzi, Fortin, Mixed Finite Element
/// Methods and Applications, ch. 8. Coefficients: the isochoric law's parameters, then κ. M: as of DisplacementForm.
template <class K, class M>
struct MixedForm {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + 1;
  static constexpr std::array<int, K::dim + 1> basis = [] {
    std::array<int, K::dim + 1> b{};
    b[K::dim] = 1;
    return b;
  }();
  static constexpr auto slots = join(K::slots, std::array<Slot, 1>{{{K::dim, -1}}});
  static constexpr bool symmetric = true, saddle_point = true, uses_position = K::uses_position, scales_with_measure = true;
  static constexpr std::size_t ns = K::slots.size() + 1;

  static constexpr int most_coefficients = M::most_parameters + 1;
  M material;
  int swelling = -1;  // index of the swelling parameter s; −1: none

  INVAR_HD int n_coefficients() const { return material.parameter_count() + 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    const R pressure(z[ns - 1]);
    const Swollen<Tp> rest = swollen(p);
    const R growth = (material.finite_strain() ? det1pm1(H) : trace(H)) - rest.growth;
    const auto half_compliance = 0.5 * rest.volume / p[n_coefficients() - 1];
    const R w = material.template at<0, R, Tp>(H, p).energy - pressure * growth -
                pressure * pressure * half_compliance;
    return R(w * K::volume(g));
  }

  /// ∂Π/∂z with ∂J/∂H = cof F: equals the derivative of `density` by duals, with one level of duals less.
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    const auto response = material.template at<1, R, Tp>(H, p);
    const R pressure(z[ns - 1]);
    const auto volume = K::volume(g);
    const bool finite = material.finite_strain();
    const Matrix<R, 3, 3> dJ = finite ? cofactor(deformation_gradient(H)) : identity<R, 3>();
    const Swollen<Tp> rest = swollen(p);
    const R growth = (finite ? det1pm1(H) : trace(H)) - rest.growth;
    std::array<R, ns> f;
    static_for<int(ns) - 1>([&](auto s) {
      constexpr int k = K::entries[s].index;
      f[s] = (response.stress[k] - pressure * dJ.entries[k]) * (volume * h_factor<K>(s, g));
    });
    f[ns - 1] = -(growth + pressure * (rest.volume / p[n_coefficients() - 1])) * volume;
    return f;
  }

  template <class T>
  INVAR_HD T admissibility(const std::array<T, ns>& z, const PointGeometry<T, dim, dim>& g) const {
    return material.finite_strain() ? volume_ratio(displacement_gradient<K, T>(z, g)) : T(1.0);
  }

 private:
  /// Stress-free change of volume, and the volume factor of the elastic energy.
  template <class Tp>
  struct Swollen {
    Tp growth, volume;
  };
  template <class Tp>
  INVAR_HD Swollen<Tp> swollen(const Tp* p) const {
    if (swelling < 0) return {Tp(0.0), Tp(1.0)};
    const bool finite = material.finite_strain();
    const Tp growth = swollen_growth(p[swelling], finite);
    return {growth, finite ? Tp(1.0 + growth) : Tp(1.0)};
  }
};

}  // namespace invar
