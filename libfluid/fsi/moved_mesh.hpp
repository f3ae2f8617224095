#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A cell of a deformed mesh.
struct MovedCell {
  double quality = 1;             // scaled Jacobian, minimum over its nodes; negative: inverted
  std::array<double, 3> place{};  // mean of its undeformed vertices, m
};

/// The worst cell of a region, the same on all ranks. x [node × dim]: deformed positions of the nodes, m. Collective.
MovedCell worst_moved_cell(const Mesh& mesh, const std::string& region, const std::vector<double>& x);

}  // namespace invar
