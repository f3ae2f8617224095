#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Inertia of flow: r(v) = ∫ ρ ∂u/∂t·v dV. Coefficient: ρ [kg/m³].
template <class K>
struct FlowInertia {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = at_level(Level::rate, value_slots<K::dim>());
  static constexpr bool symmetric = true, uses_position = K::axisymmetric;
  static constexpr int most_coefficients = 1;
  static constexpr bool couples(int i, int j) { return i == j; }
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, dim>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto mass = p[0] * K::measure(g);
    std::array<R, dim> f;
    for (int i = 0; i < dim; ++i) f[i] = R(mass * z[i]);
    return f;
  }
};

/// Convection of a linearised-implicit step: r(v) = ∫ ρ (u*·∇u)·v dV, where u* is the velocity extrapolated from
/// earlier times. Coefficient: ρ [kg/m³].
template <class K>
struct LinearisedConvection {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr auto slots = join(K::velocity_slots, at_level(Level::predicted, value_slots<K::dim>()));
  static constexpr bool symmetric = false, uses_position = K::axisymmetric;
  static constexpr std::size_t ns = slots.size();
  static constexpr int carrier(int j) { return dim + dim * dim + j; }
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto flux(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto mass = p[0] * K::measure(g);
    std::array<R, ns> f;
    for (R& entry : f) entry = R(0.0);
    for (int i = 0; i < dim; ++i) {
      PromotedOf<Tz> carried(0.0);
      for (int j = 0; j < dim; ++j) carried += z[K::gradient(i, j)] * z[carrier(j)];
      f[K::velocity(i)] = R(mass * carried);
    }
    return f;
  }

  /// ∂flux/∂z, written by hand because most of it is zero, which duals do not exploit.
  INVAR_HD void tangent(const std::array<Pack, ns>& z, const PointGeometry<Pack, dim, dim>& g, const Pack* p,
                        std::array<std::array<Pack, ns>, ns>& D) const {
    const Pack mass = p[0] * K::measure(g);
    for (auto& row : D) row.fill(Pack(0.0));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) {
        D[K::velocity(i)][K::gradient(i, j)] = mass * z[carrier(j)];
        D[K::velocity(i)][carrier(j)] = mass * z[K::gradient(i, j)];
      }
  }
};

}  // namespace invar
