#pragma once
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/symmetric_components.hpp"

namespace invar {

/// (1 − e^(−x)) / x, also near 0.
template <class T>
INVAR_HD T relaxed_part(const T& x) {
  const T series = 1.0 - x * (0.5 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120 - x * (1.0 / 720)))));
  const auto small = x < 0.02;
  const T safe = select(small, T(1.0), x);
  return select(small, series, T((1.0 - exp(-safe)) / safe));
}

/// Generalised Maxwell elements beside whatever law (finite linear viscoelasticity): overstresses Q_i, second
/// Piola–Kirchhoff, that follow the stress of an isochoric neo-Hookean law of unit modulus and relax,
///   Q̇_i + Q_i / τ_i = G_i dS/dt,   S = J^(−2/3) (I − ⅓ tr C C⁻¹)
/// At small strain: a shear modulus G(t) = G∞ + Σ G_i exp(−t/τ_i), G∞ the law's. Over a step of length h in which
/// S goes straight from S_n to S, which is exact for whatever h of a strain that rests or ramps:
///   Q_i = e^(−x) Q_i,n + G_i (1 − e^(−x))/x (S − S_n),   x = h/τ_i
/// A step has a potential in the strain at its end, so its tangent is symmetric. Coefficients: G_1 [Pa], τ_1 [s],
/// G_2, …. Remembered: Q_1, Q_2, …, S_n. Simo, Comput. Meth. Appl. Mech. Engrg. 60 (1987) 153; Holzapfel,
/// Nonlinear Solid Mechanics, ch. 6.10. The relaxing isochoric stress is neo-Hookean whatever the law.
template <class K>
struct MaxwellBranches {
  using Components = SymmetricComponents<K>;
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim, n = Components::count;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t ns = K::slots.size();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;
  static constexpr int max_branches = max_memory / n - 1;

  int branches;

  int n_coefficients() const { return 2 * branches; }
  int n_memory() const { return (branches + 1) * n; }

  /// The potential of a step: Σ_i ½ (e^(−x) Q_i,n − w_i S_n) : C + w_i ½ J^(−2/3) tr C, w_i = G_i (1 − e^(−x))/x.
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    using M = PromotedOf<Tz, Tg>;
    const Matrix<M, 3, 3> F = deformation<M>(z, g), C = matmul(transpose(F), F);
    const Tp* history = p + n_coefficients();
    const Tp& step = history[n_memory()];
    Tp stress[n], weight(0.0);
    for (int k = 0; k < n; ++k) stress[k] = Tp(0.0);
    for (int i = 0; i < branches; ++i) {
      const Tp x = step / p[2 * i + 1], w = p[2 * i] * relaxed_part(x), decay = exp(-x);
      weight += w;
      for (int k = 0; k < n; ++k) stress[k] += decay * history[i * n + k];
    }
    R energy = (0.5 * weight) * (trace(C) * isochoric_factor(F) - 3.0);
    for (int k = 0; k < n; ++k)
      energy += (0.5 * Components::weight(k)) * (stress[k] - weight * history[branches * n + k]) *
                C(Components::row(k), Components::column(k));
    return R(energy * K::volume(g));
  }

  template <class Tz, class Tg, class Tp, class R>
  INVAR_HD void remember(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, R* h) const {
    using M = PromotedOf<Tz, Tg>;
    const Matrix<M, 3, 3> F = deformation<M>(z, g), C = matmul(transpose(F), F), inverse_C = inverse(C);
    const M factor = isochoric_factor(F), third = trace(C) / 3.0;
    const Tp* history = p + n_coefficients();
    const Tp& step = history[n_memory()];
    for (int k = 0; k < n; ++k) {
      const int i = Components::row(k), j = Components::column(k);
      h[branches * n + k] = R(factor * ((i == j ? 1.0 : 0.0) - third * inverse_C(i, j)));
    }
    for (int i = 0; i < branches; ++i) {
      const Tp x = step / p[2 * i + 1], w = p[2 * i] * relaxed_part(x), decay = exp(-x);
      for (int k = 0; k < n; ++k)
        h[i * n + k] = R(decay * history[i * n + k] + w * (h[branches * n + k] - history[branches * n + k]));
    }
  }

 private:
  template <class M, class Tz, class Tg>
  INVAR_HD static Matrix<M, 3, 3> deformation(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g) {
    Matrix<M, 3, 3> F = displacement_gradient<K, M>(z, g);
    for (int i = 0; i < 3; ++i) F(i, i) += 1.0;
    return F;
  }
  /// J^(−2/3)
  template <class M>
  INVAR_HD static M isochoric_factor(const Matrix<M, 3, 3>& F) {
    const M root = cbrt(det(F));
    return 1.0 / (root * root);
  }
};

}  // namespace invar
