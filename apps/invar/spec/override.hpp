#pragma once
#include <optional>
#include <string>

#include "apps/invar/spec/assignment.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Sets one value of the tree before it is validated. Missing sections that the table contains are created; any other missing
/// parent is a mistake. A key set to `null` is removed. New nodes have the position of the assignment.
void apply_override(Node& root, const Assignment& assignment, const Table& table, Diagnostics& diagnostics);

/// One `--set` argument, "cases.uniaxial.steps=20"; its value is read as YAML and has the position
/// `--set cases.uniaxial.steps`. Nothing when it cannot be read.
std::optional<Assignment> read_assignment(const std::string& text, Diagnostics& diagnostics);
void apply_override(Node& root, const std::string& text, const Table& table, Diagnostics& diagnostics);

}  // namespace invar::spec
