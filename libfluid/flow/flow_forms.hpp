#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfluid/flow/stabilisation.hpp"
#include "libfluid/flow/viscosity_law.hpp"

namespace invar {

/// taylor_hood: u of second order, p of first; equal_order: both of first order, stabilised.
enum class FlowDiscretisation { taylor_hood, equal_order };

/// Terms of the flow's equation; see NavierStokes.
struct FlowModel {
  ViscosityLaw law;
  bool convection = true;    // false: creeping flow
  bool stress_form = false;  // true: τ = 2 μ ε, false: τ = μ ∇u
  double grad_div = 0;       // γ [Pa s] of γ ∇·u ∇·v; Taylor–Hood
  bool turbulent = false;    // μ grows with χ; equal order, stress form, convection
};

// The weak forms of flow; their q-functions are instantiated behind these factories. The unknown is u_x, u_y, (u_z), p.

/// Coefficients: density, the law's parameters, f_x, f_y, (f_z), resistance; turbulent: c_v1. For equal order the cells
/// must be all simplices or none; create one form per part of `split_by_shape`. Throws std::invalid_argument otherwise,
/// if `grad_div` is negative or given for equal order, and if requirements of turbulent flow are not met.
std::unique_ptr<WeakForm> make_navier_stokes(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& model,
                                             CellBatches cells);

/// Throws std::invalid_argument if the model's terms exclude one another, see make_navier_stokes.
void check_flow_model(FlowDiscretisation discretisation, const FlowModel& model);

/// The simplices among the cells, or the others.
CellBatches cells_of_shape(const CellBatches& cells, bool simplices);

/// Splits cells into simplices and others; parts without cells are omitted.
std::vector<CellBatches> split_by_shape(const CellBatches& cells);

/// The reference metric of the cells. Throws std::invalid_argument if they are simplices and others.
ReferenceMetric shared_metric(const CellBatches& cells);

/// Quadrature degree for make_navier_stokes: exact on straight simplices except for stabilisation, variable viscosity
/// and 1/r. Higher for turbulent flow, because of the profiles of χ and of the eddy viscosity at walls.
int flow_degree(FlowKind kind, FlowDiscretisation discretisation, const FlowModel& model, Shape shape);

// On facets. Coefficients: pressure; t_x, t_y, (t_z); density, β; penalty, friction.
std::unique_ptr<WeakForm> make_pressure_outlet(FlowKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_flow_traction(FlowKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_backflow_stabilisation(FlowKind kind, CellBatches facets);
std::unique_ptr<WeakForm> make_slip_penalty(FlowKind kind, CellBatches facets);

}  // namespace invar
