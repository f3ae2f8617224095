#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A cell of a mesh that has moved.
struct MovedCell {
  double quality = 1;             // scaled Jacobian, the smallest at its nodes; negative: turned inside out
  std::array<double, 3> place{};  // the mean of its vertices before the mesh moved, m
};

/// The worst cell of a region, the same on all ranks. x: [node × dim] where the nodes are, m. Collective.
MovedCell worst_moved_cell(const Mesh& mesh, const std::string& region, const std::vector<double>& x);

}  // namespace invar
