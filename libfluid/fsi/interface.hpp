#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The interface of two cell regions, a fluid and a body or two bodies.
struct Interface {
  const Mesh& mesh;
  std::string first, second;

  /// Whether they have a node in common. Collective.
  bool joined() const;
  /// The centre [m] of a facet of the second part that touches the first (within a thousandth of its size) without being shared, so
  /// that the parts do not interact there. Nothing if there is none. Collective.
  std::optional<std::array<double, 3>> unmatched() const;
};

/// Whether all cells of a region of cells, or a cell at each facet of a region of facets, lie in the fluid. Collective.
bool lies_in(const Mesh& mesh, const std::string& fluid, const Region& region);

/// Cells behind the facets of a region.
struct BehindFacets {
  bool fluid = false, body = false;  // a facet of the outer boundary belongs to it
  bool between = false;              // a facet has the fluid on one side and a body on the other
  bool within = false;               // a facet has the fluid on both sides
};
/// Collective.
BehindFacets behind_facets(const Mesh& mesh, const std::string& fluid, const std::vector<std::string>& bodies, const Region& facets);

}  // namespace invar
