#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The regions of cells of two parts, a fluid and a body or two bodies, in a mesh of second order, where they meet.
struct Interface {
  const Mesh& mesh;
  std::string first, second;

  /// Whether they have a node in common. Collective.
  bool joined() const;
  /// The middle of a facet [m] of the second part that lies against the first where the two do not share the facet, so
  /// that neither feels the other: to a thousandth of its size. Nothing: there is none. Collective.
  std::optional<std::array<double, 3>> unmatched() const;
};

/// What is behind the facets of a region.
struct BehindFacets {
  bool fluid = false, body = false;  // a facet of the outer boundary bounds it
  bool between = false;              // a facet has the fluid on one side and a body on the other
  bool within = false;               // a facet has the fluid on both sides
};
/// Collective.
BehindFacets behind_facets(const Mesh& mesh, const std::string& fluid, const std::vector<std::string>& bodies, const Region& facets);

}  // namespace invar
