#pragma once
#include <memory>
#include <string>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/rigid_contact.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar {

/// Coefficients: tension, direction of the fibres.
std::unique_ptr<WeakForm> make_active_stress(SolidKind kind, CellBatches cells);

// Inertia, damping and contact of solids in time. Coefficients: ρ; mass per area; ρ, α; η, ζ (not in plane stress:
// std::invalid_argument); RigidContact with a penalty, and with a barrier (ObstacleForm); ρ (a functional). Obstacles
// follow the mean motion of a region with prescribed unknowns, their carrier; empty: they are at rest.
std::unique_ptr<WeakForm> make_inertia(SolidKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_coat_inertia(SolidKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_mass_damping(SolidKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_kelvin_voigt(SolidKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_rigid_contact(SolidKind kind, ObstacleShape shape, CellBatches facets, const std::string& carrier = {});
std::unique_ptr<WeakForm> make_obstacle_contact(SolidKind kind, ObstacleShape shape, CellBatches facets, const std::string& carrier = {});
std::unique_ptr<WeakForm> make_kinetic_energy(SolidKind kind, CellBatches cells);

}  // namespace invar
