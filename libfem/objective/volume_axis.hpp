#pragma once
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// How a volume follows from an integral over the facets around it: −∫ (x_i − origin) n_i. Openings across other axes than i do not
/// contribute, nor does one at x_i = origin.
struct VolumeAxis {
  int component = 0;  // i
  double origin = 0;  // m
};

/// That for facets which are closed, or closed by planes across axes through their ends: planes of symmetry, mouths. In such a plane is the
/// whole border of the facets, or each part of it to which they come most nearly at a right angle. Undeformed mesh, in the plane or in
/// space. Throws std::invalid_argument where such planes do not close one volume. Collective.
VolumeAxis volume_axis(const CellBatches& facets);

}  // namespace invar
