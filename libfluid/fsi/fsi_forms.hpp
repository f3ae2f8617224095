#pragma once
#include <memory>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/flow_boundary.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// The weak forms of fluid–structure interaction that are not forms of flows or solids. Unknowns: velocity v of fluid and body,
// displacement d of body and mesh, pressure p of the fluid, a scalar c that it carries. The components of each form
// must be given in the order stated here. Forms of solids are used as RowMapped: their rows of the displacement are moved to the
// velocity.

/// v, p, d; turbulent flow: v, p, χ, d. Coefficients, cells and exceptions as of make_navier_stokes. Convection is relative to the mesh;
/// without convection the form is right on a mesh that rests.
std::unique_ptr<WeakForm> make_moving_navier_stokes(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& model, CellBatches cells);
/// v, d: inertia of Taylor–Hood flow, with the rates at nodes. Coefficient: density [kg/m³].
std::unique_ptr<WeakForm> make_moving_inertia(FlowKind kind, CellBatches cells);
/// v, p, d; turbulent flow: v, p, χ, d: inertia of stabilised flow. Coefficients, cells and exceptions as of make_stabilised_inertia.
std::unique_ptr<WeakForm> make_moving_stabilised_inertia(FlowKind kind, const FlowModel& model, CellBatches cells);
/// v, p, c, d: a scalar in Taylor–Hood flow, at rest or in time. Coefficients, cells and exceptions as of make_passive_scalar.
std::unique_ptr<WeakForm> make_moving_scalar(FlowKind kind, CellBatches cells);
/// v, p, χ, d: transport of χ in turbulent flow, at rest or in time. Coefficients, cells and exceptions as of make_spalart_allmaras; distances
/// are those at moved positions: see WithWallDistance.
std::unique_ptr<WeakForm> make_moving_spalart_allmaras(FlowKind kind, double capturing, CellBatches cells);
/// v, p, χ, d: its branch at a point, see SpalartAllmarasBranch.
std::unique_ptr<WeakForm> make_moving_spalart_allmaras_branch(FlowKind kind, CellBatches cells);
/// v, d: a boundary term of a flow on moving facets. Coefficients: those of the term.
std::unique_ptr<WeakForm> make_moving_boundary(FlowKind kind, FlowBoundary which, CellBatches facets);
/// v, d; see BodyVelocity. Coefficient: weight of these rows [Pa s/m²].
std::unique_ptr<WeakForm> make_body_velocity(FlowKind kind, CellBatches cells);

// Densities of functionals of the fluid on its moving mesh. Components: v, d. On cells:

/// ρ/2 |v|² [J/m³]. Coefficient: density [kg/m³].
std::unique_ptr<WeakForm> make_moving_kinetic_energy(FlowKind kind, CellBatches cells);
/// Viscous and resistive dissipation [W/m³]. Coefficients: parameters of the law, resistance [Pa s/m²]. In turbulent flow what the mean flow
/// loses, with the eddy viscosity: then components v, p, χ, d, and the further coefficient c_v1.
std::unique_ptr<WeakForm> make_moving_dissipation(FlowKind kind, const FlowModel& model, CellBatches cells);

/// 1: ∫ is the volume [m³] at moved positions. Components: d.
std::unique_ptr<WeakForm> make_moving_volume(FlowKind kind, CellBatches cells);
/// c. Components: v, p, c, d.
std::unique_ptr<WeakForm> make_moving_scalar_content(FlowKind kind, CellBatches cells);

// On facets:

/// c v·n at the facets' moved positions; their own motion does not count. Components: v, p, c, d.
std::unique_ptr<WeakForm> make_moving_scalar_outflow(FlowKind kind, CellBatches facets);
/// v·n [m/s] at the facets' moved positions: ∫ is the volume that the fluid's velocity carries through per second. Their own motion does
/// not count.
std::unique_ptr<WeakForm> make_moving_flow_rate(FlowKind kind, CellBatches facets);

}  // namespace invar
