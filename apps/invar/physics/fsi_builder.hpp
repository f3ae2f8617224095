#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, materials, residual, boundary and loads of fluid–structure interaction; the mesh and times are there.
void build_fsi(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);

}  // namespace invar
