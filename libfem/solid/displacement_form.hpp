#pragma once
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/material_point.hpp"

namespace invar {

/// Static equilibrium of a hyperelastic solid, unknown u [m]:
///   strong form   −Div P(H) = 0,  P = ∂W/∂H,  H = ∂u/∂X
///   potential     Π(u) = ∫ W(H; p) dV        [J]
/// Coefficients: the material's parameters. References: Holzapfel, Nonlinear Solid Mechanics, ch. 8.
template <class K>
struct DisplacementForm {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;
  static constexpr std::size_t ns = K::slots.size();

  std::shared_ptr<const Material> material;

  int n_coefficients() const { return static_cast<int>(material->parameters().size()); }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    return R(material_point<0, R, Tp>(*material, H, p).energy * K::volume(g));
  }

  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, R>(z, g);
    const auto P = material_point<1, R, Tp>(*material, H, p).stress;
    const auto volume = K::volume(g);
    std::array<R, ns> f;
    for (std::size_t s = 0; s < ns; ++s) f[s] = P[K::entries[s].index] * (volume * h_factor<K>(s, g));
    return f;
  }

  void tangent(const std::array<Pack, ns>& z, const PointGeometry<Pack, dim, dim>& g, const Pack* p,
               std::array<std::array<Pack, ns>, ns>& D) const {
    const std::span<const Pack> parameters(p, material->parameters().size());
    MaterialResponse<Pack> r;
    material->evaluate(displacement_gradient<K, Pack>(z, g), parameters, {false, false, true, false}, r);
    const Pack volume = K::volume(g);
    for (std::size_t s = 0; s < ns; ++s) {
      const Pack left = volume * h_factor<K>(s, g);
      for (std::size_t t = s; t < ns; ++t)
        D[s][t] = r.tangent[K::entries[s].index][K::entries[t].index] * (left * h_factor<K>(t, g));
    }
  }

  /// det F; small-strain laws admit every displacement.
  template <class T>
  T admissibility(const std::array<T, ns>& z, const PointGeometry<T, dim, dim>& g) const {
    return material->finite_strain() ? volume_ratio(displacement_gradient<K, T>(z, g)) : T(1.0);
  }
};

}  // namespace invar
