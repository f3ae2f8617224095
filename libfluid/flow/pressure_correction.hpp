#pragma once
#include "libfluid/flow/navier_stokes.hpp"

namespace invar {

/// Incompressible flow in time by the rotational incremental pressure correction of second order (Guermond, Minev,
/// Shen, Comput. Methods Appl. Mech. Engrg. 195 (2006) 6011, sec. 3.3), without the solenoidal velocity: that is w = u
/// − ∇φ/ρ with a potential φ [Pa s], and an overdot being the backward difference of bdf2, a u over the past for short,
///   ρ (u̇ + u*·∇u) − ∇·τ + ∇(pⁿ − (φ̇ − a φ)) = f      u, with the velocity u* that the past extrapolates
///   ∇·(∇φ/ρ) = ∇·u                                    φ, with ∂φ/∂n = 0 on closed boundaries; on open ones a φ is the change
///                                                     in the step of the pressure outside (StepResidual)
///   p = pⁿ + a φ − χ μ ∇·u                            p, by its mass matrix
/// φ̇ − a φ is what the past adds to φ̇, so that u, φ, p follow one after the other: the tangent is block
/// lower-triangular, and its transpose is solved the other way round. p is the pressure that makes the equation of w
/// exact: χ = 1 with τ = μ ∇u; with τ = 2 μ ε(u) χ = 2/3 (in the plane 1), the most that is proven stable with open
/// boundaries (Guermond, Minev, Shen, SIAM J. Numer. Anal. 43 (2005) 239). Errors of the splitting: of order 2 in u and
/// 3/2 in p, near open boundaries 3/2 and 1. Other normal tractions that vary in time there leave φ = 0, with errors of order 1.
///
/// Levels, see TimeScheme: p and φ predicted are pⁿ and −(φ̇ − a φ), φ's rate is a φ.

/// The momentum equation without convection (see LinearisedConvection) and without φ. Unknown and coefficients are
/// those of NavierStokes.
template <class K>
struct CorrectedMomentum : NavierStokes<K, false> {
  using Base = NavierStokes<K, false>;
  static constexpr auto slots = [] {
    auto s = Base::slots;
    s[K::pressure].level = Level::predicted;
    return s;
  }();
  using Base::dim, Base::ns;

  bool has_symmetric_tangent() const { return false; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    auto f = Base::flux(z, g, p);
    f[K::pressure] = PromotedOf<Tz, Tg, Tp>(0.0);
    return f;
  }

  INVAR_HD void tangent(const std::array<Pack, ns>& z, const PointGeometry<Pack, dim, dim>& g, const Pack* p,
                        std::array<std::array<Pack, ns>, ns>& D) const {
    Base::tangent(z, g, p, D);
    D[K::pressure].fill(Pack(0.0));
  }
};

/// The terms of φ in the momentum equation, and the equations of φ and p. The unknown is u, p, φ. Coefficients:
/// density, the law's parameters.
template <class K>
struct PressureCorrection {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + 2, potential = K::dim + 1;
  static constexpr std::array<int, n_components> basis = [] {
    std::array<int, n_components> b{};
    b[K::dim] = b[potential] = 1;
    return b;
  }();
  // u_i, ∂u_i/∂x_j, p, p predicted, φ's rate, φ predicted, ∂φ/∂x_j
  static constexpr int p = K::pressure, p_before = p + 1, phi_rate = p + 2, phi_before = p + 3;
  static constexpr int slope(int j) { return p + 4 + j; }
  static constexpr auto slots = [] {
    std::array<Slot, 4 + K::dim> of_pressures{Slot{K::dim, -1}, Slot{K::dim, -1, Level::predicted},
                                              Slot{potential, -1, Level::rate}, Slot{potential, -1, Level::predicted}};
    for (int j = 0; j < K::dim; ++j) of_pressures[4 + j] = {potential, j};
    return join(K::velocity_slots, of_pressures);
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  static constexpr std::size_t ns = slots.size();

  ViscosityLaw law;
  bool stress_form = false;
  double grad_div = 0;  // γ: a stress γ ∇·u I, which p compensates as well
  int n_coefficients() const { return 1 + law.n_parameters(); }
  /// χ
  double share() const { return stress_form && (K::axisymmetric || dim == 3) ? 2.0 / 3.0 : 1.0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(z, g);
    const auto divergence = at.divergence();
    const R viscosity = law.viscosity(at.shear_rate_squared(), c + 1);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < dim; ++i) f[K::gradient(i, i)] = R(-z[phi_before]);
    if constexpr (K::axisymmetric) f[K::velocity(0)] = R(-z[phi_before] * at.inverse_radius);
    f[p] = R(z[p] - z[p_before] - z[phi_rate]) + (share() * viscosity + grad_div) * divergence;
    f[phi_rate] = R(divergence);
    for (int j = 0; j < dim; ++j) f[slope(j)] = z[slope(j)] / c[0];
    const Tg volume = K::measure(g);
    for (R& entry : f) entry = entry * volume;
    return f;
  }
};

}  // namespace invar
