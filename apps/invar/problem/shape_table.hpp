#pragma once
#include "apps/invar/spec/table.hpp"
#include "apps/invar/spec/value.hpp"
#include "libfem/design/boundary/shape_library.hpp"

namespace invar {

/// What the spec may say of a shape.
spec::Table shape_table(const ShapeEntry& shape);

/// What its record in `design` says.
EntryValues shape_values(const ShapeEntry& shape, const spec::Value& record);

}  // namespace invar
