#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfluid/flow/eddy_viscosity.hpp"
#include "libfluid/flow/flow_kinematics.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

// Densities W of flow objectives ∫ W over cells or facets (oriented outward). Densities of the velocity do not depend
// on the pressure component.

template <class K, class T>
using FlowCellGeometry = PointGeometry<T, K::dim, K::dim>;
template <class K, class T>
using FlowFacetGeometry = PointGeometry<T, K::dim, K::dim - 1>;

/// Common part of densities of the velocity u of K.
template <class K, int RefDim>
struct VelocityDensity {
  static constexpr int dim = K::dim, ref_dim = RefDim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = value_slots<K::dim>();
  static constexpr bool functional = true, symmetric = true, uses_position = K::axisymmetric;
};

/// Power per volume that the fluid and a porous body take from the (mean) flow, 2 μ ε:ε + α |u|² [W/m³]; turbulent: also what the mean flow
/// loses to turbulence. Then the unknown is u, p, χ of one order, and μ that of `NavierStokes`. Coefficients: the law's parameters,
/// resistance α, then c_v1 where turbulent.
template <class K, bool Turbulent = false>
struct Dissipation {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim + (Turbulent ? 2 : 0);
  static constexpr std::array<int, n_components> basis{};
  static constexpr std::size_t chi = K::velocity_slots.size();
  static constexpr auto slots = [] {
    if constexpr (Turbulent) return join(K::velocity_slots, value_slots<1, K::dim + 1>());
    else return K::velocity_slots;
  }();
  static constexpr bool functional = true, symmetric = true, uses_position = K::axisymmetric;

  ViscosityLaw law;
  int n_coefficients() const { return law.n_parameters() + (Turbulent ? 2 : 1); }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, slots.size()>& z, const FlowCellGeometry<K, Tg>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const FlowPoint<K, PromotedOf<Tz, Tg>> at(z, g);
    const auto rate = at.shear_rate_squared();
    R viscosity = law.viscosity(rate, p);
    if constexpr (Turbulent) viscosity *= 1.0 + eddy_viscosity_ratio(z[chi], p[law.n_parameters() + 1]);
    const R power = viscosity * rate + p[law.n_parameters()] * dot(at.u, at.u);
    return R(power * K::measure(g));
  }
};

/// ρ/2 |u|² [J/m³]. Coefficient: density.
template <class K>
struct FlowKineticEnergy : VelocityDensity<K, K::dim> {
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, K::dim>& u, const FlowCellGeometry<K, Tg>& g, const Tp* p) const {
    PromotedOf<Tz, Tg, Tp> w(0.0);
    for (int i = 0; i < K::dim; ++i) w += 0.5 * (p[0] * (u[i] * u[i]));
    return PromotedOf<Tz, Tg, Tp>(w * K::measure(g));
  }
};

/// ½ |u − û|² [m²/s²]. Coefficients: û_x, û_y, (û_z) [m/s].
template <class K>
struct VelocityMisfit : VelocityDensity<K, K::dim> {
  int n_coefficients() const { return K::dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, K::dim>& u, const FlowCellGeometry<K, Tg>& g, const Tp* target) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(0.0);
    for (int i = 0; i < K::dim; ++i) {
      const R d = u[i] - target[i];
      w += 0.5 * (d * d);
    }
    return R(w * K::measure(g));
  }
};

/// u·n [m/s]: ∫ is the volume that leaves per second [m³/s]. No coefficients.
template <class K>
struct FlowRate : VelocityDensity<K, K::dim - 1> {
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, K::dim>& u, const FlowFacetGeometry<K, Tg>& g, const Tp*) const {
    const auto n = area_vector(g.A) * K::ring(g);
    PromotedOf<Tz, Tg, Tp> w(0.0);
    for (int i = 0; i < K::dim; ++i) w += u[i] * n[i];
    return w;
  }
};

/// Common part of densities of the pressure on facets. The pressure's basis is that of the velocity (EqualOrder) or the
/// second one.
template <class K, bool EqualOrder>
struct PressureDensity {
  static constexpr int dim = K::dim, ref_dim = K::dim - 1, n_components = K::dim + 1;
  static constexpr std::array<int, K::dim + 1> basis = [] {
    std::array<int, K::dim + 1> b{};
    b[K::dim] = EqualOrder ? 0 : 1;
    return b;
  }();
  static constexpr auto slots = value_slots<1, K::dim>();
  static constexpr bool functional = true, symmetric = true, uses_position = K::axisymmetric;
};

/// p [Pa]: ∫ over the area is the mean pressure. No coefficients.
template <class K, bool EqualOrder>
struct PressureIntegral : PressureDensity<K, EqualOrder> {
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& z, const FlowFacetGeometry<K, Tg>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(z[0] * K::measure(g));
  }
};

/// ½ (p − p̂)² [Pa²]. Coefficient: p̂.
template <class K, bool EqualOrder>
struct PressureMisfit : PressureDensity<K, EqualOrder> {
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& z, const FlowFacetGeometry<K, Tg>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const R d = z[0] - p[0];
    return R(0.5 * (d * d) * K::measure(g));
  }
};

}  // namespace invar
