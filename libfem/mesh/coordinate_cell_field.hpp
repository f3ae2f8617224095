#pragma once
#include "libfem/mesh/coordinate_field.hpp"

namespace invar {

/// A CoordinateField with one number per cell of the rank, all blocks of Mesh::cells in turn, ghosts included; as for
/// nodes, what is added to such arrays is complete for owned cells and meaningless for ghosts.
class CoordinateCellField : public CoordinateField {};

}  // namespace invar
