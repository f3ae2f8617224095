#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// Reference state for dimensionless forces, as numbers that may be designed.
struct FreeStream {
  std::shared_ptr<Observable> density;                // kg/m³
  std::vector<std::shared_ptr<Observable>> velocity;  // [dim], m/s
};

// Coefficients with the dynamic pressure q = ρ/2 |U|² of the free stream U, in the directions that U defines. force: components
// along the axes [dim]. area: m²; in 2-D a length, per metre of depth.

/// F·U/|U| / (q A)
std::shared_ptr<Observable> make_drag_coefficient(const std::vector<std::shared_ptr<Observable>>& force, const FreeStream& stream,
                                                  double area);
/// F·l / (q A) with l along span × U; in 2-D the span is the third axis, so that lift is drag's direction rotated counter-clockwise.
std::shared_ptr<Observable> make_lift_coefficient(const std::vector<std::shared_ptr<Observable>>& force, const FreeStream& stream,
                                                  double area, const std::array<double, 3>& span);
/// −M / (q A c), with M the moment about the span; positive nose-up. length: c, m.
std::shared_ptr<Observable> make_moment_coefficient(const std::shared_ptr<Observable>& moment, const FreeStream& stream, double area,
                                                    double length);

}  // namespace invar
