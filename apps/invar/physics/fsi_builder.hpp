#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, materials, residual, boundary and loads of fluid–structure interaction; the mesh and times are there.
void build_fsi(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);
/// Records where the level of the fluid's pressure is undetermined, or held though it follows by itself. Collective.
void check_fsi_pressure(const CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);

}  // namespace invar
