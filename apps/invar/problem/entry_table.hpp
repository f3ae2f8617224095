#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "apps/invar/physics/component_spec.hpp"
#include "apps/invar/spec/csv_reader.hpp"
#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/value.hpp"
#include "libadjoint/entry/entry_mistakes.hpp"
#include "libadjoint/entry/entry_values.hpp"

namespace invar {

/// Adds the keys of a library entry to its table. components: available component names.
spec::Table& add_parameters(spec::Table& table, const std::vector<EntryParameter>& parameters,
                            const std::vector<ComponentSpec>& components = {});

/// Adds a key for each component, a number or a formula; returns the keys. doc: what each one is, "known".
std::vector<std::string> add_components(spec::Table& table, const std::string& doc, const std::vector<ComponentSpec>& components);

/// Values of the parameters in a record of the spec.
EntryValues entry_values(const std::vector<EntryParameter>& parameters, const spec::Value& record);

/// Tables of an entry's parameters as read, by key.
using EntryTables = std::map<std::string, CsvTable, std::less<>>;

/// Reports mistakes at their positions in the spec, or in the files of the tables.
void report(const EntryMistakes& mistakes, const spec::Value& entry, Diagnostics& diagnostics, const EntryTables& tables = {});

}  // namespace invar
