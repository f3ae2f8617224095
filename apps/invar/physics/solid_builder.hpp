#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, materials, residual, supports and loads of a solid; the mesh and times are there.
void build_solid(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);

}  // namespace invar
