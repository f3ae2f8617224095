#pragma once
#include "libfem/solid/kinematics.hpp"

namespace invar {

/// T f ⊗ f with the normalised direction, the S of `ActiveStress`; p: T, f_x, f_y, (f_z).
template <class R, int Dim, class Tp>
INVAR_HD Matrix<R, 3, 3> active_stress(const Tp* p) {
  Tp square(0.0);
  for (int i = 0; i < Dim; ++i) square += p[1 + i] * p[1 + i];
  const Tp tension = p[0] / square;
  Matrix<R, 3, 3> S;
  for (int k = 0; k < 9; ++k) S.entries[k] = R(0.0);
  for (int i = 0; i < Dim; ++i)
    for (int j = 0; j < Dim; ++j) S(i, j) = R(tension * p[1 + i] * p[1 + j]);
  return S;
}

/// Active tension of muscle fibres, added to any law: energy ½ T |F f|² per undeformed volume, which adds T f ⊗ f to
/// the second Piola–Kirchhoff stress. f is the fibres' undeformed direction (unit vector). Coefficients: T [Pa], f_x,
/// f_y, (f_z); the vector is normalised.
template <class K>
struct ActiveStress {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t ns = K::slots.size();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;
  int n_coefficients() const { return 1 + dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R stretched(0.0);
    for (const auto& along : stretched_fibre(z, g, p)) stretched += along * along;
    return R(0.5 * tension(p) * stretched * K::volume(g));
  }

  /// P = T (F f) ⊗ f
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto Ff = stretched_fibre(z, g, p);
    const auto pull = tension(p) * K::volume(g);
    std::array<R, ns> f;
    static_for<static_cast<int>(ns)>([&](auto s) {
      constexpr int i = K::entries[s].index / 3, j = K::entries[s].index % 3;
      if constexpr (i < dim && j < dim) f[s] = R(pull * (Ff[i] * p[1 + j]));
      else f[s] = R(0.0);  // the hoop direction: fibres lie in the plane
    });
    return f;
  }

 private:
  /// T / |f|²
  template <class Tp>
  INVAR_HD static Tp tension(const Tp* p) {
    Tp length(0.0);
    for (int j = 0; j < dim; ++j) length += p[1 + j] * p[1 + j];
    return p[0] / length;
  }
  /// F f
  template <class Tz, class Tg, class Tp>
  INVAR_HD static auto stretched_fibre(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto H = displacement_gradient<K, PromotedOf<Tz, Tg>>(z, g);
    std::array<R, dim> Ff;
    for (int i = 0; i < dim; ++i) {
      Ff[i] = R(p[1 + i]);
      for (int j = 0; j < dim; ++j) Ff[i] += H(i, j) * p[1 + j];
    }
    return Ff;
  }
};

}  // namespace invar
