#pragma once
#include <string>

#include "apps/invar/spec/node.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// Applies one `--set` argument, "cases.uniaxial.steps=20" or "design.0.lower=1e3", to the tree
/// before it is validated. The value is read as YAML. Sections that the table knows and the spec
/// leaves out come into being; any other missing parent is a mistake. A key that is
/// set to `null` is left out. The new nodes have the
/// position `--set cases.uniaxial.steps`.
void apply_override(Node& root, const std::string& assignment, const Table& table,
                    Diagnostics& diagnostics);

}  // namespace invar::spec
