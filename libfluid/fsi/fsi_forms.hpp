#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// The weak forms of fluid–structure interaction on Taylor–Hood elements that flows and solids do not have already.
// Unknowns: velocity v of fluid and body, displacement d of body and mesh, pressure p of the fluid. The components of
// each form are given in the order that is said here. What solids say of their displacement is tested with the
// velocity: their own forms as RowMapped.

/// v, p, d. Coefficients as of make_navier_stokes. Convection is that of v: see make_moving_inertia. Turbulent flow and
/// a grad-div term: std::invalid_argument.
std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, const FlowModel& model, CellBatches cells);
/// v, d; see MovingMeshInertia. Coefficient: density.
std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells);
/// v, d: what acts on the boundary of a flow, on facets that move. Coefficients: the term's.
std::unique_ptr<WeakForm> make_moving_boundary(FlowKind kind, FlowBoundary which, CellBatches facets);
/// v, d; see BodyVelocity. Coefficient: weight of these rows.
std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells);

// Densities that only observables read, of the fluid on its moving mesh. Components: v, d.

/// Coefficient: density.
std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells);
/// Coefficients: the law's parameters, resistance.
std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells);

}  // namespace invar
