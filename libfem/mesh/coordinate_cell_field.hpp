#pragma once
#include "libfem/mesh/coordinate_field.hpp"

namespace invar {

/// A CoordinateField with one number per cell of this rank, all blocks of Mesh::cells in turn, ghosts included.
/// Accumulated derivatives are complete for owned cells and undefined for ghosts.
class CoordinateCellField : public CoordinateField {};

}  // namespace invar
