#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libfem/form/boundary_part.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// A part of what the fluid exerts on a region: the residual of its equations and loads, times factors. With facets the force is that
/// of RegionShare::Of::surface, of the fluid alone: its boundary consists of exterior facets and of those to bodies, which count as held. A
/// region of a body's cells has the facets between them and the fluid; another one of cells, points or curves the forces at its nodes.
struct FluidShare {
  std::optional<BoundaryPart> where;  // the forms' contribution there; none: everywhere
  std::vector<double> factor;         // [local node × dim]
};

/// fluid: its region of cells. tied: regions of facets whose nodes are tied, or surfaces of rigid parts. The residual must have all its
/// conditions. Collective.
std::vector<FluidShare> fluid_shares(const FormResidual& residual, const std::string& fluid, const std::string& region, const std::vector<std::string>& tied);

}  // namespace invar
