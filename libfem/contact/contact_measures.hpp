#pragma once
#include "libfem/contact/contact_law.hpp"

namespace invar {

/// Functionals of contact: integrals over the contact area, with the pressure p and the tangential relative velocity v_t. They are
/// one law with a choice at run time, because separate laws would be compiled for every kind of pair and order of differentiation,
/// although they are seldom evaluated. The first coefficients are those of the contact.
///   pressure        p; its integral is the sum of the magnitudes of all normal forces
///   area            p²/(p² + P²), the area where the pressure is above a threshold. Further coefficient: P [Pa]
///   slip            p |v_t|²/√(|v_t|² + ε²), the pressure times the slip speed. Further coefficient: ε [m/s]
///   friction_power  μ p |v_t|²/√(|v_t|² + v_ε²), the power dissipated by friction. Further coefficients: μ, v_ε [m/s]
struct ContactMeasure {
  enum class Kind { pressure, area, slip, friction_power };
  static constexpr bool reads_rate = true, functional = true;
  Kind kind;

  /// False for area and pressure, which exist in statics, too.
  bool needs_rate() const { return kind == Kind::slip || kind == Kind::friction_power; }
  int n_coefficients() const { return kind == Kind::pressure ? 2 : kind == Kind::friction_power ? 4 : 3; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    using R = std::remove_cvref_t<decltype(BarrierLaw::pressure(c.distance, p))>;
    const R pressure = BarrierLaw::pressure(c.distance, p);
    if (kind == Kind::pressure) return pressure;
    if (kind == Kind::area) {
      const R square = pressure * pressure;
      return R(square / (square + p[2] * p[2]));
    }
    Vector<T, Dim> v;
    const T square = tangential_velocity(c, v);
    const P& smoothing = p[n_coefficients() - 1];
    const R slip = pressure * square / sqrt(square + smoothing * smoothing);
    return kind == Kind::slip ? slip : R(p[2] * slip);
  }
};

}  // namespace invar
