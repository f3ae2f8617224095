#pragma once
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/spec/table.hpp"

namespace invar {

// The larger sections of the spec. What belongs to one physics only is held against the case's physics
// when the case is built; see physics/physics_fit.hpp. `some`: those whose words a section may use.

spec::Table material_table(SomePhysics some);
/// One entry of `boundary`.
spec::Table support_table(SomePhysics some);
spec::Table load_table(SomePhysics some);
/// One entry of `contact`.
spec::Table contact_table(SomePhysics some);
/// One entry of `ties`.
spec::Table tie_table(SomePhysics some);
/// One entry of `rigid`, `joints`, `tendons`.
spec::Table rigid_table();
spec::Table joint_table();
spec::Table tendon_table();
/// The quantity that is a number of a tie.
spec::Table tie_quantity_table();
/// One entry of `initial`.
spec::Table initial_table(SomePhysics some);
/// Its key that is no region.
spec::Table initial_run_table();
/// `time.control` where it is a quantity.
spec::Table path_control_table(SomePhysics some);
/// One entry of `objective`, `constraints`.
spec::Table objective_table(SomePhysics some);
spec::Table constraint_table(SomePhysics some);
/// The quantities that have derivatives, one table each, tagged by `type`.
std::vector<spec::Table> scalar_quantity_tables(SomePhysics some);
spec::Table output_table(SomePhysics some);

}  // namespace invar
