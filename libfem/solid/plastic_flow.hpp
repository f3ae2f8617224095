#pragma once
#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/kinematics.hpp"
#include "libfem/solid/radial_return.hpp"
#include "libfem/solid/symmetric_components.hpp"

namespace invar {

/// Plastic flow of von Mises (J2) type for Hooke's law at small strain, with isotropic and kinematic hardening:
///   σ = C : (ε − ε_p),   f = |ξ| − √⅔ σ_y(α) ≤ 0,   ξ = dev σ − ⅔ H_k ε_p,
///   ε̇_p = γ̇ ξ/|ξ|,   α̇ = √⅔ γ̇,   σ_y(α) = σ_0 + H α + S (1 − e^(−δ α))
/// The form is the change of the law's stress due to plastic strain, −2 G ε_p, by the radial return of backward Euler
/// (`RadialReturn`) from the state before the step; G = E / (2 (1 + ν)). Rate independent: only the order of states
/// matters.
/// Coefficients: E [Pa], ν, σ_0 [Pa], H [Pa], S [Pa], δ [1], H_k [Pa]. History variables: ε_p (tensor components), α.
/// Simo & Hughes, Computational Inelasticity, box 3.2.
template <class K>
struct PlasticFlow {
  using Components = SymmetricComponents<K>;
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim, n = Components::count;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t ns = K::slots.size();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;

  int n_coefficients() const { return 7; }
  int n_memory() const { return n + 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R h[n + 1];
    update_memory(z, g, p, h);
    const Matrix<R, 3, 3> plastic = Components::full(h);
    const Tp G = shear_modulus(p[0], p[1]);
    const auto volume = K::volume(g);
    std::array<R, ns> f;
    for (std::size_t s = 0; s < ns; ++s)
      f[s] = (-2.0 * G) * plastic.entries[K::entries[s].index] * (volume * h_factor<K>(s, g));
    return f;
  }

  template <class Tz, class Tg, class Tp, class R>
  INVAR_HD void update_memory(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, R* h) const {
    using M = PromotedOf<Tz, Tg>;
    const Matrix<M, 3, 3> H = displacement_gradient<K, M>(z, g);
    const M mean = trace(H) / 3.0;
    const Tp G = shear_modulus(p[0], p[1]);
    const Tp* before = p + n_coefficients();  // ε_p, α
    const Tp &kinematic = p[6], back = 2.0 * G + (2.0 / 3.0) * kinematic;
    R xi[n];  // of the trial state
    for (int k = 0; k < n; ++k) {
      const int i = Components::row(k), j = Components::column(k);
      xi[k] = G * (H(i, j) + H(j, i)) - back * before[k];
      if (k < 3) xi[k] -= (2.0 * G) * mean;
    }
    const auto [gamma, size] = RadialReturn<R>::of(R(Components::contract(xi, xi)), back, p + 2, before[n]);
    for (int k = 0; k < n; ++k) h[k] = before[k] + gamma * (xi[k] / size);
    h[n] = before[n] + RadialReturn<R>::root * gamma;
  }
};

}  // namespace invar
