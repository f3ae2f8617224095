#pragma once
#include "libfem/form/point_kernel.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

// Densities W of objectives of a scalar c in Taylor–Hood flow: ∫ W over cells or facets (oriented outward). The unknown
// is u_x, u_y, (u_z), p, c. No coefficients.

/// Common part.
template <class K, int RefDim>
struct ScalarDensity {
  static constexpr int dim = K::dim, ref_dim = RefDim, n_components = K::dim + 2;
  static constexpr std::array<int, K::dim + 2> basis = [] {
    std::array<int, K::dim + 2> b{};
    b[K::dim] = b[K::dim + 1] = 1;
    return b;
  }();
  static constexpr bool functional = true, symmetric = true, uses_position = K::axisymmetric;
  int n_coefficients() const { return 0; }
};

/// c on cells: ∫ over the volume is its mean.
template <class K>
struct ScalarContent : ScalarDensity<K, K::dim> {
  static constexpr auto slots = value_slots<1, K::dim + 1>();

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& z, const PointGeometry<Tg, K::dim, K::dim>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(z[0] * K::measure(g));
  }
};

/// c u·n on facets: convective flux.
template <class K>
struct ScalarOutflow : ScalarDensity<K, K::dim - 1> {
  static constexpr auto slots = join(value_slots<K::dim>(), value_slots<1, K::dim + 1>());

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, K::dim + 1>& z, const PointGeometry<Tg, K::dim, K::dim - 1>& g,
                        const Tp*) const {
    const auto n = area_vector(g.A) * K::ring(g);
    PromotedOf<Tz, Tg, Tp> through(0.0);
    for (int i = 0; i < K::dim; ++i) through += z[i] * n[i];
    return PromotedOf<Tz, Tg, Tp>(through * z[K::dim]);
  }
};

}  // namespace invar
