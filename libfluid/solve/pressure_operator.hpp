#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// The bilinear forms on the pressure p (test function q) that the Schur complement of flow is
/// approximated by; u the velocity, ρ the density, α the resistance, s a rate.
///   mass        ∫ w p q dV
///   diffusion   ∫ ∇p·∇q dV
///   convection  ∫ (α + s ρ) p q − ρ p u·∇q dV
/// The last is ρ u·∇p + (α + s ρ) p with the boundary term −ρ u·n p q that makes inlets transparent. Elman,
/// Silvester, Wathen: Finite Elements and Fast Iterative Solvers (2014), ch. 9.
/// Coefficients: w, ρ, α, s, u_x, u_y, (u_z).
template <class K>
struct PressureOperator {
  enum class Kind { mass, diffusion, convection };
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = join(value_slots<1>(), gradient_slots<1, K::dim>());
  static constexpr bool symmetric = false, uses_position = K::axisymmetric, never_differentiated = true;

  Kind kind = Kind::mass;
  int n_coefficients() const { return 4 + K::dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, 1 + K::dim>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* c) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Tg volume = K::measure(g);
    std::array<R, 1 + K::dim> f;
    for (R& entry : f) entry = R(0.0);
    switch (kind) {
      case Kind::mass: f[0] = volume * (c[0] * z[0]); break;
      case Kind::diffusion:
        for (int i = 0; i < dim; ++i) f[1 + i] = volume * R(z[1 + i]);
        break;
      case Kind::convection:
        f[0] = volume * ((c[2] + c[3] * c[1]) * z[0]);
        for (int i = 0; i < dim; ++i) f[1 + i] = volume * (-c[1] * c[4 + i] * z[0]);
        break;
    }
    return f;
  }
};

}  // namespace invar
