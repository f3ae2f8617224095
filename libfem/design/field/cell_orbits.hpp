#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Cells that a symmetry or an extrusion makes alike: an orbit holds the images of a cell in all planes, and all cells that lie
/// behind each other along the axis of an extrusion. Found by the middles of cells, so the mesh has to be as symmetric as what is
/// designed on it.
class CellOrbits {
 public:
  /// x_axis = at.
  struct MirrorPlane {
    int axis = 0;
    double at = 0;  // m
  };
  /// cells: owned ones, positions among the rank's cells. along: axis of the extrusion, −1: none. Throws std::invalid_argument
  /// where a cell has no image, naming it, or no cell lies behind another. Every rank keeps a number for each orbit. Collective.
  CellOrbits(const Mesh& mesh, const std::vector<int>& cells, const std::vector<MirrorPlane>& planes, int along = -1);

  /// The mean of its orbit in place of each cell's value, [cells]. This map is its own transpose. Collective.
  std::vector<double> mean(const std::vector<double>& values) const;
  /// Orbits of all ranks.
  int count() const { return static_cast<int>(sizes_.size()); }

 private:
  MPI_Comm comm_;
  std::vector<int> orbit_;     // [cells]
  std::vector<double> sizes_;  // [orbit] its cells on all ranks
};

}  // namespace invar
