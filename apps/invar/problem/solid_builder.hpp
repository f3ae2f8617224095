#pragma once
#include "apps/invar/problem/case_model.hpp"

namespace invar {

/// Fills space, materials, residual, supports and loads of a solid; the mesh and times are there.
void build_solid(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics);

/// Records an error at `value` unless the mesh has a region of that name and dimension; a facet or
/// cell region when dim ≥ 0, any when −1.
bool check_region(const Mesh& mesh, const std::string& region, int dim, const spec::Value& value,
                  Diagnostics& diagnostics, bool key_is_name = false);

}  // namespace invar
