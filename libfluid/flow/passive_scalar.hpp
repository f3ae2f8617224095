#pragma once
#include "libfluid/flow/stabilisation.hpp"

namespace invar {

/// A passive scalar c (dye, heat) transported by the flow u:
///   ∂c/∂t + u·∇c − ∇·(D ∇c) = s
/// and weakly, for all v,
///   ∫ (∂c/∂t + u·∇c − s) v + D ∇c·∇v + τ R u·∇v dV = 0,   R = ∂c/∂t + u·∇c − s − ∇·(D ∇c)
/// Free boundaries have zero diffusive flux, D ∂c/∂n = 0. The last term is SUPG (Brooks, Hughes, Comput. Methods Appl.
/// Mech. Engrg. 32, 1982) with
///   τ = (u·G u + 9 D² G:G)^(−1/2)   [s]
/// after Shakib, Hughes, Johan, Comput. Methods Appl. Mech. Engrg. 89 (1991), with G the metric of the cell. τ does not
/// contain the time step, so steady limits do not depend on it; Burman, Comput. Methods Appl. Mech. Engrg. 199 (2010),
/// shows that this is stable and of full order if R contains the rate, as here. Second derivatives in ∇·(D ∇c) are
/// omitted: they vanish on straight simplices; the additional axisymmetric term is kept.
/// c uses the space of the pressure of Taylor–Hood elements, so that ∫ c ∇·u dV = 0; since SUPG vanishes for v = 1, ∫ c
/// dV changes only by fluxes through the boundary; on a moving mesh up to the error of the steps in time, as the form is advective.
/// On a mesh that moves by w, u is u − w.
/// Carrier: level of u. In time the scalar's rate is read, else R has none. Coefficients: D [m²/s], s [unit of c/s].
template <class K, Level Carrier, bool InTime>
struct PassiveScalar {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + 2, scalar = K::dim + 1;
  static constexpr std::array<int, K::dim + 2> basis = [] {
    std::array<int, K::dim + 2> b{};
    b[K::dim] = b[scalar] = 1;
    return b;
  }();
  // Slots: u_i, then c or its rate, then ∂c/∂x_j.
  static constexpr int rate = K::dim;
  static constexpr int gradient(int j) { return K::dim + 1 + j; }
  static constexpr auto slots = [] {
    std::array<Slot, K::dim + 1> of_scalar{};
    of_scalar[0] = {scalar, -1, InTime ? Level::rate : Level::value};
    for (int j = 0; j < K::dim; ++j) of_scalar[1 + j] = {scalar, j};
    return join(at_level(Carrier, value_slots<K::dim>()), of_scalar);
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, convects = true;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i == scalar && j != K::dim; }

  ReferenceMetric metric = {};  // of the cells
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    return flux(z, g, p, StillMesh{});
  }

  template <class Tz, class Tg, class Tp, class W>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, const W& mesh_velocity) const {
    using S = PromotedOf<Tz, Tg>;
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tp &diffusivity = p[0], &source = p[1];
    Vector<S, dim> u, slope;
    for (int i = 0; i < dim; ++i) u[i] = S(z[i]), slope[i] = S(z[gradient(i)]);
    u = relative(u, mesh_velocity);
    R balance = dot(u, slope) - source;  // paired with v
    if constexpr (InTime) balance += z[rate];
    R imbalance = balance;
    if constexpr (K::axisymmetric) imbalance -= diffusivity * (slope[0] / g.x[0]);
    const Matrix<Tg, dim, dim> G = element_metric(g.A, metric);
    constexpr double inverse_constant = 9;
    imbalance /= sqrt(R(dot(u, G * u) + inverse_constant * (diffusivity * diffusivity) * inner(G, G)));

    const Tg volume = K::measure(g);
    std::array<R, ns> f;
    for (int i = 0; i < dim; ++i) f[i] = R(0.0);
    f[rate] = balance * volume;
    for (int j = 0; j < dim; ++j) f[gradient(j)] = (diffusivity * slope[j] + imbalance * u[j]) * volume;
    return f;
  }
};

}  // namespace invar
