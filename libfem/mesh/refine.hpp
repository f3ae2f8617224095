#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Regular refinement of a serial mesh (see `in_parent`): the children of cell c of a block are cells c·n … c·n + n − 1
/// of the same block, n = child_count. New nodes are placed by the parent's map, straight or curved, so the geometry
/// does not change. Nodes keep their numbers; new ones follow. Regions are kept; curves in 3-D gain the nodes on edges
/// between two of their nodes.
Mesh refine(const Mesh& serial);

}  // namespace invar
