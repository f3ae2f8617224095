#pragma once
#include "libfluid/flow/eddy_viscosity.hpp"
#include "libfluid/flow/stabilisation.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// Steady incompressible flow, unknowns u [m/s] and pressure p [Pa] (positive in compression):
///   ρ u·∇u − ∇·τ + ∇p + α u = f,   ∇·u = 0
/// and weakly, for all v and q,
///   ∫ ρ (u·∇u)·v + τ:∇v − p ∇·v − q ∇·u + α u·v − f·v dV = 0
/// τ = 2 μ ε(u) (stress form: a boundary left free carries no traction) or μ ∇u (the outlet of a pipe
/// that goes on may be left free). ρ [kg/m³] density, μ(γ̇) [Pa s] the law's viscosity, f [N/m³] body
/// force, α [Pa s/m²] Brinkman resistance of a porous body. With the minus sign of q ∇·u the equations
/// are symmetric where `convection` is off and τ has a potential: stress form, or a Newtonian fluid.
/// Coefficients: density, the law's parameters, f_x, f_y, (f_z), resistance; turbulent flow: c_v1.
///
/// u of second order with p of first order (Taylor–Hood) is stable; Boffi, Brezzi, Fortin: Mixed Finite
/// Element Methods and Applications (2013), ch. 8. There
///   ∫ γ ∇·u ∇·v dV
/// may be added, which vanishes for the exact solution: γ [Pa s] is a constant number. It makes the Schur complement
/// of the pressure easy to approximate at any Reynolds number (Olshanskii, Reusken, Math. Comp. 73 (2004)). With u and
/// p of first order the form is stabilised:
///   ∫ τ_M R·(ρ u·∇v − ∇q) + τ_C ∇·u ∇·v dV   is added,   R = ρ u·∇u + ∇p + α u − f − ∇·τ
/// (SUPG, PSPG and LSIC; q with the sign it has above, so that pressures are damped). Of ∇·τ second
/// derivatives are left out: they vanish on straight triangles and tetrahedra and do not cost the order
/// of the others; what the axisymmetric ∇· adds is kept, with μ as if it were constant.
///
/// On a mesh that moves by w, u·∇ becomes (u − w)·∇ everywhere, also in the stabilisation: it then does not depend on who observes.
///
/// Turbulent: the Reynolds-averaged equations on the unknown u, p, χ, stabilised and in stress form. The viscosity is
/// that of the law times 1 + μ_t/μ, a function of χ (`eddy_viscosity_ratio`). R leaves out its gradient, too: at walls,
/// where the shear stress hardly changes, it balances the second derivatives of u.
template <class K, bool Stabilised, bool Turbulent = false>
struct NavierStokes {
  static_assert(Stabilised || !Turbulent);
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + (Turbulent ? 2 : 1);
  static constexpr std::array<int, n_components> basis = [] {
    std::array<int, n_components> b{};
    b[K::dim] = Stabilised ? 0 : 1;
    return b;
  }();
  static constexpr int chi = K::pressure_gradient(K::dim);
  static constexpr auto slots = [] {
    if constexpr (Turbulent) {
      return join(K::slots_with_pressure_gradient, value_slots<1, K::dim + 1>());
    } else if constexpr (Stabilised) return K::slots_with_pressure_gradient;
    else return K::slots;
  }();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, convects = true;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i <= dim && (Stabilised || i < dim || j < dim); }  // no row of χ

  ViscosityLaw law;
  bool convection = true;
  bool stress_form = false;
  ReferenceMetric metric = {};  // of the cells; read where stabilised
  double grad_div = 0;          // γ; read where not stabilised

  /// True for Stokes flow if its stress has a potential.
  bool has_symmetric_tangent() const {
    return !Stabilised && !convection && (stress_form || law.kind == ViscosityLaw::Kind::newtonian);
  }
  int n_coefficients() const { return 1 + law.n_parameters() + dim + (Turbulent ? 2 : 1); }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    return flux(z, g, p, StillMesh{});
  }

  template <class Tz, class Tg, class Tp, class W>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p, const W& mesh_velocity) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(z, g);
    const auto carrier = relative(at.u, mesh_velocity);
    const Tp &density = p[0], *force = p + 1 + law.n_parameters(), &resistance = force[dim];
    R viscosity = law.viscosity(at.shear_rate_squared(), p + 1);
    if constexpr (Turbulent) viscosity *= 1.0 + eddy_viscosity_ratio(z[chi], force[dim + 1]);
    const double transposed = stress_form ? 1.0 : 0.0;

    Vector<R, dim> inertia = at.u * resistance;  // paired with v, N/m³
    for (int i = 0; i < dim; ++i) inertia[i] -= force[i];
    if (convection) inertia += at.advection(carrier) * density;
    Matrix<R, dim, dim> stress;  // paired with ∇v, Pa
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) stress(i, j) = viscosity * (at.L(i, j) + transposed * at.L(j, i));
    R hoop(0.0);  // paired with v_r/r, Pa
    if constexpr (K::axisymmetric) hoop = (1.0 + transposed) * (viscosity * at.hoop);

    std::array<R, ns> f;
    if constexpr (Turbulent) f[chi] = R(0.0);
    R mean(-z[K::pressure]);  // −p, plus stabilisation
    if constexpr (Stabilised) {
      const Matrix<Tg, dim, dim> G = element_metric(g.A, metric);
      const StabilisationParameters<R> tau(carrier, G, density, viscosity, resistance, convection);
      Vector<R, dim> imbalance = inertia;
      for (int i = 0; i < dim; ++i) imbalance[i] += z[K::pressure_gradient(i)];
      if constexpr (K::axisymmetric) {
        imbalance[0] -= (stress(0, 0) - hoop) * at.inverse_radius;
        imbalance[1] -= stress(1, 0) * at.inverse_radius;
      }
      imbalance *= tau.momentum;
      mean += tau.continuity * at.divergence();
      if (convection) stress += outer(imbalance, carrier * density);
      for (int j = 0; j < dim; ++j) f[K::pressure_gradient(j)] = -imbalance[j];
    } else {
      mean += grad_div * at.divergence();
    }
    for (int i = 0; i < dim; ++i) {
      f[K::velocity(i)] = inertia[i];
      for (int j = 0; j < dim; ++j) f[K::gradient(i, j)] = stress(i, j);
      f[K::gradient(i, i)] += mean;
    }
    if constexpr (K::axisymmetric) f[K::velocity(0)] += (hoop + mean) * at.inverse_radius;
    f[K::pressure] = R(-at.divergence());
    const Tg volume = K::measure(g);
    for (R& entry : f) entry = entry * volume;
    return f;
  }

  /// ∂flux/∂z without stabilisation, written by hand because most of it is zero, which duals do not exploit.
  INVAR_HD void tangent(const std::array<Pack, ns>& z, const PointGeometry<Pack, dim, dim>& g, const Pack* p,
                        std::array<std::array<Pack, ns>, ns>& D) const
    requires(!Stabilised)
  {
    const FlowPoint<K, Pack> at(z, g);
    const auto viscosity = law.viscosity(Dual<Pack, 1>::variable(at.shear_rate_squared(), 0), p + 1);
    const Pack volume = K::measure(g), mu = volume * viscosity.value, inertia = volume * p[0],
               resistance = volume * p[1 + law.n_parameters() + dim];
    const double transposed = stress_form ? 1.0 : 0.0;
    for (auto& row : D) row.fill(Pack(0.0));
    for (int i = 0; i < dim; ++i) {
      const int u = K::velocity(i);
      D[u][u] = resistance;
      if (convection)
        for (int j = 0; j < dim; ++j) {
          D[u][K::velocity(j)] += inertia * at.L(i, j);
          D[u][K::gradient(i, j)] = inertia * at.u[j];
        }
      for (int j = 0; j < dim; ++j) {
        D[K::gradient(i, j)][K::gradient(i, j)] += mu;
        D[K::gradient(i, j)][K::gradient(j, i)] += mu * transposed;
      }
      D[K::gradient(i, i)][K::pressure] = D[K::pressure][K::gradient(i, i)] = -volume;
    }
    if constexpr (K::axisymmetric) {
      D[0][0] += (1.0 + transposed) * mu * (at.inverse_radius * at.inverse_radius);
      D[0][K::pressure] = D[K::pressure][0] = -volume * at.inverse_radius;
    }
    if (grad_div > 0) add_grad_div(at, grad_div * volume, D);
    if (law.kind != ViscosityLaw::Kind::newtonian) add_thinning(at, volume * viscosity.grad[0], D);
  }

 private:
  /// D += weight · ∂(∇·u)/∂z ⊗ ∂(∇·u)/∂z
  INVAR_HD void add_grad_div(const FlowPoint<K, Pack>& at, const Pack& weight,
                             std::array<std::array<Pack, ns>, ns>& D) const {
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) D[K::gradient(i, i)][K::gradient(j, j)] += weight;
    if constexpr (K::axisymmetric) {
      const Pack hoop = weight * at.inverse_radius;
      for (int i = 0; i < dim; ++i) {
        D[0][K::gradient(i, i)] += hoop;
        D[K::gradient(i, i)][0] += hoop;
      }
      D[0][0] += hoop * at.inverse_radius;
    }
  }

  /// D += slope · (τ/μ) ⊗ ∂γ̇²/∂z, the contribution of a shear-rate dependent viscosity with slope dμ/dγ̇² to the
  /// tangent.
  INVAR_HD void add_thinning(const FlowPoint<K, Pack>& at, const Pack& slope,
                             std::array<std::array<Pack, ns>, ns>& D) const {
    constexpr int first = K::axisymmetric ? 0 : K::gradient(0, 0), last = K::pressure;
    const double transposed = stress_form ? 1.0 : 0.0;
    std::array<Pack, ns> strain, rate;
    strain.fill(Pack(0.0)), rate.fill(Pack(0.0));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) {
        strain[K::gradient(i, j)] = slope * (at.L(i, j) + transposed * at.L(j, i));
        rate[K::gradient(i, j)] = 2.0 * (at.L(i, j) + at.L(j, i));
      }
    if constexpr (K::axisymmetric) {
      strain[0] = (1.0 + transposed) * slope * at.hoop * at.inverse_radius;
      rate[0] = 4.0 * at.hoop * at.inverse_radius;
    }
    for (int s = first; s < last; ++s)
      for (int t = first; t < last; ++t) D[s][t] += strain[s] * rate[t];
  }
};

}  // namespace invar
