#pragma once
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, materials, residual, boundary and loads of fluid–structure interaction; the mesh and times are there.
void build_fsi(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);
/// See Physics::felt_everywhere: in turbulent flow, the walls that move.
std::optional<Physics::FeltEverywhere> felt_by_turbulence(const CaseSections& sections);
/// Reports a pressure level of the fluid that is undetermined, or prescribed although the equations determine it. Collective.
void check_fsi_pressure(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// Reports a body that in a steady problem nothing holds. Collective.
void check_fsi_supports(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// See Physics::push_periodic.
std::string push_periodic_fsi(CaseModel& model, const std::string& side, ControlledValue more);

}  // namespace invar
