#pragma once
#include <numbers>

#include "libfem/form/cell_batches.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// How a volume follows from an integral over the facets around it: −∫ F n_i, F along axis i with divergence 1 and zero at x_i = origin.
/// Openings across other axes than i do not contribute, nor does one at x_i = origin.
struct VolumeAxis {
  int component = 0;  // i
  double origin = 0;  // m

  /// F at x, m; around an axis (x = r) 2πr F, m². On the host.
  template <bool Axisymmetric, class T, int Dim>
  T field(const Vector<T, Dim>& x) const {
    const T along = x[component] - origin;
    if constexpr (!Axisymmetric) return along;
    else return component == 0 ? T(std::numbers::pi * (along * (x[0] + origin))) : T((2 * std::numbers::pi) * (along * x[0]));
  }
};

/// That for facets which are closed, or closed by planes across axes through their ends: planes of symmetry, mouths. In such a plane is the
/// whole border of the facets, or each part of it to which they come most nearly at a right angle. Around an axis: closed by planes across
/// it, or a groove by the cylinder through its edges, if the walls come to it more nearly at a right angle. Undeformed mesh. Throws
/// std::invalid_argument where such planes do not close one volume. Collective.
VolumeAxis volume_axis(const CellBatches& facets, bool axisymmetric);

}  // namespace invar
