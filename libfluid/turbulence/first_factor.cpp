#include "libfluid/turbulence/first_factor.hpp"

#include <algorithm>

#include "libfluid/flow/flow_scales.hpp"

namespace invar {

double first_viscosity_factor(const FormResidual& residual, const std::vector<std::string>& walls, double density, double viscosity, double t) {
  constexpr double solvable = 100, least = 10, unknown = 1000;
  const double length = std::min(largest_extent(residual, walls), smallest_extent(residual)), speed = prescribed_speed(residual, t);
  return speed > 0 && length > 0 ? std::max(least, density * speed * length / viscosity / solvable) : unknown;
}

// χ has a front at the edge of a boundary layer, where an unlimited Newton step, being linear, may give −10⁴, which the following
// steps only reverse; hence the limit. Other limits of this size work equally well (tests/bench). The initial value is 1/50 of the
// factor, which gives thinner boundary layers: less of it has to be convected away.
TransportedComponent transported_viscosity(int component, double first_factor) {
  return {.component = component,
          .first_factor = first_factor,
          .start = 0.02 * first_factor,
          .down_share = 0.5,
          .down_least = 10,
          .up_share = 2,
          .up_least = 100};
}

}  // namespace invar
