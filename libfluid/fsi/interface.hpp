#pragma once
#include <array>
#include <optional>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The regions of cells of a fluid and of a body in a planar mesh of second order, where they meet.
struct Interface {
  const Mesh& mesh;
  std::string fluid, body;

  /// What is behind the facets of a region.
  struct Behind {
    bool body = false;     // a facet of the outer boundary bounds the body
    bool between = false;  // a facet has the fluid on one side and the body on the other
  };
  /// Collective.
  Behind behind(const Region& facets) const;

  /// Whether they have a node in common. Collective.
  bool joined() const;
  /// The middle of a facet [m] where the body lies against the fluid and the two do not share the facet, so that neither
  /// feels the other: to a thousandth of its length. Nothing: there is none. Collective.
  std::optional<std::array<double, 2>> unmatched() const;
};

}  // namespace invar
