#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/region_nodes.hpp"
#include "libfem/mechanism/rest_place.hpp"

namespace invar {

class RestNumbers;

// Constraints between nodal unknowns of regions and unknowns of a mechanism that describe their motion. `source` identifies a
// constraint in reports. Components are those of the space.

/// The mean gradient of one component along each axis: global numbers of unknowns, or none.
struct MeanGradient {
  int component = 0;
  std::array<std::optional<PetscInt>, 3> along;
  std::array<bool, 3> keeps_period{};  // its values act along undesigned distances, which a designed shape must keep
};

/// u(x + t) = u(x) + H t on two congruent sides at a distance t. Returns an error message if a node has no partner within the
/// tolerance. rest: receives the nodes' coordinates if the shape is designed; null: it is not. Partners stay partners, each pair with the
/// distance t that it has then.
std::optional<std::string> tie_periodic(const RegionNodes& side, const RegionNodes& other, const std::vector<MeanGradient>& components,
                                        int source, std::vector<LinearConstraint>& out, RestNumbers* rest = nullptr);

/// u(x) = a + b·(x − x̄) for one component of all nodes, x̄ their centre. Unknowns by global number; none: zero.
struct RegionMotion {
  int component = 0;
  std::optional<PetscInt> shift;
  std::array<std::optional<PetscInt>, 3> slope;
};
/// Weighted mean of a region's nodes, m.
std::array<double, 3> centre_of(const RegionNodes& region);
/// The same as a place that follows a designed shape, with these weights.
RestPlace centre_in_shape(const RegionNodes& region, RestNumbers& rest);
/// Where a node is, in a designed shape.
RestPlace place_in_shape(const RegionNodes::Node& node, int dim, RestNumbers& rest);
/// Axes along which the region has a nonzero extent.
std::vector<int> extended_axes(const RegionNodes& region);
/// rest: receives the nodes' coordinates if the shape is designed; null: it is not. The centre is then the mean with the weights given.
void tie_motion(const RegionNodes& region, const RegionMotion& motion, int source, std::vector<LinearConstraint>& out, RestNumbers* rest = nullptr);

/// The mean of a component over the region equals the unknown `mean`. rest: as above; then over the region in the designed shape.
void tie_mean(const RegionNodes& region, int component, PetscInt mean, int source, std::vector<LinearConstraint>& out, RestNumbers* rest = nullptr);

}  // namespace invar
