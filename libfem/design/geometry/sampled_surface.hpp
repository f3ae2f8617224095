#pragma once
#include <array>
#include <vector>

#include "libfem/design/geometry/facet_group.hpp"

namespace invar {

/// A boundary as straight segments (2-D) or flat triangles (3-D) with numbered vertices, so that neighbours can be
/// recognised. Second-order facets are divided into `pieces` parts per edge.
struct SampledSurface {
  int dim = 0, corners = 0;                   // corners: of a piece, 2 or 3
  std::vector<std::array<double, 3>> points;  // m; the third is zero in 2-D
  std::vector<std::array<int, 3>> pieces;     // the first `corners` count

  SampledSurface(const std::vector<FacetGroup>& groups, int dim, int pieces);
};

}  // namespace invar
