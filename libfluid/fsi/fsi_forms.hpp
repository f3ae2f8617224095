#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// The weak forms of fluid–structure interaction on Taylor–Hood elements, planar. Unknowns: velocity v of fluid and body,
// displacement d of body and mesh, pressure p of the fluid. The components of each form are given in the order that is
// said here. Other kinds, elements of equal order and turbulent flow: std::invalid_argument.

/// v, p, d. Coefficients as of make_navier_stokes. Convection is that of v: see make_moving_inertia.
std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, const FlowModel& model, CellBatches cells);
/// v, d; see MovingMeshInertia. Coefficient: density.
std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells);
/// v, d: PressureOutlet on facets that move. Coefficient: pressure.
std::unique_ptr<WeakForm> make_moving_outlet(FlowKind kind, CellBatches facets);

/// d, v: a law of solids tested with v, see FirstOrder. Coefficients: the material's.
std::unique_ptr<WeakForm> make_first_order_solid(SolidKind kind, std::shared_ptr<const Material> material, CellBatches cells);
/// d, v: KelvinVoigt and ActiveStress, likewise.
std::unique_ptr<WeakForm> make_first_order_viscosity(SolidKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_first_order_muscle(SolidKind kind, CellBatches cells);
/// v, d; see BodyVelocity. Coefficient: weight of these rows.
std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells);

// Densities that only observables read, of the fluid on its moving mesh. Components: v, d.

/// Coefficient: density.
std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells);
/// Coefficients: the law's parameters, resistance.
std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells);

}  // namespace invar
