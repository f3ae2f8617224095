#pragma once
#include <memory>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/spec/table.hpp"
#include "libfem/design/entry/design_entry.hpp"

namespace invar {

// Entries of `design` whose kind is one of `design_library`.

/// The kind of an entry; null: a number or a shape.
const DesignEntryKind* design_kind(const spec::Value& entry);
/// Tables of the kinds, in the order of the library.
std::vector<spec::Table> design_kind_tables();

/// Lets the entries of `design` that concern the case change its controls; before its process and its terms are made.
void prepare_design(CaseModel& model, const spec::Value& spec, Diagnostics& diagnostics);

/// The block of an entry and its name; its map is null, with error messages, on failure. Collective.
struct BuiltEntry {
  std::shared_ptr<Parameterization> map;
  DesignBlock block;
};
BuiltEntry build_entry(const DesignEntryKind& kind, const spec::Value& entry, const Problem& problem, Diagnostics& diagnostics);

}  // namespace invar
