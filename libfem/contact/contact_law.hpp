#pragma once
#include "libfem/contact/barrier.hpp"
#include "libfem/contact/closest_point.hpp"
#include "libfem/form/q_function.hpp"

namespace invar {

/// Contact by a logarithmic barrier in physical units; d is the distance of two points (Li, Ferguson, Schneider,
/// Langlois, Zorin, Panozzo, Jiang, Kaufman, ACM Trans. Graph. 39, 2020; in these units Li et al., arXiv 2307.15908):
///   energy per area  κ b(d),  b = −d̂ (z − 1)² ln z,  z = d/d̂ < 1,
///   pressure         p = −κ b′ = κ [2 (z − 1) ln z + (z − 1)²/z],
/// per reference area, twice continuously differentiable at d̂. Coefficients: κ [Pa], d̂ [m].
struct BarrierLaw {
  static constexpr bool reads_rate = false, functional = false;
  int n_coefficients() const { return 2; }

  template <class T, class P>
  static auto pressure(const T& d, const P* p) {
    return p[0] * barrier_pressure(d, p[1]);
  }
  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    return p[0] * barrier(c.distance, p[1]);
  }
  /// Force on the first point.
  template <class T, int Dim, class P>
  auto force(const ContactPoint<T, Dim>& c, const P* p) const {
    const auto size = pressure(c.distance, p);
    Vector<std::remove_cvref_t<decltype(size)>, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = size * c.normal[i];
    return f;
  }
};

/// The tangential part v of the relative velocity of two closest points; returns |v|².
template <class T, int Dim>
T tangential_velocity(const ContactPoint<T, Dim>& c, Vector<T, Dim>& v) {
  T along(0.0), square(0.0);
  for (int i = 0; i < Dim; ++i) along += c.normal[i] * c.velocity[i];
  for (int i = 0; i < Dim; ++i) {
    v[i] = c.velocity[i] - along * c.normal[i];
    square += v[i] * v[i];
  }
  return square;
}

/// Barrier with Coulomb friction, regularised as in `RigidContact` and evaluated implicitly at the present state:
///   −μ p v_t / √(|v_t|² + v_ε²),  v_t the tangential part of the points' relative velocity.
/// Coefficients: κ, d̂, μ, v_ε [m/s].
struct FrictionLaw {
  static constexpr bool reads_rate = true, functional = false;
  int n_coefficients() const { return 4; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    return BarrierLaw{}.density(c, p);
  }
  template <class T, int Dim, class P>
  auto force(const ContactPoint<T, Dim>& c, const P* p) const {
    const auto pressure = BarrierLaw::pressure(c.distance, p);
    Vector<T, Dim> v;
    const T square = tangential_velocity(c, v);
    const auto drag = p[2] * pressure / sqrt(square + p[3] * p[3]);
    Vector<std::remove_cvref_t<decltype(drag * v[0])>, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = pressure * c.normal[i] - drag * v[i];
    return f;
  }
};

}  // namespace invar
