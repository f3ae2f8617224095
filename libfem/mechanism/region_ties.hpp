#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libadjoint/constraint/tie_elimination.hpp"
#include "libfem/mechanism/region_nodes.hpp"

namespace invar {

// Constraints between the unknowns at nodes of regions, and unknowns of a mechanism by which they move. `source`: whose
// they are. Components are those of the space.

/// The mean gradient of one component, along each axis: global numbers of unknowns, or none.
struct MeanGradient {
  int component = 0;
  std::array<std::optional<PetscInt>, 3> along;
};

/// u(x + t) = u(x) + H t on two sides that are alike, a distance t apart. What does not partner_tolerance comes back as a sentence.
std::optional<std::string> tie_periodic(const RegionNodes& side, const RegionNodes& other, const std::vector<MeanGradient>& components,
                                        int source, std::vector<LinearConstraint>& out);

/// One component of all nodes as u(x) = a + b·(x − x̄), x̄ their centre. Unknowns by their global numbers; none: zero.
struct RegionMotion {
  int component = 0;
  std::optional<PetscInt> shift;
  std::array<std::optional<PetscInt>, 3> slope;
};
/// The centre of a region: the mean of its nodes by their weights, m.
std::array<double, 3> centre_of(const RegionNodes& region);
/// Axes along which it extends.
std::vector<int> extended_axes(const RegionNodes& region);
void tie_motion(const RegionNodes& region, const RegionMotion& motion, int source, std::vector<LinearConstraint>& out);

/// The mean of a component over the region, by its measure, is the unknown `mean`.
void tie_mean(const RegionNodes& region, int component, PetscInt mean, int source, std::vector<LinearConstraint>& out);

}  // namespace invar
