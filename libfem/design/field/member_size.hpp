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

/// density: [local cell, ghosts included]; cells above 1/2 form the body. volumes: of the cells, m³. mirrored: [local
/// node] 1 if the body continues beyond the mesh's boundary there (a support, a symmetry plane): a facet with such
/// nodes only does not bound a member. Lengths are accurate to about a quarter of a cell; balls are centred at cell
/// centres and corners. Every rank does all the work, about the volume of all balls that are not inside others. Zero
/// without a body. Collective.
MemberSizes member_sizes(const Mesh& mesh, const std::vector<double>& density, const std::vector<double>& volumes,
                         const std::vector<char>& mirrored);

}  // namespace invar
