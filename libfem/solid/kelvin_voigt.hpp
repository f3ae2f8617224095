#pragma once
#include "libfem/solid/kinematics.hpp"

namespace invar {

/// S of `KelvinVoigt`; p: η, ζ.
template <class R, class M, class Tp>
INVAR_HD Matrix<R, 3, 3> kelvin_voigt_stress(const Matrix<M, 3, 3>& F, const Matrix<M, 3, 3>& F_dot, const Tp* p) {
  const Matrix<M, 3, 3> C_half = matmul(transpose(F), F_dot);
  const Tp &shear_viscosity = p[0], &bulk_viscosity = p[1];
  const R bulk = bulk_viscosity - (2.0 / 3.0) * shear_viscosity;
  Matrix<R, 3, 3> S;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S(i, j) = shear_viscosity * (C_half(i, j) + C_half(j, i));
  const R volumetric = bulk * trace(C_half);
  for (int i = 0; i < 3; ++i) S(i, i) += volumetric;
  return S;
}

/// Viscous stress of a Kelvin–Voigt solid, added to any elastic law: the second Piola–Kirchhoff stress
///   S = 2 η Ė + (ζ − ⅔ η) tr(Ė) I,   Ė = sym(Fᵀ Ḟ)
/// with shear viscosity η [Pa s] and bulk viscosity ζ [Pa s]. Objective at any rotation; at small strain a Newtonian
/// dashpot in parallel with the spring. r(v) = ∫ F S : ∇v dV. Coefficients: η, ζ.
template <class K>
struct KelvinVoigt {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t n = K::slots.size(), ns = 2 * n;
  static constexpr auto slots = join(K::slots, at_level(Level::rate, K::slots));
  static constexpr bool symmetric = false, uses_position = K::uses_position;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    using M = PromotedOf<Tz, Tg>;
    std::array<Tz, n> rate;
    for (std::size_t s = 0; s < n; ++s) rate[s] = z[n + s];
    Matrix<M, 3, 3> F = displacement_gradient<K, M>(z, g);
    for (int i = 0; i < 3; ++i) F(i, i) += 1.0;
    const Matrix<M, 3, 3> F_dot = displacement_gradient<K, M>(rate, g);
    const Matrix<R, 3, 3> S = kelvin_voigt_stress<R>(F, F_dot, p);
    std::array<R, ns> f;
    const Tg volume = K::volume(g);
    static_for<static_cast<int>(n)>([&](auto s) {
      constexpr int at = K::entries[s].index, i = at / 3, j = at % 3;
      R stress(0.0);
      for (int k = 0; k < 3; ++k) stress += F(i, k) * S(k, j);
      f[s] = stress * (volume * h_factor<K>(s, g));
      f[n + s] = R(0.0);
    });
    return f;
  }
};

}  // namespace invar
