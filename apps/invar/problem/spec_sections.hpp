#pragma once
#include "apps/invar/spec/table.hpp"

namespace invar {

// The larger sections of the spec. What belongs to one physics only is held against the case's physics
// when the case is built; see physics/physics_fit.hpp.

spec::Table material_table();
/// One entry of `boundary`.
spec::Table support_table();
spec::Table load_table();
/// One entry of `initial`.
spec::Table initial_table();
/// `time.control` where it is a quantity.
spec::Table path_control_table();
/// One entry of `objective`, `constraints`.
spec::Table objective_table();
spec::Table constraint_table();
/// Names of those that any physics has.
std::vector<std::string> common_quantities();
spec::Table output_table();

}  // namespace invar
