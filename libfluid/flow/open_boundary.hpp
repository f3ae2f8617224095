#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Nodes of the open boundary: of facets whose normal velocity is not prescribed at every node. Local nodes, ghosts included, ascending, by
/// the conditions that the residual has so far, on the undeformed mesh. closed: facet regions through which nothing flows although no
/// velocity is prescribed there, e.g. slip walls by a penalty. Collective.
std::vector<int> open_boundary(const FormResidual& residual, const std::vector<std::string>& closed = {});

/// For each region of facets, nodes of its open facets. Where facets of different regions meet, a node has the regions of one of them: later
/// regions come first.
std::vector<std::vector<int>> open_parts(const FormResidual& residual, const std::vector<std::string>& closed, const std::vector<std::string>& regions);

}  // namespace invar
