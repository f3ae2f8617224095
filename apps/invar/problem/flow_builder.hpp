#pragma once
#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/param_spec.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

/// What every fluid may be given besides what its law asks for.
inline constexpr ParamSpec resistance_parameter{.key = "resistance", .unit = "Pa s/m^2",
                                                .doc = "Brinkman resistance of a porous body", .default_value = 0.0,
                                                .lower = 0};
/// What it must be given where it carries a scalar.
inline constexpr ParamSpec diffusivity_parameter{.key = "diffusivity", .unit = "m^2/s",
                                                 .doc = "diffusivity of the scalar that the flow carries", .lower = 0,
                                                 .lower_open = true};

/// Polynomial order of the mesh that the elements of a flow need.
int flow_order(const spec::Value& physics);

/// Fills space, fluids, residual, boundary values and loads of a flow; the mesh and times are there. `order` of the
/// velocity: 2 for Taylor-Hood elements, 1 for stabilised ones.
void build_flow(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);

/// The fluids of a flow with the present values of their laws' parameters.
std::vector<FlowFields::Fluid> fluids_of(FormResidual& residual, const Setting& given, const std::vector<FluidPart>& parts);

}  // namespace invar
