#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Orbits of cells under a symmetry or an extrusion: the mirror images of a cell in all planes, and all cells behind each other
/// along the axis of extrusion. They are found by cell centres, so the mesh must have the symmetry.
class CellOrbits {
 public:
  /// The plane x_axis = at.
  struct MirrorPlane {
    int axis = 0;
    double at = 0;  // m
  };
  /// cells: owned ones, local numbers. along: axis of extrusion, −1: none. Throws std::invalid_argument if a cell has no image,
  /// naming it, or no cell lies behind another. Every rank stores one number per orbit. Collective.
  CellOrbits(const Mesh& mesh, const std::vector<int>& cells, const std::vector<MirrorPlane>& planes, int along = -1);

  /// Replaces each cell's value by the mean of its orbit, [cells]. The map is its own transpose. Collective.
  std::vector<double> mean(const std::vector<double>& values) const;
  /// Number of orbits on all ranks.
  int count() const { return static_cast<int>(sizes_.size()); }

 private:
  MPI_Comm comm_;
  std::vector<int> orbit_;     // [cells]
  std::vector<double> sizes_;  // [orbit] its cells on all ranks
};

}  // namespace invar
