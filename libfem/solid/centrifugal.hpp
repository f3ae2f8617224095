#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/solid/load_geometry.hpp"

namespace invar {

/// Centrifugal force of a body that rotates about a fixed axis, per undeformed volume: ρ ω² d with the distance vector d from the axis,
/// of the point before it is displaced or, `deformed`, of where it is. Conservative: potential −∫ ρ ω² (d₀·u + ½ |u⊥|²), the latter if
/// deformed, for d₀ of X and u⊥ across the axis. In space the axis passes through a along n (of any length); in the plane it is normal to
/// it at a; axisymmetric: it is x = 0. The position is that of the designed body. Coefficients: ρ [kg/m³], ω [rad/s], a, n; the plane does
/// not read n, axisymmetric bodies neither a nor n.
template <int Dim, bool Axisymmetric>
struct Centrifugal {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = value_slots<Dim>();
  static constexpr bool symmetric = true, uses_position = true;

  bool deformed = false;

  int n_coefficients() const { return 2 + 2 * Dim; }

  /// The part of v across the axis.
  template <class R, class T, class Tp>
  INVAR_HD static std::array<R, Dim> across(const std::array<T, Dim>& v, const Tp* p) {
    std::array<R, Dim> d;
    for (int i = 0; i < Dim; ++i) d[i] = R(v[i]);
    if constexpr (Axisymmetric) d[1] = R(0.0);
    if constexpr (Dim == 3) {
      const Tp* n = p + 2 + Dim;
      const R share = (v[0] * n[0] + v[1] * n[1] + v[2] * n[2]) / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      for (int i = 0; i < Dim; ++i) d[i] = R(d[i] - share * n[i]);
    }
    return d;
  }
  /// From the axis to X.
  template <class R, class Tg, class Tp>
  INVAR_HD static std::array<R, Dim> distance(const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) {
    std::array<R, Dim> d;
    for (int i = 0; i < Dim; ++i) d[i] = Axisymmetric ? R(g.x[i]) : R(g.x[i] - p[2 + i]);
    return across<R>(d, p);
  }
  template <class R, class Tg, class Tp>
  INVAR_HD static R strength(const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) {
    return R(p[0] * p[1] * p[1] * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g)));
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto d = distance<R>(g, p);
    const auto u = across<R>(z, p);
    R w(0.0);
    for (int i = 0; i < Dim; ++i) w += deformed ? R((d[i] + 0.5 * u[i]) * z[i]) : R(d[i] * z[i]);
    return R(-(w * strength<R>(g, p)));
  }
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto d = distance<R>(g, p);
    const auto u = across<R>(z, p);
    const R s = strength<R>(g, p);
    std::array<R, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = deformed ? R(-(s * (d[i] + u[i]))) : R(-(s * d[i]));
    return f;
  }
};

}  // namespace invar
