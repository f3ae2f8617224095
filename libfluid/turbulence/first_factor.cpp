#include "libfluid/turbulence/first_factor.hpp"

#include <algorithm>

#include "libfluid/flow/flow_scales.hpp"

namespace invar {

double first_viscosity_factor(const FormResidual& residual, const std::vector<std::string>& walls, double density, double viscosity, double t) {
  constexpr double solvable = 100, least = 10, unknown = 1000;
  const double length = std::min(largest_extent(residual, walls), smallest_extent(residual)), speed = prescribed_speed(residual, t);
  return speed > 0 && length > 0 ? std::max(least, density * speed * length / viscosity / solvable) : unknown;
}

}  // namespace invar
