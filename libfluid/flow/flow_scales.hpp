#pragma once
#include <numbers>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

// Sizes of a flow, from what its equation is given. All are collective.

/// The largest velocity component [m/s] that the residual's conditions prescribe at time t, at the present values of
/// its controls; 0: none.
double prescribed_speed(const FormResidual& residual, double t);
/// The smallest extent of the mesh along an axis [m].
double smallest_extent(const FormResidual& residual);
/// How far a region is from a body between these walls, in sizes of the body: from the middle of their extents to the
/// nearest of the region's nodes, over their largest extent. Infinite where the walls reach a side of the mesh, as
/// those of a duct do.
double distance_in_sizes(const FormResidual& residual, const std::vector<std::string>& walls, const std::string& region);
/// The largest extent of these regions' nodes along an axis [m].
double largest_extent(const FormResidual& residual, const std::vector<std::string>& regions);

/// By how many degrees a body with a lift coefficient of 1 turns the flow at `distance` chords from it: its vortex, of
/// circulation c_l U c/2, moves the flow there by c_l U/(4 π distance).
inline double turn_by_lift(double distance) { return 45 / (std::numbers::pi * std::numbers::pi * distance); }

}  // namespace invar
