#pragma once
#include "libfem/solid/kinematics.hpp"

namespace invar {

/// Tension of muscle fibres, beside whatever law: energy ½ T |F f|² per undeformed volume, so that the second
/// Piola–Kirchhoff stress gains T f ⊗ f. f is the fibres' undeformed direction, of unit length. Coefficients:
/// T [Pa], f_x, f_y, (f_z) (need not be a unit vector: its direction counts).
template <class K>
struct ActiveStress {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = K::dim;
  static constexpr std::array<int, K::dim> basis{};
  static constexpr std::size_t ns = K::slots.size();
  static constexpr auto slots = K::slots;
  static constexpr bool symmetric = true, uses_position = K::uses_position;
  int n_coefficients() const { return 1 + dim; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, ns>& z, const PointGeometry<Tg, dim, dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Matrix<PromotedOf<Tz, Tg>, 3, 3> F = displacement_gradient<K, PromotedOf<Tz, Tg>>(z, g);
    for (int i = 0; i < 3; ++i) F(i, i) += 1.0;
    R stretched(0.0), length(0.0);
    for (int j = 0; j < dim; ++j) length += p[1 + j] * p[1 + j];
    for (int i = 0; i < 3; ++i) {
      R along(0.0);
      for (int j = 0; j < dim; ++j) along += F(i, j) * p[1 + j];
      stretched += along * along;
    }
    return R(0.5 * p[0] * (stretched / length) * K::volume(g));
  }
};

}  // namespace invar
