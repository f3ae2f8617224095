#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/material.hpp"

namespace invar {

/// Kinematic assumption for the 2-D or 3-D mesh.
enum class SolidKind { spatial, plane_strain, plane_stress, axisymmetric };

/// The weak forms of solids; their q-functions are instantiated behind these factories. Loads act on the displacement, which
/// comes first in every unknown.
std::unique_ptr<WeakForm> make_displacement_form(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells);
std::unique_ptr<WeakForm> make_mixed_form(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells);
std::unique_ptr<WeakForm> make_body_force(SolidKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_traction(SolidKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_follower_pressure(SolidKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_elastic_foundation(SolidKind kind, CellBatches facets);
/// At nodes (CellBatches::on_points): a dead force, and a spring to the ground. Axisymmetric: for the whole circle.
std::unique_ptr<WeakForm> make_point_force(SolidKind kind, CellBatches points);
std::unique_ptr<WeakForm> make_point_spring(SolidKind kind, CellBatches points);
}  // namespace invar
