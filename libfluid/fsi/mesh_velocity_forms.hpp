#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Unsteady term of a flow on a mesh with displacement d [m]: r(φ) = ∫ ρ (∂v/∂t − ∇v ∂d/∂t)·φ, with ∂/∂t at a node of the mesh.
/// With the convection of the steady equation it is the inertia at a fixed position. The residual of a uniform v is zero for every
/// motion of the mesh. Components: v [m/s], d. Coefficient: ρ [kg/m³].
template <class K>
struct MovingMeshInertia {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 2 * K::dim;
  static constexpr std::array<int, n_components> basis{};
  static constexpr auto slots = join(at_level(Level::rate, value_slots<2 * dim>()), gradient_slots<dim, dim>());
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i < dim && (j == i || j >= dim); }
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto mass = p[0] * K::measure(g);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < dim; ++i) {
      Tz rate = z[i];
      for (int j = 0; j < dim; ++j) rate -= z[2 * dim + i * dim + j] * z[dim + j];
      f[i] = R(mass * rate);
    }
    return f;
  }
};

/// The velocity v of a body is the rate of its displacement d: r(ψ) = ∫ w (∂d/∂t − v)·ψ dV in d's rows; at rest v = 0.
/// w [Pa s/m²] only scales these rows to the magnitude of forces. Components: v [m/s], d [m].
/// Coefficient: w.
template <class K>
struct BodyVelocity {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 2 * K::dim;
  static constexpr std::array<int, n_components> basis{};
  static constexpr auto slots = join(value_slots<dim>(), at_level(Level::rate, value_slots<dim, dim>()));
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i >= dim && (j == i || j == i - dim); }
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto weight = p[0] * K::measure(g);
    std::array<R, ns> f;
    for (int i = 0; i < dim; ++i) f[i] = R(0.0), f[dim + i] = R(weight * (z[dim + i] - z[i]));
    return f;
  }
};

}  // namespace invar
