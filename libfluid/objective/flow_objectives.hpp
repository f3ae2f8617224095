#pragma once
#include <array>

#include "libfem/math/rigid_velocity.hpp"
#include "libfluid/flow/flow_forms.hpp"

namespace invar {

// Flow objectives as weak forms: `value` is the integral; axisymmetric: over the full circle, planar: per metre of depth.
// Coefficients: see flow_densities.hpp.

// Over cells.
std::unique_ptr<WeakForm> make_dissipation(FlowKind kind, ViscosityLaw law, CellBatches cells, bool turbulent = false);
std::unique_ptr<WeakForm> make_kinetic_energy(FlowKind kind, CellBatches cells);
std::unique_ptr<WeakForm> make_velocity_misfit(FlowKind kind, CellBatches cells);
/// ∫ c of a scalar, and below its convective flux through facets; see scalar_densities.hpp.
std::unique_ptr<WeakForm> make_scalar_content(FlowKind kind, CellBatches cells);

// Over facets.
std::unique_ptr<WeakForm> make_scalar_outflow(FlowKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_flow_rate(FlowKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_pressure_integral(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets);
std::unique_ptr<WeakForm> make_pressure_misfit(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets);
/// Pressure part of the force along a direction, and of the moment about an axis through a point (2-D: [0, 0, 1]), that the fluid
/// exerts; see aerodynamic_densities.hpp.
std::unique_ptr<WeakForm> make_pressure_force(FlowKind kind, FlowDiscretisation discretisation, const std::array<double, 3>& direction,
                                              CellBatches facets);
std::unique_ptr<WeakForm> make_pressure_moment(FlowKind kind, FlowDiscretisation discretisation, const std::array<double, 3>& point,
                                               const std::array<double, 3>& axis, CellBatches facets);
/// Power, in a rigid velocity field, of the traction by which 2 μ ε exceeds μ ∇u; see `TransposedShearWork`. Coefficient: viscosity.
std::unique_ptr<WeakForm> make_transposed_shear_work(FlowKind kind, const RigidVelocity& w, CellBatches facets);
/// ∫ (p + ρ/2 |u|²) u·n: divided by the flow rate the mass-flow average of the total pressure. Coefficient: density.
std::unique_ptr<WeakForm> make_total_pressure_flux(FlowKind kind, FlowDiscretisation discretisation, CellBatches facets);

}  // namespace invar
