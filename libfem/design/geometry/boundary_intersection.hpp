#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A place where a moved boundary crosses itself.
struct BoundaryIntersection {
  std::array<double, 3> at{};  // m; the third is zero in 2-D
  std::string message;         // "the boundary crosses itself near (0.1, 0.2)"
};

/// The first such place on all these regions together, whatever the number of ranks (collective), or
/// none. coordinates: [n_nodes × dim] of this rank's nodes, moved. Curved facets are looked at as
/// `pieces` straight parts per edge. What touches already in the undeformed mesh (the sides of a crack,
/// parts in contact) and neighbours folded flat onto each other are no intersections; coordinates that
/// are no numbers are one. Throws std::invalid_argument as gather_facets does.
std::optional<BoundaryIntersection> find_boundary_intersection(const Mesh& mesh,
                                                               const std::vector<std::string>& regions,
                                                               const std::vector<double>& coordinates, int pieces = 4);

}  // namespace invar
