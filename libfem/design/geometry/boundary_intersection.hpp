#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A place where a moved boundary intersects itself.
struct BoundaryIntersection {
  std::array<double, 3> at{};  // m; the third is zero in 2-D
  std::string message;         // "the boundary crosses itself near (0.1, 0.2)"
};

/// The first intersection of all these regions together, independent of the number of ranks (collective), or none.
/// coordinates: [n_nodes × dim] of this rank's moved nodes. Curved facets are approximated by `pieces` straight parts
/// per edge. Parts that touch in the undeformed mesh (sides of a crack, parts in contact) and neighbours folded flat
/// onto each other are no intersections; NaN coordinates are one. Throws std::invalid_argument like gather_facets.
std::optional<BoundaryIntersection> find_boundary_intersection(const Mesh& mesh,
                                                               const std::vector<std::string>& regions,
                                                               const std::vector<double>& coordinates, int pieces = 4);

}  // namespace invar
