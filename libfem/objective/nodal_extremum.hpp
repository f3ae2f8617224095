#pragma once
#include <array>
#include <string>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Minimum or maximum of a nodal field, and its position.
struct NodalExtremum {
  double value = 0;             // NaN if no node has the component
  std::array<double, 3> x{};    // m
};

/// Over the nodes of a region; empty: all. Of equal values the node that comes first in the serial mesh. The same on
/// every rank. Collective. Throws std::invalid_argument if the region does not exist.
NodalExtremum nodal_extremum(const DofMap& dofs, Vec u, const double* coordinates, const std::string& region,
                             int component, bool greatest);

}  // namespace invar
