#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Local thickness of a body of cells: for each cell the diameter of the largest ball inside the body that covers its
/// centre (Hildebrand and Rüegsegger, A new method for the model-independent assessment of thickness in
/// three-dimensional images, 1997). The volume of cells thinner than a length is what a morphological opening with a
/// ball of this diameter removes (granulometry).
struct MemberSizes {
  double least = 0;   // m: 99 % of the volume is at least this thick
  double median = 0;  // m: half of the volume is at least this thick
  double volume = 0;  // m³, of the body; planar per metre of depth
};

/// density: [cell of the rank, ghosts too]; cells above 1/2 are the body. volumes: of them, m³. mirrored: [local node]
/// 1 where the body goes on behind the mesh's boundary (a support, a plane of symmetry): a facet with such nodes only
/// bounds no member. Lengths are exact to about a quarter of a cell; balls have their centres at centres and corners of
/// cells. Every rank does the whole work, about the volume of all balls that are not within others. Zero without a
/// body. Collective.
MemberSizes member_sizes(const Mesh& mesh, const std::vector<double>& density, const std::vector<double>& volumes,
                         const std::vector<char>& mirrored);

}  // namespace invar
