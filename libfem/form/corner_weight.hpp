#pragma once
#include "libfem/math/host_device.hpp"

namespace invar {

/// Value of the shape function of corner C of a box at corner c of its part `child`: bit k of a corner or a part is set at the upper end of
/// axis k. halved: [dim] the axes along which the box is divided.
INVAR_HD constexpr double corner_weight(int dim, const bool* halved, int child, int c, int C) {
  double weight = 1;
  for (int k = 0; k < dim; ++k) {
    const int bit = (c >> k) & 1;
    const double at = halved[k] ? 0.5 * (((child >> k) & 1) + bit) : bit;
    weight *= (C >> k) & 1 ? at : 1 - at;
  }
  return weight;
}

}  // namespace invar
