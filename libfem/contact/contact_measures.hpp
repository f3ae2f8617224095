#pragma once
#include "libfem/contact/contact_law.hpp"

namespace invar {

/// The sharpness of `closeness`, a power of two.
constexpr int closeness_power = 16;

/// (1 − z)³ z⁻¹⁶, z = d/d̂, for 0 < d < d̂, and 0 beyond [1]: from its integral follows a smooth least distance, see `undeformed_gap`.
template <class T, class H>
INVAR_INLINE auto closeness(const T& d, const H& d_hat) {
  using R = decltype(d / d_hat);
  const R z = d / d_hat, gap = 1 - z;
  R power = z;
  for (int k = 1; k < closeness_power; k *= 2) power = power * power;
  return select(z < 1, R(gap * gap * gap / power), R(0));
}

/// Functionals of contact: integrals over the contact area, with the pressure p and the tangential relative velocity v_t. They are
/// one law with a choice at run time, because separate laws would be compiled for every kind of pair and order of differentiation,
/// although they are seldom evaluated. The first coefficients are those of the contact.
///   pressure        p; its integral is the sum of the magnitudes of all normal forces
///   area            p²/(p² + P²), the area where the pressure is above a threshold. Further coefficient: P [Pa]
///   slip            p |v_t|²/√(|v_t|² + ε²), the pressure times the slip speed. Further coefficient: ε [m/s]
///   friction_power  μ p |v_t|²/√(|v_t|² + v_ε²), the power dissipated by friction. Further coefficients: μ, v_ε [m/s]
///   closeness       the first coefficient times `closeness`
struct ContactMeasure {
  enum class Kind { pressure, area, slip, friction_power, closeness };
  static constexpr bool reads_rate = true, functional = true;
  Kind kind;

  /// False for the others, which exist in statics, too.
  bool needs_rate() const { return kind == Kind::slip || kind == Kind::friction_power; }
  int n_coefficients() const { return kind == Kind::pressure || kind == Kind::closeness ? 2 : kind == Kind::friction_power ? 4 : 3; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    using R = std::remove_cvref_t<decltype(BarrierLaw::pressure(c.distance, p))>;
    if (kind == Kind::closeness) return R(p[0] * closeness(c.distance, p[1]));
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
