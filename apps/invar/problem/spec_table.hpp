#pragma once
#include "apps/invar/spec/table.hpp"

namespace invar {

/// Everything that may stand in a spec. Built from the models' own parameter tables, so that
/// validation, JSON Schema, reference page and resolved.yaml cannot disagree with the models.
spec::Table spec_table();

}  // namespace invar
