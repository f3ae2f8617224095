#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, fluids, residual, boundary values and loads of a flow; the mesh and times are there. `order` of the
/// velocity: 2 for Taylor-Hood elements, 1 for stabilised ones.
void build_flow(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);
/// Reports an undetermined pressure level of a flow with ties. Collective.
void check_tied_flow(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// See Physics::push_periodic.
std::string push_periodic_flow(CaseModel& model, const std::string& side, ControlledValue more);

}  // namespace invar
