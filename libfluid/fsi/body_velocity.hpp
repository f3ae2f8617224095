#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// The velocity v of a body is the rate of its displacement d: r(ψ) = ∫ w (∂d/∂t − v)·ψ dV in d's rows; at rest v = 0.
/// w [Pa s/m²] only scales these rows to the magnitude of forces. Components: v [m/s], d [m].
/// Coefficient: w.
template <class K>
struct BodyVelocity {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 2 * K::dim;
  static constexpr std::array<int, n_components> basis{};
  static constexpr auto slots = join(value_slots<dim>(), at_level(Level::rate, value_slots<dim, dim>()));
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  static constexpr std::size_t ns = slots.size();
  static constexpr bool couples(int i, int j) { return i >= dim && (j == i || j == i - dim); }
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto weight = p[0] * K::measure(g);
    std::array<R, ns> f;
    for (int i = 0; i < dim; ++i) f[i] = R(0.0), f[dim + i] = R(weight * (z[dim + i] - z[i]));
    return f;
  }
};

}  // namespace invar
