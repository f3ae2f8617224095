#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// The weak forms of fluid–structure interaction on Taylor–Hood elements that are not forms of flows or solids.
// Unknowns: velocity v of fluid and body, displacement d of body and mesh, pressure p of the fluid. The components of each form
// must be given in the order stated here. Forms of solids are used as RowMapped: their rows of the displacement are moved to the
// velocity.

/// v, p, d. Coefficients as of make_navier_stokes. The convection velocity is v; the mesh velocity is part of make_moving_inertia.
/// Throws std::invalid_argument for turbulent flow and for a grad-div term.
std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, const FlowModel& model, CellBatches cells);
/// v, d; see MovingMeshInertia. Coefficient: density [kg/m³].
std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells);
/// v, d: a boundary term of a flow on moving facets. Coefficients: those of the term.
std::unique_ptr<WeakForm> make_moving_boundary(FlowKind kind, FlowBoundary which, CellBatches facets);
/// v, d; see BodyVelocity. Coefficient: weight of these rows [Pa s/m²].
std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells);

// Densities of functionals of the fluid on its moving mesh. Components: v, d. On cells:

/// ρ/2 |v|² [J/m³]. Coefficient: density [kg/m³].
std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells);
/// Viscous and resistive dissipation [W/m³]. Coefficients: parameters of the law, resistance [Pa s/m²].
std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells);

// On facets:

/// v·n [m/s] at the facets' moved positions: ∫ is the volume that the fluid's velocity carries through per second. Their own motion does
/// not count.
std::unique_ptr<WeakForm> make_moving_flow_rate(FlowKind kind, CellBatches facets);

}  // namespace invar
