#pragma once
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

/// Everything that may stand in a spec. Built from the models' own parameter tables, so that
/// validation, JSON Schema, reference page and resolved.yaml cannot disagree with the models.
spec::Table spec_table();
/// What of it may stand in a spec whose physics are these.
spec::Table spec_table(SomePhysics some);

}  // namespace invar
