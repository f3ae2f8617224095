#pragma once
#include <numbers>

#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/solid/load_geometry.hpp"

namespace invar {

/// Dead load per reference volume (ref_dim = dim, N/m³) or per reference area (ref_dim = dim − 1, Pa) with potential −∫ f·u; or an
/// elastic (Winkler) foundation on facets, a spring at points, with potential ½ ∫ Σ c_i u_i², c in N/m³ or N/m. One form serves
/// both, selected at run time, to save compile time. The displacement comes first in every unknown, so mixed formulations need
/// nothing else. Coefficients: f_x, f_y, (f_z), or c_x, c_y, (c_z).
template <int Dim, int RefDim, bool Axisymmetric>
struct LoadOrFoundation {
  static constexpr int dim = Dim, ref_dim = RefDim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = value_slots<Dim>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;

  bool foundation;

  int n_coefficients() const { return Dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, RefDim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(0.0);
    for (int i = 0; i < Dim; ++i) w += foundation ? R(0.5 * (p[i] * (z[i] * z[i]))) : R(-(p[i] * z[i]));
    return R(w * (g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g)));
  }
  // Written by hand, because it is simple: second derivatives of a derived flux would need duals of duals of duals.
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, RefDim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tg area = g.measure * LoadGeometry<Dim, Axisymmetric>::ring(g);
    std::array<R, Dim> f;
    for (int i = 0; i < Dim; ++i) f[i] = foundation ? R(p[i] * area * z[i]) : R(-(p[i] * area));
    return f;
  }
};

/// Follower pressure [Pa] on the deformed surface: r(v) = ∫ p v · n da over the deformed facets, n da = ∂x/∂ξ₁ × ∂x/∂ξ₂ with x = X +
/// u (Nanson's relation without F). Facets are oriented outward; positive p pushes inward. Not conservative in general, so the
/// tangent is not symmetric. Coefficient: p.
template <int Dim, bool Axisymmetric>
struct FollowerPressure {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = join(value_slots<Dim>(), gradient_slots<Dim, Dim - 1>());
  static constexpr bool symmetric = false, uses_position = Axisymmetric;
  static constexpr std::size_t ns = Dim + Dim * (Dim - 1);
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Matrix<PromotedOf<Tz, Tg>, Dim, Dim - 1> tangents;
    for (int i = 0; i < Dim; ++i)
      for (int m = 0; m < Dim - 1; ++m) tangents(i, m) = g.A(i, m) + z[Dim + i * (Dim - 1) + m];
    const auto n = area_vector(tangents);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < Dim; ++i) {
      if constexpr (Axisymmetric) f[i] = R(p[0] * n[i] * ((2 * std::numbers::pi) * (g.x[0] + z[0])));
      else f[i] = R(p[0] * n[i]);
    }
    return f;
  }
};

}  // namespace invar
