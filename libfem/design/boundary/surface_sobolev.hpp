#pragma once
#include "libfem/form/q_function.hpp"

namespace invar {

/// Smoothing along a surface, unknown v: the minimiser of
///   ∫ ½ v² + ½ ε² |∇_Γ v|² − θ v ds
/// is (I − ε² Δ_Γ)⁻¹ θ. Variations of θ shorter than ε [m] are damped. ∇_Γ v uses the metric AᵀA of the facet.
/// Coefficients: ε², θ.
template <int Dim>
struct SurfaceSobolev {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = join(value_slots<1>(), gradient_slots<1, Dim - 1>());
  static constexpr bool symmetric = true, uses_position = false;
  int n_coefficients() const { return 2; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Tg metric[3] = {Tg(0.0), Tg(0.0), Tg(0.0)};  // 11, 12, 22
    for (int i = 0; i < Dim; ++i) {
      metric[0] += g.A(i, 0) * g.A(i, 0);
      if constexpr (Dim == 3) {
        metric[1] += g.A(i, 0) * g.A(i, 1);
        metric[2] += g.A(i, 1) * g.A(i, 1);
      }
    }
    R slope(0.0);
    if constexpr (Dim == 2) {
      slope = R(z[1] * z[1] / metric[0]);
    } else {
      const Tg determinant = metric[0] * metric[2] - metric[1] * metric[1];
      slope = R((metric[2] * (z[1] * z[1]) - 2.0 * metric[1] * (z[1] * z[2]) + metric[0] * (z[2] * z[2])) / determinant);
    }
    return R((0.5 * (z[0] * z[0]) + 0.5 * p[0] * slope - p[1] * z[0]) * g.measure);
  }
};

}  // namespace invar
