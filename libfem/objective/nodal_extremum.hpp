#pragma once
#include <array>
#include <string>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// The least or greatest value of a field, and where it is.
struct NodalExtremum {
  double value = 0;             // not a number where no node carries the component
  std::array<double, 3> x{};    // m
};

/// Of a component of the unknown over the nodes of a region; empty: of all. Among equals the node that comes first in
/// the serial mesh. The same on every rank. Collective. Throws std::invalid_argument where there is no such region.
NodalExtremum nodal_extremum(const DofMap& dofs, Vec u, const double* coordinates, const std::string& region,
                             int component, bool greatest);

}  // namespace invar
