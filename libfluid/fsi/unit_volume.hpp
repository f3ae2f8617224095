#pragma once
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Density 1 on cells, which depends on no unknown: Moving makes the volume of the moved mesh of it. No coefficients.
template <class K>
struct UnitVolume {
  static constexpr int dim = K::dim, ref_dim = K::dim, n_components = 0;
  static constexpr std::array<int, 0> basis{};
  static constexpr std::array<Slot, 0> slots{};
  static constexpr bool functional = true, symmetric = true, uses_position = K::axisymmetric;
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 0>&, const PointGeometry<Tg, dim, dim>& g, const Tp*) const {
    return PromotedOf<Tz, Tg, Tp>(K::measure(g));
  }
};

}  // namespace invar
