#pragma once
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// The nodes of the boundary through which a flow may pass: those of its facets where the velocity along the normal is
/// not prescribed at every node. Nodes of the rank and its ghosts, by the conditions that the residual has so far, on
/// the mesh as given. Collective.
std::vector<int> open_boundary(const FormResidual& residual);

}  // namespace invar
