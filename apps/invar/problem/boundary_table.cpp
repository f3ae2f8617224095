#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/spec_sections.hpp"

namespace invar {

using namespace spec;

Table support_table(SomePhysics some) {
  Table t("support", "Prescribed displacements (solid) or velocities (flow) of a region. " + growth_doc() +
                         " Where regions meet, the later one in the spec holds, or adds.");
  const std::vector<std::string> keys = add_entries_of(some, t, &Physics::boundary);
  t.defaulted("factor", number(), "1", "multiplies the formulas; may be designed")
      .defaulted("adds", boolean(), "false", "adds to what earlier regions prescribe at the same nodes, e.g. a jet in a wall that moves; else it replaces that");
  return t.at_least_one_of(keys);
}

Table initial_table(SomePhysics some) {
  Table t("initial state", "Of processes in time: what they begin with, zero where nothing is said. What the boundary prescribes holds "
                           "from the start.");
  add_entries_of(some, t, &Physics::initial);
  return t.defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
}

Table initial_run_table() {
  return Table("initial run", "Where an earlier run ended.")
      .optional(initial_from, path(), "the folder of an earlier run of the same physics, or a file of its states/: its state at the end, which does not depend on what "
                                      "is designed. On another mesh it is interpolated: values belong to the nodes as the mesh is read. What is said of regions "
                                      "besides replaces it there")
      .optional(initial_tolerance, number("m").above(0), "how far nodes may lie outside the mesh of that run; they take the value at its nearest point. Without it: a "
                                                         "tenth of the extent of the cell that is nearest");
}

Table contact_table(SomePhysics some) {
  Table t("contact pair", "Surfaces that may touch each other, or one that may touch itself, without ever intersecting: a barrier of energy between "
                          "points of both surfaces, with smoothed Coulomb friction in time. Surfaces must be apart at the start.");
  add_entries_of(some, t, &Physics::contact);
  return t.exactly_one_of({"between", "self"});
}

Table load_table(SomePhysics some) {
  return Table("load", growth_doc() + " A foundation's stiffness does not grow.")
      .tagged("type", "kind of load", tables_of(some, &Physics::loads))
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
}

}  // namespace invar
