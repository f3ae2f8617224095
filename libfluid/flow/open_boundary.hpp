#pragma once
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"

namespace invar {

/// Nodes of the open boundary: of facets whose normal velocity is not prescribed at every node. Local nodes, ghosts
/// included, by the conditions that the residual has so far, on the undeformed mesh. closed: facet regions through which
/// nothing flows although no velocity is prescribed there, e.g. slip walls by a penalty. within: the part in this region of
/// facets; empty: all. Collective.
std::vector<int> open_boundary(const FormResidual& residual, const std::vector<std::string>& closed = {}, const std::string& within = {});

}  // namespace invar
