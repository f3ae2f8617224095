#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Two bodies that are drawn within each other.
struct BodyOverlap {
  std::array<std::string, 2> bodies;
  std::array<double, 3> place{};  // m, in both
};

/// The pairs of regions of cells that overlap by more than about a tenth of a cell. Other regions are ignored. O(n log n) for n cells.
std::vector<BodyOverlap> find_overlapping_bodies(const Mesh& serial, const std::vector<std::string>& bodies);

}  // namespace invar
