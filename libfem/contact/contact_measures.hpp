#pragma once
#include "libfem/contact/contact_law.hpp"
#include "libfem/contact/pair_point.hpp"

namespace invar {

// Densities that only observables read. Law: that of the contact; its coefficients come first.

/// A component of the force on the first side: what the flux says of the first point's, or first edge's, vertices.
/// Coefficients: direction (its length scales the result).
template <class Law, int Dim>
struct ContactForceMeasure {
  static constexpr bool reads_rate = Law::reads_rate, functional = true, oriented = true;
  Law law{};
  int n_coefficients() const { return law.n_coefficients() + Dim; }
};

template <class Law, int Dim, PairKind Kind>
struct PairPoint<ContactForceMeasure<Law, Dim>, Dim, Kind> : PairPoint<Law, Dim, Kind> {
  using Pair = PairPoint<Law, Dim, Kind>;
  static constexpr bool functional = true, symmetric = false;

  explicit PairPoint(ContactForceMeasure<Law, Dim> measure) : Pair{measure.law} {}
  int n_coefficients() const { return Pair::n_coefficients() + Dim; }

  template <class Tz, class Tg, class Tp>
  auto density(const std::array<Tz, Pair::ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const std::array<R, Pair::ns> f = Pair::flux(z, g, p);
    const Tp* direction = p + Pair::n_coefficients();
    R sum(0.0);
    for (int i = 0; i < Dim; ++i) {
      sum -= f[i] * direction[i];
      if constexpr (Pair::edges) sum -= f[2 * Dim + i] * direction[i];
    }
    return sum;
  }
  template <class Tz, class Tg, class Tp>
  void flux(const std::array<Tz, Pair::ns>&, const PointGeometry<Tg, Dim, Dim - 1>&, const Tp*) const = delete;
};

/// Area where the pressure is above a threshold P, as the integral of p²/(p² + P²). Coefficient: P.
struct ContactAreaMeasure {
  static constexpr bool reads_rate = false, functional = true, oriented = false;
  int n_coefficients() const { return 3; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    const auto pressure = BarrierLaw::pressure(c.distance, p), square = pressure * pressure;
    return square / (square + p[2] * p[2]);
  }
};

/// What friction takes out of the motion per time, μ p |v_t|²/√(|v_t|² + v_ε²).
struct FrictionPowerMeasure {
  static constexpr bool reads_rate = true, functional = true, oriented = false;
  int n_coefficients() const { return 4; }

  template <class T, int Dim, class P>
  auto density(const ContactPoint<T, Dim>& c, const P* p) const {
    Vector<T, Dim> v;
    const auto square = FrictionLaw::slip(c, p, v);
    return p[2] * BarrierLaw::pressure(c.distance, p) * (square - p[3] * p[3]) / sqrt(square);
  }
};

}  // namespace invar
