#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/solid/load_geometry.hpp"

namespace invar {

/// Inertia of a body of reference density ρ [kg/m³], or of a coat of mass per area [kg/m²] on its surface
/// (RefDim = Dim − 1): r(v) = ∫ ρ ü·v dV. Coefficient: ρ.
template <int Dim, int RefDim, bool Axisymmetric>
struct Inertia {
  static constexpr int dim = Dim, ref_dim = RefDim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = at_level(Level::acceleration, value_slots<Dim>());
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, RefDim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto mass = p[0] * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g));
    std::array<R, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = R(mass * z[i]);
    return f;
  }
};

/// Damping in proportion to the mass: r(v) = ∫ α ρ u̇·v dV. Coefficients: ρ [kg/m³], α [1/s].
template <int Dim, bool Axisymmetric>
struct MassDamping {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = at_level(Level::rate, value_slots<Dim>());
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto mass = (p[0] * p[1]) * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g));
    std::array<R, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = R(mass * z[i]);
    return f;
  }
};

/// Kinetic energy ½ ∫ ρ |u̇|² dV [J], for objectives and histories. Coefficient: ρ.
template <int Dim, bool Axisymmetric>
struct KineticEnergy {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = at_level(Level::rate, value_slots<Dim>());
  static constexpr bool functional = true, symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    PromotedOf<Tz, Tg, Tp> w(0.0);
    for (int i = 0; i < Dim; ++i) w += 0.5 * (p[0] * (z[i] * z[i]));
    return PromotedOf<Tz, Tg, Tp>(w * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g)));
  }
};

}  // namespace invar
