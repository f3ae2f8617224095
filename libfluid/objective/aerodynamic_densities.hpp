#pragma once
#include <array>

#include "libfem/math/rigid_velocity.hpp"
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

/// w·t with a rigid velocity field w(x) and the traction t = μ ((∇u)ᵀ n − n ∇·u) [Pa], by which that of τ = 2 μ ε exceeds that of τ = μ ∇u.
/// t_i = μ (n_j ∂_i − n_i ∂_j) u_j consists of derivatives along the surface (Günter's): it is zero, also discretely, where the fluid rests.
/// Coefficient: viscosity μ.
template <class K>
struct TransposedShearWork : VelocityDensity<K, K::dim - 1> {
  static constexpr int dim = K::dim;
  static constexpr auto slots = join(value_slots<dim>(), gradient_slots<dim, dim - 1>());
  static constexpr bool uses_position = true;
  RigidVelocity w;
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, slots.size()>& z, const FlowFacetGeometry<K, Tg>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg>;
    const auto along = [&](int i, int m) { return z[dim + i * (dim - 1) + m]; };  // ∂u_i/∂ξ_m
    Vector<R, dim> t;                                                             // per ∂ξ, without μ
    if constexpr (dim == 2) {
      t[0] = R(-along(1, 0));
      t[1] = R(along(0, 0));
    } else {
      const auto turned = [&](int k, int j) { return g.A(k, 1) * along(j, 0) - g.A(k, 0) * along(j, 1); };  // (n × ∇u_j)_k
      for (int i = 0, j = 1, k = 2; i < 3; j = k, k = i, ++i) t[i] = turned(j, k) - turned(k, j);
    }
    if constexpr (K::axisymmetric) {
      const auto n = area_vector(g.A);
      for (int i = 0; i < dim; ++i) t[i] = (2 * std::numbers::pi) * (g.x[0] * t[i] - n[i] * z[0]);  // ∇·u includes u_r/r
    }
    R power(0.0);
    for (int i = 0; i < dim; ++i) {
      Tg component(w.constant[i]);
      for (int j = 0; j < dim; ++j) component += w.slope[i][j] * g.x[j];
      power += component * t[i];
    }
    return PromotedOf<Tz, Tg, Tp>(p[0] * power);
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
