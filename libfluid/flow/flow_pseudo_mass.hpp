#pragma once
#include "libfluid/flow/eddy_viscosity.hpp"
#include "libfluid/flow/stabilisation.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// The mass of flow over the pseudo-time step that a CFL number of 1 allows, see PseudoTime: for a change w of the
/// state u
///   ∫ ρ w_u·v/Δτ + w_χ ψ/Δτ_χ dV,   1/Δτ = (u·G u)^(1/2) + ν_eff (G:G)^(1/2)
/// G the metric of the cell, ν_eff the kinematic viscosity of u or, in turbulent flow, the diffusivity of χ. The
/// pressure has no mass. The state is read as Level::predicted, the change as Level::value. Coefficients: density, the
/// law's parameters; turbulent: c_v1, σ.
template <class K, bool Turbulent>
struct FlowPseudoMass {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + (Turbulent ? 2 : 0);
  static constexpr std::array<int, n_components> basis{};
  // Slots: the changes of u_i and χ, then u_i, ∂u_i/∂x_j and χ.
  static constexpr int n_changes = K::dim + (Turbulent ? 1 : 0);
  static constexpr auto slots = [] {
    if constexpr (Turbulent) {
      const auto chi = std::array<Slot, 1>{Slot{K::dim + 1, -1}};
      return join(join(value_slots<K::dim>(), chi), at_level(Level::predicted, join(K::velocity_slots, chi)));
    } else {
      return join(value_slots<K::dim>(), at_level(Level::predicted, K::velocity_slots));
    }
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, never_differentiated = true;
  static constexpr std::size_t ns = slots.size();

  ViscosityLaw law;
  ReferenceMetric metric = {};
  int n_coefficients() const { return 1 + law.n_parameters() + (Turbulent ? 2 : 0); }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    std::array<Tz, ns - n_changes> state;
    for (std::size_t s = 0; s < state.size(); ++s) state[s] = z[n_changes + s];
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(state, g);
    const Matrix<Tg, dim, dim> G = element_metric(g.A, metric);
    const R carried = sqrt(R(dot(at.u, G * at.u)) + 1e-300), diffused = sqrt(R(inner(G, G)));
    const R laminar = law.viscosity(at.shear_rate_squared(), p + 1) / p[0];
    const Tg volume = K::measure(g);
    R viscosity = laminar;
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    if constexpr (Turbulent) {
      const Tp* constants = p + 1 + law.n_parameters();
      const Tz& chi = state.back();
      const Tz size = select(chi < Tz(0.0), Tz(-chi), chi);
      viscosity *= 1.0 + eddy_viscosity_ratio(chi, constants[0]);
      f[dim] = (carried + (1.0 + size) * laminar / constants[1] * diffused) * volume * z[dim];
    }
    for (int i = 0; i < dim; ++i) f[i] = p[0] * (carried + viscosity * diffused) * volume * z[i];
    return f;
  }
};

}  // namespace invar
