#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/spec_sections.hpp"

namespace invar {

using namespace spec;

Table support_table(SomePhysics some) {
  Table t("support", "Prescribed displacements (solid) or velocities (flow) of a region. " + growth_doc() +
                         " At nodes shared by several regions the last one in the spec applies, or adds to the others.");
  const std::vector<std::string> keys = add_entries_of(some, t, &Physics::boundary);
  t.defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .defaulted("adds", boolean(), "false", "true: add to the values that earlier regions prescribe at the same nodes, e.g. a jet in a moving wall; false: replace them");
  return t.at_least_one_of(keys);
}

Table initial_table(SomePhysics some) {
  Table t("initial state", "Initial state of processes in time, zero by default. Prescribed boundary values apply from the start.");
  add_entries_of(some, t, &Physics::initial);
  return t.defaulted("factor", number(), "1", "factor of the formulas; may be designed");
}

Table initial_run_table() {
  return Table("initial run", "The state at the end of an earlier run.")
      .optional(initial_from, path(), "the folder of an earlier run of the same physics, or a file of its states/: its state at the end, with rigid parts, ties and history variables, which is constant with respect to the design. On another mesh it is interpolated at the nodes of the undesigned mesh; rigid parts and ties are found by their names, and materials with history variables are excluded. Values given for regions replace it there")
      .optional(initial_tolerance, number("m").above(0), "how far nodes may lie outside the mesh of that run; they take the value at its nearest point. Default: a tenth of the extent of the nearest cell");
}

Table contact_table(SomePhysics some) {
  Table t("contact pair", "Contact of two surfaces, or self-contact of one, without intersection: an energy barrier between sample points of both surfaces, with regularised Coulomb friction in processes in time. Surfaces must not touch where the process begins: undeformed, or in the initial state of a process in time. Bodies that are drawn so are parted by `at` of one of them in `mesh`, in time also by `initial`. The surface of an obstacle without cells has no inside, and may enclose a body.");
  add_entries_of(some, t, &Physics::contact);
  return t.exactly_one_of({"between", "self"});
}

Table load_table(SomePhysics some) {
  return Table("load", growth_doc() + " The stiffness of a foundation is constant.")
      .tagged("type", "kind of load", tables_of(some, &Physics::loads))
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed");
}

}  // namespace invar
