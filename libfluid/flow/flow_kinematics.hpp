#pragma once
#include <array>
#include <numbers>

#include "libfem/form/q_function.hpp"

namespace invar {

/// Meaning of the 2-D or 3-D mesh: planar, per unit depth; axisymmetric without swirl, x the radius r and y the axis,
/// over the full circle; spatial.
enum class FlowKind { planar, axisymmetric, spatial };

/// Slots and measures of one kind of flow. The unknown is u_x, u_y, (u_z) [m/s], then p [Pa].
template <int Dim, bool Axisymmetric>
struct FlowKinematics {
  static constexpr int dim = Dim;
  static constexpr bool axisymmetric = Axisymmetric;

  // The order of the slots: u_i, ∂u_i/∂x_j, p, ∂p/∂x_j.
  static constexpr int velocity(int i) { return i; }
  static constexpr int gradient(int i, int j) { return Dim + i * Dim + j; }
  static constexpr int pressure = Dim + Dim * Dim;
  static constexpr int pressure_gradient(int j) { return pressure + 1 + j; }

  static constexpr auto velocity_slots = join(value_slots<Dim>(), gradient_slots<Dim, Dim>());
  static constexpr auto slots = join(velocity_slots, value_slots<1, Dim>());
  static constexpr auto slots_with_pressure_gradient = [] {
    std::array<Slot, Dim> by_place{};
    for (int j = 0; j < Dim; ++j) by_place[j] = {Dim, j};
    return join(slots, by_place);
  }();

  /// 2πr or 1: the factor of integrals over the mesh.
  template <class T, int RefDim>
  INVAR_HD static T ring(const PointGeometry<T, Dim, RefDim>& g) {
    if constexpr (Axisymmetric) return (2 * std::numbers::pi) * g.x[0];
    else return T(1.0);
  }
  template <class T, int RefDim>
  INVAR_HD static T measure(const PointGeometry<T, Dim, RefDim>& g) {
    if constexpr (Axisymmetric) return (2 * std::numbers::pi) * g.x[0] * g.measure;
    else return g.measure;
  }
};

using PlanarFlow = FlowKinematics<2, false>;
using AxisymmetricFlow = FlowKinematics<2, true>;
using SpatialFlow = FlowKinematics<3, false>;

/// The velocity of a mesh that does not move.
struct StillMesh {};

/// u − w, the velocity of a flow relative to a mesh that moves by w.
template <class T, int Dim>
INVAR_HD Vector<T, Dim> relative(const Vector<T, Dim>& u, StillMesh) {
  return u;
}
template <class T, int Dim>
INVAR_HD Vector<T, Dim> relative(const Vector<T, Dim>& u, const Vector<T, Dim>& w) {
  return u - w;
}

/// Velocity and its gradient at a point, from the slots.
template <class K, class T>
struct FlowPoint {
  Vector<T, K::dim> u;          // m/s
  Matrix<T, K::dim, K::dim> L;  // ∂u_i/∂x_j, 1/s
  T inverse_radius;             // 1/r, 1/m; axisymmetric only
  T hoop;                       // u_r/r, 1/s; axisymmetric only

  template <class Tz, class Tg, std::size_t N>
  INVAR_HD FlowPoint(const std::array<Tz, N>& z, const PointGeometry<Tg, K::dim, K::dim>& g) {
    for (int i = 0; i < K::dim; ++i) {
      u[i] = T(z[K::velocity(i)]);
      for (int j = 0; j < K::dim; ++j) L(i, j) = T(z[K::gradient(i, j)]);
    }
    if constexpr (K::axisymmetric) {
      inverse_radius = T(1.0 / g.x[0]);
      hoop = u[0] * inverse_radius;
    }
  }

  /// ∇·u
  INVAR_HD T divergence() const {
    T d = trace(L);
    if constexpr (K::axisymmetric) d += hoop;
    return d;
  }
  /// γ̇² = 2 ε:ε, ε the rate of strain
  INVAR_HD T shear_rate_squared() const {
    T s(0.0);
    for (int i = 0; i < K::dim; ++i) {
      s += 2.0 * (L(i, i) * L(i, i));
      for (int j = 0; j < i; ++j) {
        const T shear = L(i, j) + L(j, i);
        s += shear * shear;
      }
    }
    if constexpr (K::axisymmetric) s += 2.0 * (hoop * hoop);
    return s;
  }
  /// |∇×u|²
  INVAR_HD T vorticity_squared() const {
    T s(0.0);
    for (int i = 0; i < K::dim; ++i)
      for (int j = 0; j < i; ++j) {
        const T spin = L(i, j) - L(j, i);
        s += spin * spin;
      }
    return s;
  }
  /// c·∇u, c the velocity that carries the flow
  INVAR_HD Vector<T, K::dim> advection(const Vector<T, K::dim>& c) const { return matmul(L, c); }
};

}  // namespace invar
