#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

// Sizes of a flow, from what its equation is given. All are collective.

/// The largest velocity component [m/s] that the residual's conditions prescribe at time t, at the present values of its
/// controls; 0: none.
double prescribed_speed(const FormResidual& residual, double t);
/// The smallest extent of the mesh along an axis [m].
double smallest_extent(const FormResidual& residual);
/// The largest extent of these regions' nodes along an axis [m].
double largest_extent(const FormResidual& residual, const std::vector<std::string>& regions);

}  // namespace invar
