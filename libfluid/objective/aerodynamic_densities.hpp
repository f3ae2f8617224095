#pragma once
#include <array>

#include "libfluid/flow/flow_densities.hpp"

namespace invar {

// Densities of aerodynamic quantities over facets, whose normals n point out of the fluid.

/// p w·n with a rigid velocity field w(x) = constant + slope · x: the pressure part of the force (w a direction) or
/// moment (w = a × (x − x_0)) that the fluid exerts. No coefficients.
template <class K, bool EqualOrder>
struct PressureWork : PressureDensity<K, EqualOrder> {
  static constexpr bool uses_position = true;
  std::array<double, 3> constant{};
  std::array<std::array<double, 3>, 3> slope{};
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& z, const FlowFacetGeometry<K, Tg>& g, const Tp*) const {
    const auto n = area_vector(g.A) * K::ring(g);
    Tg through(0.0);
    for (int i = 0; i < K::dim; ++i) {
      Tg w(constant[i]);
      for (int j = 0; j < K::dim; ++j) w += slope[i][j] * g.x[j];
      through += w * n[i];
    }
    return PromotedOf<Tz, Tg, Tp>(z[0] * through);
  }
};

/// (p + ρ/2 |u|²) u·n [W/m²]: flux of total pressure. Coefficient: density.
template <class K, bool EqualOrder>
struct TotalPressureFlux : PressureDensity<K, EqualOrder> {
  static constexpr auto slots = value_slots<K::dim + 1>();
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, K::dim + 1>& z, const FlowFacetGeometry<K, Tg>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto n = area_vector(g.A) * K::ring(g);
    PromotedOf<Tz, Tg> through(0.0);
    Tz squared(0.0);
    for (int i = 0; i < K::dim; ++i) through += z[i] * n[i], squared += z[i] * z[i];
    const R total = z[K::dim] + 0.5 * (p[0] * squared);
    return R(total * through);
  }
};

}  // namespace invar
