#pragma once
#include <memory>

#include "libfem/math/exponential.hpp"
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/material_point.hpp"
#include "libfem/solid/radial_return.hpp"
#include "libfem/solid/symmetric_components.hpp"

namespace invar {

/// F L − I of the elastic part F L of F = I + H, where L Lᵀ = C_p⁻¹ is the inverse plastic metric and L its lower Cholesky factor (an
/// additional rotation does not matter for an isotropic law). stored: components of C_p⁻¹ − I.
template <class K, class R>
struct ElasticPart {
  Matrix<R, 3, 3> lower, gradient;  // L, F L − I

  template <class M, class S>
  INVAR_HD static ElasticPart of(const Matrix<M, 3, 3>& H, const S* stored) {
    const Matrix<S, 3, 3> g = SymmetricComponents<K>::full(stored);
    const auto less_one = [](const S& t) { return S(t / (1.0 + sqrt(S(1.0 + t)))); };  // √(1 + t) − 1
    Matrix<S, 3, 3> l;  // L − I
    for (S& e : l.entries) e = S(0.0);
    l(0, 0) = less_one(g(0, 0));
    for (int i = 1; i < 3; ++i) l(i, 0) = g(i, 0) / (1.0 + l(0, 0));
    l(1, 1) = less_one(S(g(1, 1) - l(1, 0) * l(1, 0)));
    l(2, 1) = (g(2, 1) - l(2, 0) * l(1, 0)) / (1.0 + l(1, 1));
    l(2, 2) = less_one(S(g(2, 2) - l(2, 0) * l(2, 0) - l(2, 1) * l(2, 1)));
    ElasticPart out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        R sum = R(H(i, j) + l(i, j));
        for (int k = j; k < 3; ++k) sum += H(i, k) * l(k, j);
        out.gradient(i, j) = sum;
        out.lower(i, j) = R(i == j ? S(l(i, j) + 1.0) : l(i, j));
      }
    return out;
  }
};

/// Plastic flow of von Mises (J2) type beside Hencky's law at finite strain, with isotropic hardening. The deformation gradient is the
/// product of an elastic and a plastic part, F = F_e F_p with det F_p = 1; Kirchhoff's stress follows from the elastic one alone:
///   τ = κ ln J I + 2 G dev ε,   ε = ½ ln b_e,   b_e = F_e F_eᵀ = F C_p⁻¹ Fᵀ,
///   f = |dev τ| − √⅔ σ_y(α) ≤ 0,   −½ L_v(b_e) b_e⁻¹ = γ̇ dev τ/|dev τ|,   α̇ = √⅔ γ̇,   σ_y as in `RadialReturn`
/// A step of backward Euler with the exponential map is the radial return of small strains in ε: of the trial b_e = F C_p,n⁻¹ Fᵀ
/// with e = |dev ε|, dev ε becomes (1 − γ/e) dev ε. It has a potential in F, so that its tangent is symmetric, and conserves det F_p. No
/// eigenvectors are taken: |dev ε|² is Hencky's isochoric energy of unit shear modulus at F L, L Lᵀ = C_p,n⁻¹, whose derivative gives dev ε.
/// This form is what plastic flow takes off the law's stress. Coefficients: E [Pa], ν, σ_0 [Pa], H [Pa], S [Pa], δ [1]. History
/// variables: C_p⁻¹ − I (components), α. Proportional loads along fixed axes are exact whatever the steps.
/// Weber, Anand, Comput. Meth. Appl. Mech. Engrg. 79 (1990) 173; Simo, Comput. Meth. Appl. Mech. Engrg. 99 (1992) 61.
template <class K>
struct FinitePlasticFlow {
  using Components = SymmetricComponents<K>;
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim, n = Components::count;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t ns = K::slots.size();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;

  std::shared_ptr<const Material> hencky;  // the isochoric law

  int n_coefficients() const { return 6; }
  int n_memory() const { return n + 1; }

  template <class Tz, class Tg, class Tp>
  auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Matrix<R, 3, 3> H = displacement_gradient<K, R>(z, g);
    const Step<R> step = taken(H, p);
    // stress after the step minus the trial stress: both are twice dev ε times the inverse transpose
    const Matrix<R, 3, 3> P = step.trial * transpose(step.elastic.lower);
    const auto of_law = deviator(H).stress;
    const Tp G = shear_modulus(p[0], p[1]);
    const auto volume = K::volume(g);
    std::array<R, ns> f;
    for (std::size_t s = 0; s < ns; ++s) {
      const int r = K::entries[s].index;
      f[s] = R(G * ((1.0 - step.share) * P.entries[r] - of_law[r]) * (volume * h_factor<K>(s, g)));
    }
    return f;
  }

  template <class Tz, class Tg, class Tp, class R>
  void update_memory(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, R* h) const {
    const Matrix<R, 3, 3> H = displacement_gradient<K, R>(z, g), F = deformation_gradient(H);
    const Tp* before = p + n_coefficients();
    const Step<R> step = taken(H, p);
    // exp(−2 (γ/e) dev ε) − I with 2 dev ε = trial F_eᵀ, pulled back by F
    Matrix<R, 3, 3> X = step.trial * transpose(deformation_gradient(step.elastic.gradient));
    for (R& e : X.entries) e = -(step.share * e);
    const Matrix<R, 3, 3> metric = step.elastic.lower * transpose(step.elastic.lower), change = inverse(F) * (exponential_less_one(X) * F) * metric;
    for (int k = 0; k < n; ++k) {
      const int i = Components::row(k), j = Components::column(k);
      h[k] = before[k] + 0.5 * (change(i, j) + change(j, i));
    }
    h[n] = before[n] + RadialReturn<R>::root * step.gamma;
  }

 private:
  template <class R>
  struct Step {
    ElasticPart<K, R> elastic;  // of the trial state
    Matrix<R, 3, 3> trial;      // ∂|dev ε|²/∂F_e = 2 dev ε F_e⁻ᵀ there
    R gamma, share;             // γ, γ/e
  };

  /// |dev ε|² and its derivative.
  template <class R>
  MaterialPoint<R> deviator(const Matrix<R, 3, 3>& H) const {
    const Pack young[] = {Pack(3.0)};  // G = 1
    return material_point<1, R, Pack>(*hencky, H, young);
  }
  template <class R, class Tp>
  Step<R> taken(const Matrix<R, 3, 3>& H, const Tp* p) const {
    const Tp* before = p + n_coefficients();
    Step<R> step;
    step.elastic = ElasticPart<K, R>::of(H, before);
    const MaterialPoint<R> at = deviator(step.elastic.gradient);
    std::copy(at.stress.begin(), at.stress.end(), step.trial.entries);
    const Tp twice = 2.0 * shear_modulus(p[0], p[1]);
    const auto back = RadialReturn<R>::of(R(twice * twice * at.energy), twice, p + 2, before[n]);
    step.gamma = back.gamma;
    step.share = back.gamma * twice / back.size;
    return step;
  }
};

}  // namespace invar
