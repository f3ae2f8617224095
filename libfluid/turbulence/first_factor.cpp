#include "libfluid/turbulence/first_factor.hpp"

#include <algorithm>

#include "libfluid/flow/flow_scales.hpp"

namespace invar {

double first_viscosity_factor(const FormResidual& residual, const std::vector<std::string>& walls, double density, double viscosity, double t) {
  constexpr double solvable = 100, least = 10, unknown = 1000;
  const double length = std::min(largest_extent(residual, walls), smallest_extent(residual)), speed = prescribed_speed(residual, t);
  return speed > 0 && length > 0 ? std::max(least, density * speed * length / viscosity / solvable) : unknown;
}

// The ratio χ ends as a front where a layer ends, and there a step of Newton's method, which is linear, brings it to minus ten thousand: the
// next steps only undo that. Other limits of this kind do as well (tests/bench). A start of a fiftieth of the factor leaves boundary layers
// thin: less of it must be carried away than of the factor.
CarriedComponent carried_viscosity(int component, double first_factor) {
  return {.component = component,
          .first_factor = first_factor,
          .start = 0.02 * first_factor,
          .down_share = 0.5,
          .down_least = 10,
          .up_share = 2,
          .up_least = 100};
}

}  // namespace invar
