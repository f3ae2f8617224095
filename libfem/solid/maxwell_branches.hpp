#pragma once
#include "libfem/solid/invariants.hpp"
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/symmetric_components.hpp"

namespace invar {

/// (1 − e^(−x)) / x, also near 0.
template <class T>
INVAR_HD T relaxed_part(const T& x) {
  const T series = 1.0 - x * (0.5 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120 - x * (1.0 / 720)))));
  const auto small = x < 0.02;
  const T safe = select(small, T(1.0), x);
  return select(small, series, T(-expm1(T(-safe)) / safe));
}

/// Generalised Maxwell elements added to any law (finite linear viscoelasticity): overstresses Q_i (second
/// Piola–Kirchhoff) that follow the stress of an isochoric neo-Hookean law of unit modulus and relax,
///   Q̇_i + Q_i / τ_i = G_i dS/dt,   S = J^(−2/3) (I − ⅓ tr C C⁻¹) = 2 J^(−2/3) C⁻¹ dev E
/// At small strain this is a shear modulus G(t) = G∞ + Σ G_i exp(−t/τ_i), with G∞ from the law. A step of length h
/// assumes that S varies linearly from S_n to S, which is exact for constant strain and for strain ramps with any h:
///   Q_i = e^(−x) Q_i,n + G_i (1 − e^(−x))/x (S − S_n),   x = h/τ_i
/// A step has a potential in the strain at its end, so its tangent is symmetric. Coefficients: G_1 [Pa], τ_1 [s], G_2,
/// …. History variables: Q_1, Q_2, …, S_n.
/// Simo, Comput. Meth. Appl. Mech. Engrg. 60 (1987) 153; Holzapfel, Nonlinear Solid Mechanics, ch. 6.10. The relaxing
/// isochoric stress is neo-Hookean for every law.
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

  /// The potential of a step: Σ_i (e^(−x) Q_i,n − w_i S_n) : E + w_i ½ (Ī₁ − 3), w_i = G_i (1 − e^(−x))/x.
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    using M = PromotedOf<Tz, Tg>;
    const Matrix<M, 3, 3> H = displacement_gradient<K, M>(z, g), E = GreenStrain<M>::of(H).matrix();
    Tp stress[n];
    const Tp weight = held(p, stress);
    R energy = (0.5 * weight) * Invariants<M>::of(H).isochoric().d1;
    for (int k = 0; k < n; ++k) energy += Components::weight(k) * stress[k] * E(Components::row(k), Components::column(k));
    return R(energy * K::volume(g));
  }

  /// Its derivative: F times the second Piola–Kirchhoff stress Σ_i e^(−x) Q_i,n + w_i (S − S_n).
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    using M = PromotedOf<Tz, Tg>;
    const Matrix<M, 3, 3> H = displacement_gradient<K, M>(z, g);
    M isochoric[n];
    isochoric_stress(H, isochoric);
    Tp stress[n];
    const Tp weight = held(p, stress);
    R sum[n];
    for (int k = 0; k < n; ++k) sum[k] = R(weight * isochoric[k] + stress[k]);
    const Matrix<R, 3, 3> S = Components::full(sum);
    const auto volume = K::volume(g);
    std::array<R, ns> f;
    for (std::size_t s = 0; s < ns; ++s) {
      const int i = K::entries[s].index / 3, j = K::entries[s].index % 3;
      const R P = S(i, j) + (H(i, 0) * S(0, j) + H(i, 1) * S(1, j) + H(i, 2) * S(2, j));
      f[s] = R(P * (volume * h_factor<K>(s, g)));
    }
    return f;
  }

  template <class Tz, class Tg, class Tp, class R>
  INVAR_HD void update_memory(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, R* h) const {
    using M = PromotedOf<Tz, Tg>;
    M isochoric[n];
    isochoric_stress(displacement_gradient<K, M>(z, g), isochoric);
    const Tp* history = p + n_coefficients();
    const Tp& step = history[n_memory()];
    for (int k = 0; k < n; ++k) h[branches * n + k] = R(isochoric[k]);
    for (int i = 0; i < branches; ++i) {
      const Tp x = step / p[2 * i + 1], w = p[2 * i] * relaxed_part(x), decay = exp(-x);
      for (int k = 0; k < n; ++k)
        h[i * n + k] = R(decay * history[i * n + k] + w * (h[branches * n + k] - history[branches * n + k]));
    }
  }

 private:
  /// S = 2 J^(−2/3) C⁻¹ dev E
  template <class M>
  INVAR_HD static void isochoric_stress(const Matrix<M, 3, 3>& H, M* S) {
    const Matrix<M, 3, 3> E = GreenStrain<M>::of(H).matrix();
    const Matrix<M, 3, 3> direction = matmul(inverse(deformation_gradient(2.0 * E)), dev(E));
    const M s = 1.0 + cbrt1pm1(det1pm1(H)), factor = 2.0 / (s * s);
    for (int k = 0; k < n; ++k) S[k] = factor * direction(Components::row(k), Components::column(k));
  }
  /// The part of the stress at the end of the step that does not depend on S: Σ_i e^(−x) Q_i,n − w_i S_n. Returns Σ_i
  /// w_i.
  template <class Tp>
  INVAR_HD Tp held(const Tp* p, Tp* stress) const {
    const Tp* history = p + n_coefficients();
    const Tp& step = history[n_memory()];
    Tp weight(0.0);
    for (int k = 0; k < n; ++k) stress[k] = Tp(0.0);
    for (int i = 0; i < branches; ++i) {
      const Tp x = step / p[2 * i + 1], w = p[2 * i] * relaxed_part(x), decay = exp(-x);
      weight += w;
      for (int k = 0; k < n; ++k) stress[k] += decay * history[i * n + k];
    }
    for (int k = 0; k < n; ++k) stress[k] -= weight * history[branches * n + k];
    return weight;
  }
};

}  // namespace invar
