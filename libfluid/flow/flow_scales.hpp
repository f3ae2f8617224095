#pragma once
#include <numbers>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

// Scales of a flow, from the data of its equation. All calls are collective.

/// The largest velocity component [m/s] prescribed at time t, for the present values of the controls; 0: none.
double prescribed_speed(const FormResidual& residual, double t);
/// The smallest extent of the mesh along an axis [m].
double smallest_extent(const FormResidual& residual);
/// Distance of a region from a body with these walls, in body sizes: from the middle of the body's extents to the
/// nearest node of the region, over the largest extent of the body. Infinite if the walls reach a side of the mesh, as
/// in a duct.
double distance_in_sizes(const FormResidual& residual, const std::vector<std::string>& walls, const std::string& region);
/// The largest extent of these regions' nodes along an axis [m].
double largest_extent(const FormResidual& residual, const std::vector<std::string>& regions);

/// Angle [degrees] by which a body with a lift coefficient of 1 turns the flow at `distance` chords from it: its
/// circulation c_l U c/2 induces the velocity c_l U/(4 π distance).
inline double turn_by_lift(double distance) { return 45 / (std::numbers::pi * std::numbers::pi * distance); }

}  // namespace invar
