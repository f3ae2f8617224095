#pragma once
#include "libfluid/flow/eddy_viscosity.hpp"
#include "libfluid/flow/stabilisation.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// Inertia of stabilised flow, also in the residual of NavierStokes's stabilisation, which then vanishes for the exact
/// solution:
///   r(v, q) = ∫ ρ ∂u/∂t·v + τ_M ρ ∂u/∂t·(ρ u·∇v − ∇q) dV
/// τ_M is that of steady flow: steady limits do not depend on the time step, and the scheme is stable and of full order
/// (Burman, Fernández, Numer. Methods Partial Differential Equations 27 (2011), for a divergence-free initial state).
/// On a mesh that moves by w, u is u − w there and in τ_M.
/// Coefficients: density, the law's parameters, resistance; turbulent flow: c_v1.
template <class K, bool Turbulent>
struct StabilisedInertia {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + (Turbulent ? 2 : 1);
  static constexpr std::array<int, n_components> basis{};
  // u_i, ∂u_i/∂x_j, p, ∂p/∂x_j, ∂u_i/∂t, turbulent: χ.
  static constexpr int rate(int i) { return K::pressure_gradient(K::dim) + i; }
  static constexpr int chi = rate(K::dim);
  static constexpr auto slots = [] {
    const auto laminar = join(K::slots_with_pressure_gradient, at_level(Level::rate, value_slots<K::dim>()));
    if constexpr (Turbulent) return join(laminar, value_slots<1, K::dim + 1>());
    else return laminar;
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, convects = true;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int) { return i <= dim; }  // no row of χ

  ViscosityLaw law;
  bool convection = true;
  ReferenceMetric metric = {};
  int n_coefficients() const { return 2 + law.n_parameters() + (Turbulent ? 1 : 0); }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    return flux(z, g, p, StillMesh{});
  }

  template <class Tz, class Tg, class Tp, class W>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, const W& mesh_velocity) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(z, g);
    const auto carrier = relative(at.u, mesh_velocity);
    const Tp &density = p[0], &resistance = p[1 + law.n_parameters()];
    R viscosity = law.viscosity(at.shear_rate_squared(), p + 1);
    if constexpr (Turbulent) viscosity *= 1.0 + eddy_viscosity_ratio(z[chi], (&resistance)[1]);
    const StabilisationParameters<R> tau(carrier, element_metric(g.A, metric), density, viscosity, resistance, convection);
    const auto mass = density * K::measure(g);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < dim; ++i) {
      f[rate(i)] = R(mass * z[rate(i)]);
      const R lost = tau.momentum * f[rate(i)];
      f[K::pressure_gradient(i)] = -lost;
      for (int j = 0; j < dim && convection; ++j) f[K::gradient(i, j)] = lost * (density * carrier[j]);
    }
    return f;
  }
};

}  // namespace invar
