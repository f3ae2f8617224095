#pragma once
#include <memory>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

/// The kind of `design` entries that lets a constant of a material differ from cell to cell.
spec::Table field_table();
/// Makes fields of the case's constants that are designed as such; before objectives are built.
void add_fields(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics);
/// The block of one such entry; nullptr after recording what is wrong. Collective.
std::shared_ptr<Parameterization> build_field(const spec::Value& entry, Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
