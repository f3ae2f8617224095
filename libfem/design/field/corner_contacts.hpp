#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Removes cells of a body that are connected at a corner only (3-D: or at an edge), repeatedly until there are none. On a given mesh such
/// contacts transmit load or flow, on finer meshes less and less: the stiffness of such a body is a mesh effect, and optimisers without a
/// filter exploit it in checkerboard patterns (Díaz and Sigmund, Checkerboard patterns in layout optimization, Struct. Optim. 10, 1995). A
/// contact is a node around which the body's cells are not all connected through facets at it; all of them that may be removed are
/// removed. body, may_go: [local cell, ghosts included], all blocks in turn. Collective.
std::vector<char> without_corner_contacts(const Mesh& mesh, std::vector<char> body, const std::vector<char>& may_go);

}  // namespace invar
