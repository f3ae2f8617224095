#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

// Boundary terms of a flow. Facets are oriented outward: n. Velocities come first in every unknown, so none of these
// forms depends on the pressure component.

/// Pressure [Pa] outside an open boundary: ∫ p n·v dA. Coefficient: p.
template <class K>
struct PressureOutlet {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool symmetric = true, uses_position = K::axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>&, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto n = area_vector(g.A) * (K::ring(g) * p[0]);
    std::array<R, K::dim> f;
    for (int i = 0; i < dim; ++i) f[i] = R(n[i]);
    return f;
  }
};

/// Traction [Pa] that acts on the fluid, −∫ t·v dA. Coefficients: t_x, t_y, (t_z).
template <class K>
struct FlowTraction {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool symmetric = true, uses_position = K::axisymmetric;
  int n_coefficients() const { return dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>&, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* t) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tg area = K::measure(g);
    std::array<R, K::dim> f;
    for (int i = 0; i < dim; ++i) f[i] = R(-(t[i] * area));
    return f;
  }
};

/// Backflow stabilisation: flow entering through an outlet must not bring in energy: −∫ β ρ/2 min(u·n, 0) u·v dA. β = 1
/// suffices for stability. On a mesh that moves by w, (u − w)·n enters. Its derivative is continuous except where u·n = 0 with u along the boundary. Bazilevs,
/// Gohean, Hughes, Moser, Zhang, Comput. Methods Appl. Mech. Engrg. 198 (2009). Coefficients: density, β.
template <class K>
struct BackflowStabilisation {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>& u, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    return flux(u, u, g, p);
  }
  /// carrier: u − w.
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>& u, const std::array<Tz, K::dim>& carrier, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto n = area_vector(g.A) * K::ring(g);
    PromotedOf<Tz, Tg> through = carrier[0] * n[0];
    for (int i = 1; i < dim; ++i) through += carrier[i] * n[i];
    const R factor = -0.5 * (p[0] * p[1]) * min(through, PromotedOf<Tz, Tg>(0.0));
    std::array<R, K::dim> f;
    for (int i = 0; i < dim; ++i) f[i] = factor * u[i];
    return f;
  }
};

/// A slip wall by a penalty: ∫ k (u·n)(v·n) + γ u_t·v_t dA, u_t the tangential velocity. Penalty k and friction γ [Pa
/// s/m]; Navier's slip length is μ/γ. Coefficients: k, γ.
template <class K>
struct SlipPenalty {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool symmetric = true, uses_position = K::axisymmetric;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, K::dim>& u, const PointGeometry<Tg, dim, ref_dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto n = area_vector(g.A) / g.measure;
    const Tg area = K::measure(g);
    PromotedOf<Tz, Tg> through = u[0] * n[0];
    for (int i = 1; i < dim; ++i) through += u[i] * n[i];
    const Tp &penalty = p[0], &friction = p[1];
    std::array<R, K::dim> f;
    for (int i = 0; i < dim; ++i) f[i] = ((penalty - friction) * (through * n[i]) + friction * u[i]) * area;
    return f;
  }
};

}  // namespace invar
