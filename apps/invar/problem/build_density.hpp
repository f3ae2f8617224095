#pragma once
#include <memory>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

/// The kind of `design` entries that says where fluid flows, for the spec's table.
spec::Table density_table();
/// The entry of `design` of that kind; nullptr without.
const spec::Value* density_entry(const spec::Value& spec);
/// Makes the case's resistance a field and gives it a density; before objectives are built.
void add_density(CaseModel& model, const spec::Value& entry, Diagnostics& diagnostics);
/// The block of that entry and its stages, kept in the problem; nullptr after recording what is wrong.
/// Collective.
std::shared_ptr<Parameterization> build_density(const spec::Value& entry, Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
