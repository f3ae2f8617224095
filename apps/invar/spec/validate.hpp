#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/invar/spec/assignment.hpp"
#include "apps/invar/spec/node.hpp"
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/value.hpp"

namespace invar::spec {

/// Validates a tree with a table: unknown and missing keys, wrong types, values out of range. Every
/// mistake is recorded and its value left out (Value::find gives nothing), so that the caller may
/// go on with checks of its own before `diagnostics.throw_if_any()`. `folder` is what relative
/// files are relative to.
Value validate(const Node& root, const Table& table, const std::filesystem::path& folder,
               Diagnostics& diagnostics);

/// Reads, overrides (`--set` arguments, "a.b=c", in order) and validates a spec. An unreadable
/// file, or malformed YAML, throws SpecError at once; the other mistakes are recorded.
Value read_spec(const std::filesystem::path& file, const std::vector<std::string>& sets,
                const Table& table, Diagnostics& diagnostics);
/// The same of a tree that was read from `file`.
Value read_spec(Node root, const std::filesystem::path& file, const std::vector<std::string>& sets, const Table& table,
                Diagnostics& diagnostics);
Value read_spec(Node root, const std::filesystem::path& file, const std::vector<Assignment>& assignments, const Table& table,
                Diagnostics& diagnostics);

/// Throws std::logic_error when a default of the table, or of any below, does not validate.
void check_defaults(const Table& table);

}  // namespace invar::spec
