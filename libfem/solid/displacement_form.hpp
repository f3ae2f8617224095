#pragma once
#include "libfem/solid/kinematics.hpp"

namespace invar {

/// Static equilibrium of a hyperelastic solid, unknown u [m]:
///   strong form   −Div P(H) = 0,  P = ∂W/∂H,  H = ∂u/∂X
///   potential     Π(u) = ∫ W(H; p) dV        [J]
/// Coefficients: the material's parameters. M: SharedMaterial, or LawMaterial where no call may be virtual. References:
/// Holzapfel, Nonlinear Solid Mechanics, ch. 8.
template <class K, class M>
struct DisplacementForm {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position, scales_with_measure = true;
  static constexpr std::size_t ns = K::slots.size();

  static constexpr int most_coefficients = M::most_parameters;
  M material;

  int n_coefficients() const { return material.parameter_count(); }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    return R(material.template at<0, R, Tp>(H, p).energy * K::volume(g));
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    const auto response = material.template at<1, R, Tp>(H, p);
    const auto volume = K::volume(g);
    std::array<R, ns> f;
    static_for<int(ns)>([&](auto s) { f[s] = response.stress[K::entries[s].index] * (volume * h_factor<K>(s, g)); });
    return f;
  }

  template <class B>
  INVAR_HD void tangent(const std::array<B, ns>& z, const PointGeometry<B, dim, dim>& g, const B* p,
                        std::array<std::array<B, ns>, ns>& D) const {
    B A[9][9];
    material.tangent(displacement_gradient<K, B>(z, g), p, A);
    const B volume = K::volume(g);
    static_for<int(ns)>([&](auto s) {
      const B left = volume * h_factor<K>(s, g);
      static_for<int(ns)>([&](auto t) {
        if constexpr (s <= t) D[s][t] = A[K::entries[s].index][K::entries[t].index] * (left * h_factor<K>(t, g));
      });
    });
  }

  /// det F; small-strain laws, and laws of void, admit every displacement.
  template <class T>
  INVAR_HD T admissibility(const std::array<T, ns>& z, const PointGeometry<T, dim, dim>& g) const {
    return material.keeps_orientation() ? volume_ratio(displacement_gradient<K, T>(z, g)) : T(1.0);
  }
};

}  // namespace invar
