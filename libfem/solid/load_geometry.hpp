#pragma once
#include <numbers>

#include "libfem/math/host_device.hpp"

namespace invar {

/// Geometry of loads. Axisymmetric meshes (x = r) integrate over the full circle.
template <int Dim, bool Axisymmetric>
struct LoadGeometry {
  template <class G>
  INVAR_HD static auto ring(const G& g) {
    if constexpr (Axisymmetric) return (2 * std::numbers::pi) * g.x[0];
    else return 1.0;
  }
};

}  // namespace invar
