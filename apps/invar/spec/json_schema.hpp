#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/spec/table.hpp"

namespace invar::spec {

/// The JSON Schema (draft 2020-12) of a spec: for editors. Accepts what `validate` accepts, up to
/// checks that need the files or several sections.
nlohmann::ordered_json json_schema(const Table& table);

}  // namespace invar::spec
