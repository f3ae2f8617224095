#pragma once
#include <nlohmann/json.hpp>

#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/value.hpp"

namespace invar::spec {

/// The JSON Schema (draft 2020-12) of a spec: for editors. Accepts what `validate` accepts, up to
/// checks that need the files or several sections.
nlohmann::ordered_json json_schema(const Table& table);

/// A value as it is, for files that programs read; infinite numbers become null.
nlohmann::ordered_json as_json(const Value& value);

}  // namespace invar::spec
