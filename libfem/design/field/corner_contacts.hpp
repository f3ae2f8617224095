#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The body made of cells that is left when the cells are taken away that hold on to others at a corner only (3-D: or at an edge), until
/// there are none. On the mesh at hand such contacts carry load or flow, on finer ones less and less: a body is as stiff by them as the
/// mesh is coarse, of which optimisers without a filter make patterns of a checkerboard (Díaz and Sigmund, Checkerboard patterns in layout
/// optimization, Struct. Optim. 10, 1995). A contact is a node around which the body's cells are not all connected through facets at it;
/// all of them go that may. body, may_go: [cell of the rank, ghosts too], all blocks in turn. Collective.
std::vector<char> without_corner_contacts(const Mesh& mesh, std::vector<char> body, const std::vector<char>& may_go);

}  // namespace invar
