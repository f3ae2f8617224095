#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// What makes forces dimensionless, as numbers that may be designed.
struct FreeStream {
  std::shared_ptr<Observable> density;                // kg/m³
  std::vector<std::shared_ptr<Observable>> velocity;  // [dim], m/s
};

// Coefficients with the dynamic pressure q = ρ/2 |U|² of the free stream U, whose direction they follow.
// force: its components along the axes [dim]. area: m²; in the plane a length, per metre of depth.

/// F·U/|U| / (q A)
std::shared_ptr<Observable> make_drag_coefficient(const std::vector<std::shared_ptr<Observable>>& force, const FreeStream& stream,
                                                  double area);
/// F·l / (q A) with l along span × U; the span is in the plane the third axis, so that lift is drag's direction turned
/// counter-clockwise.
std::shared_ptr<Observable> make_lift_coefficient(const std::vector<std::shared_ptr<Observable>>& force, const FreeStream& stream,
                                                  double area, const std::array<double, 3>& span);
/// −M / (q A c): where M is the moment about the span, positive where it lifts the nose. length: c, m.
std::shared_ptr<Observable> make_moment_coefficient(const std::shared_ptr<Observable>& moment, const FreeStream& stream, double area,
                                                    double length);

}  // namespace invar
