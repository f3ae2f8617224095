#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/objective/volume_axis.hpp"

namespace invar {

// Integrals that depend on the mesh only; axisymmetric (x = r): over the full circle, planar: per metre of depth. No
// coefficients.

/// ∫ 1 over cells [m³]
std::unique_ptr<WeakForm> make_volume(bool axisymmetric, CellBatches cells);
/// ∫ x_i over cells: the volume times the centroid. component: i.
std::unique_ptr<WeakForm> make_volume_moment(bool axisymmetric, int component, CellBatches cells);
/// ∫ 1 over facets [m²]
std::unique_ptr<WeakForm> make_area(bool axisymmetric, CellBatches facets);

// Volume enclosed by facets of the mesh, by Gauss's theorem over them, whose normals n point out of the mesh, with the field F of `axis`
// (`volume_axis` finds one that openings do not matter for).

/// −∫ F n_i: the volume [m³]
std::unique_ptr<WeakForm> make_enclosed_volume(bool axisymmetric, VolumeAxis axis, CellBatches facets);
/// −∫ x_c F n_i, for c = i −∫ ½ (x_i + origin) F n_i: the volume times the centroid. component: c; 1 around an axis.
std::unique_ptr<WeakForm> make_enclosed_moment(bool axisymmetric, int component, VolumeAxis axis, CellBatches facets);

}  // namespace invar
