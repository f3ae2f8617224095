#pragma once
#include "libfem/contact/contact_law.hpp"
#include "libfem/contact/pair_point.hpp"
#include "libfem/math/rigid_velocity.hpp"

namespace invar {

// What only observables read. Coefficients of the contact come first.

/// What the forces on the first side do in a rigid motion of that side as it is now: their component or moment. Law: that
/// of the contact.
template <class Law>
struct FirstSideForce {
  static constexpr bool reads_rate = Law::reads_rate, functional = true;
  Law law{};
  RigidVelocity motion{};
  int n_coefficients() const { return law.n_coefficients(); }
};

template <class Law, int Dim, PairKind Kind>
struct PairPoint<FirstSideForce<Law>, Dim, Kind> : PairPoint<Law, Dim, Kind> {
  explicit PairPoint(const FirstSideForce<Law>& force) : PairPoint<Law, Dim, Kind>{force.law} {}
};

/// Area where the pressure is above a threshold P, as the integral of p²/(p² + P²). Coefficient: P.
struct ContactAreaMeasure {
  static constexpr bool reads_rate = false, functional = true;
  int n_coefficients() const { return 3; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    const auto pressure = BarrierLaw::pressure(c.distance, p), square = pressure * pressure;
    return square / (square + p[2] * p[2]);
  }
};

/// What friction takes out of the motion per time, μ p |v_t|²/√(|v_t|² + v_ε²).
struct FrictionPowerMeasure {
  static constexpr bool reads_rate = true, functional = true;
  int n_coefficients() const { return 4; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    Vector<T, Dim> v;
    const T square = tangential_velocity(c, v);
    return p[2] * BarrierLaw::pressure(c.distance, p) * square / sqrt(square + p[3] * p[3]);
  }
};

/// The pressure: its integral is the sum of the sizes of all normal forces.
struct PressureMeasure {
  static constexpr bool reads_rate = false, functional = true;
  int n_coefficients() const { return 2; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    return BarrierLaw::pressure(c.distance, p);
  }
};

/// The pressure times the speed at which the surfaces slip on each other, p |v_t|²/√(|v_t|² + ε²). Coefficient: ε [m/s].
struct SlipMeasure {
  static constexpr bool reads_rate = true, functional = true;
  int n_coefficients() const { return 3; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    Vector<T, Dim> v;
    const T square = tangential_velocity(c, v);
    return BarrierLaw::pressure(c.distance, p) * square / sqrt(square + p[2] * p[2]);
  }
};

}  // namespace invar
