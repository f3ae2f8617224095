#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// The serial mesh with every cell and facet divided regularly (see `in_parent`): children of cell c of a block are
/// cells c·n … c·n + n − 1 of the same block, n = child_count. New nodes lie where the parent's own map, straight or
/// curved, puts them, so that the body is the same point by point. Nodes keep their numbers; new ones follow. Regions
/// are kept; regions of curves in three dimensions gain the nodes on edges between two of their nodes.
Mesh refine(const Mesh& serial);

}  // namespace invar
