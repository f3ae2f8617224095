#pragma once
#include "apps/invar/spec/table.hpp"

namespace invar {

/// The section `sweep`: many runs of one spec.
spec::Table sweep_table();

}  // namespace invar
