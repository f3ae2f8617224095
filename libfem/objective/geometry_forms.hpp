#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

// Integrals that depend on the mesh only; axisymmetric (x = r): over the full circle, planar: per metre of depth. No
// coefficients.

/// ∫ 1 over cells [m³]
std::unique_ptr<WeakForm> make_volume(bool axisymmetric, CellBatches cells);
/// ∫ x_i over cells: the volume times the centroid. component: i.
std::unique_ptr<WeakForm> make_volume_moment(bool axisymmetric, int component, CellBatches cells);
/// ∫ 1 over facets [m²]
std::unique_ptr<WeakForm> make_area(bool axisymmetric, CellBatches facets);

// Volume enclosed by a closed boundary of the mesh, by Gauss's theorem over its facets, whose normals n point out of
// the mesh. Gaps closed by coordinate planes of the component do not contribute: half a body at a symmetry plane, an
// axisymmetric one at its axis. component: i; any in 2-D and 3-D (`volume_axis`), 1 in axisymmetric meshes.

/// −∫ (x_i − origin) n_i: the volume [m³]
std::unique_ptr<WeakForm> make_enclosed_volume(bool axisymmetric, int component, CellBatches facets, double origin = 0);
/// −½ ∫ x_i² n_i: the volume times the centroid
std::unique_ptr<WeakForm> make_enclosed_moment(bool axisymmetric, int component, CellBatches facets);

}  // namespace invar
