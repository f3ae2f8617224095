#include <algorithm>

#include "apps/invar/physics/examples.hpp"
#include "apps/invar/physics/fsi_builder.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"

namespace invar {
namespace {

using namespace spec;

Table fsi_options() {
  return Table("fsi", "Incompressible flow and elastic bodies that decide each other, solved as one system, steady or in time. Unknowns: "
                      "velocity v, displacement d of bodies and of the fluid's mesh, pressure p of the fluid (positive in compression). "
                      "Taylor-Hood elements; the mesh has nodes in common at the interface. The mesh of the fluid rests at its outer boundary "
                      "unless 'boundary' says otherwise, and follows the bodies elastically.")
      .defaulted("kind", choice({{"planar", "two-dimensional mesh; plane strain; forces per unit depth"},
                                 {"axisymmetric", "x is the radius, y the axis, no swirl; forces over the full circle"},
                                 {"spatial", "three-dimensional mesh"}}),
                 "planar", "what the mesh stands for")
      .defaulted("formulation", choice({{"displacement", "bodies that can be compressed"},
                                        {"mixed", "each body with a pressure (Taylor-Hood): incompressible and nearly so"}}),
                 "displacement", "the unknowns of bodies")
      .defaulted("stiffening", number().at_least(0), "1", "of the fluid's mesh: stiffness of a cell: its volume to minus this power");
}

std::vector<Table::Entry> fsi_boundary() {
  std::vector<Table::Entry> entries{{"no_slip", boolean(), "flow: the fluid rests here"}, {"clamped", boolean(), "fsi: bodies rest here"}};
  for (const auto& [letter, unit, what] : {std::array{"v_", "m/s", "fsi: velocity along "}, std::array{"d_", "m", "fsi: displacement of the mesh along "}})
    for (const char* axis : {"x", "y", "z"}) entries.push_back({std::string(letter) + axis, value_or_formula(unit), std::string(what) + axis});
  for (Table::Entry& e : flow_physics().boundary)
    if (e.key == "p") entries.push_back(std::move(e));
  return entries;
}

std::vector<Table::Entry> fsi_initial() {
  std::vector<Table::Entry> entries;
  for (const auto& [letter, unit, what] : {std::array{"v_", "m/s", "velocity along "}, std::array{"d_", "m", "fsi: displacement of bodies and mesh along "}})
    for (const char* axis : {"x", "y", "z"}) entries.push_back({std::string(letter) + axis, value_or_formula(unit), std::string(what) + axis});
  return entries;
}

std::vector<Table> fsi_loads() {
  // Of solids those that read no acceleration and need no gap to what they touch, of flows those of the velocity.
  const std::string_view left_out[] = {"contact", "obstacle", "mass"};
  std::vector<Table> all;
  for (const SolidLoad& load : solid_loads())
    if (std::ranges::count(left_out, load.name) == 0) all.push_back(term_table(load));
  for (const FlowLoad& load : flow_loads())
    if (load.boundary && !find_term(solid_loads(), load.name)) all.push_back(term_table(load));
  return all;
}

std::vector<ComponentSpec> fsi_components() {
  std::vector<ComponentSpec> all;
  for (const auto& [letter, doc, unit] : {std::array{"v_", "velocity", "m/s"}, std::array{"d_", "displacement", "m"}})
    for (int i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      all.push_back({.word = letter + axis, .doc = std::string(doc) + " along " + axis, .unit = unit, .norm = doc,
                     .advice = "it is an unknown of 'fsi'"});
    }
  all.push_back(pressure_component());
  return all;
}

}  // namespace

Physics fsi_physics() {
  std::vector<Table> materials = flow_physics().materials;
  std::ranges::copy(solid_physics().materials, std::back_inserter(materials));
  return {.options = fsi_options(),
          .materials = std::move(materials),
          .loads = fsi_loads(),
          .boundary = fsi_boundary(),
          .initial = fsi_initial(),
          .components = fsi_components(),
          .scalars = quantity_tables(fsi_quantities()),
          .examples = fsi_examples(),
          .order = [](const Value&) { return 2; },
          .time_order = [](const Value&) { return 1; },
          .build = build_fsi,
          .check_tied = check_fsi_pressure};
}

}  // namespace invar
