#include <algorithm>

#include "apps/invar/physics/examples.hpp"
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/flow_tables.hpp"
#include "apps/invar/physics/fsi_builder.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfem/solid/solid_quantities.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"

namespace invar {
namespace {

using namespace spec;

Table fsi_options() {
  return with_turbulence(Table("fsi", "Incompressible flow and elastic bodies, coupled at their interface and solved as one system (monolithic), steady or in time. Unknowns: "
                      "velocity v, displacement d of bodies and of the fluid's mesh, pressure p of the fluid (positive in compression), a passive scalar c or chi = ν̃/ν of turbulent flow if there is one. "
                      "Fluid and bodies share nodes at the interface. The mesh of the fluid is fixed at its outer boundary unless 'boundary' prescribes its displacement, and follows the bodies like an elastic body.")
      .defaulted("kind", choice({{"planar", "two-dimensional mesh; plane strain; forces per unit depth"},
                                 {"axisymmetric", "x is the radius, y the axis, no swirl; forces over the full circle"},
                                 {"spatial", "three-dimensional mesh"}}),
                 "planar", "dimension and symmetry")
      .defaulted("elements",
                 choice({{"taylor_hood", "velocity and displacement of second order, pressure of first order; curved cells"},
                         {"equal_order", "all of first order, the flow stabilised; cells become straight; not with 'formulation: mixed'"}}),
                 "taylor_hood", "finite elements")
      .defaulted("scalar", boolean(), "false", "the fluid carries a passive scalar c (dye, heat), which does not act on the flow; Taylor-Hood elements")
      .defaulted("formulation", choice({{"displacement", "compressible bodies"},
                                        {"mixed", "displacement and a pressure of each body (Taylor-Hood): nearly and exactly incompressible bodies"}}),
                 "displacement", "formulation of the bodies")
      .defaulted("stiffening", number().at_least(0), "1", "motion of the fluid's mesh: cells have the stiffness volume^(−p), p this exponent"),
      "with 'no_slip' or 'clamped'; surfaces of bodies and rigid parts in the fluid always count, at their moved positions");
}

std::vector<Table::Entry> fsi_boundary() {
  std::vector<Table::Entry> entries{{"no_slip", boolean(), "flow: zero velocity"}, {"clamped", boolean(), "fsi: zero displacement and velocity of bodies"}};
  for (const auto& [letter, unit, what] : {std::array{"v_", "m/s", "fsi: velocity along "}, std::array{"d_", "m", "fsi: displacement of the mesh along "}})
    for (const char* axis : {"x", "y", "z"}) entries.push_back({std::string(letter) + axis, value_or_formula(unit), std::string(what) + axis});
  for (Table::Entry& e : flow_physics().boundary)
    if (e.key == "p" || e.key == flow_component::scalar || e.key == flow_component::turbulence) entries.push_back(std::move(e));
  return entries;
}

std::vector<Table::Entry> fsi_initial() {
  std::vector<Table::Entry> entries;
  for (const auto& [letter, unit, what] : {std::array{"v_", "m/s", "velocity along "}, std::array{"d_", "m", "fsi: displacement of bodies and mesh along "}})
    for (const char* axis : {"x", "y", "z"}) entries.push_back({std::string(letter) + axis, value_or_formula(unit), std::string(what) + axis});
  for (Table::Entry& e : flow_physics().initial)
    if (e.key == flow_component::scalar || e.key == flow_component::turbulence) entries.push_back(std::move(e));
  return entries;
}

std::vector<Table> fsi_loads() {
  // Loads of solids without acceleration and contact, and loads of flows on the velocity and the scalar.
  const std::string_view left_out[] = {"contact", "obstacle", "mass"};
  std::vector<Table> all;
  for (const SolidLoad& load : solid_loads())
    if (std::ranges::count(left_out, load.name) == 0) all.push_back(term_table(load));
  for (const FlowLoad& load : flow_loads())
    if ((load.boundary || load.of_scalar) && !find_term(solid_loads(), load.name)) all.push_back(term_table(load));
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
  for (ComponentSpec& of_flow : flow_physics().components)
    if (of_flow.word == flow_component::scalar || of_flow.word == flow_component::turbulence) all.push_back(std::move(of_flow));
  return all;
}

std::vector<Table> fsi_scalars() {
  std::vector<Table> all = quantity_tables(fsi_quantities());
  for (Table& of_bodies : quantity_tables(body_quantities())) all.push_back(std::move(of_bodies));
  return all;
}

std::string fsi_methods(const CaseSections& sections) {
  const Value& physics = *sections.find("physics");
  return "The incompressible Navier–Stokes equations on a moving mesh and the equations of motion of the bodies (" + physics["kind"].text() +
         ") were discretised as one system by " + flow_elements(physics) + (physics["formulation"].text() == "mixed" ? ", with pressures of the bodies" : "");
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
          .scalars = fsi_scalars(),
          .quantities = quantity_tables(body_reports()),
          .linear_methods = {{"block_gauss_seidel", {"fluid-structure interaction in time, from a given initial state, in the formulation 'displacement' with Taylor-Hood elements and without a scalar"}}},
          .examples = fsi_examples(),
          .methods = fsi_methods,
          .sources = {{"finite elements for incompressible flow", {"elman2014"}}, {"finite elements", {"zienkiewicz2013"}},
                      {"fluid–structure interaction as one system on a moving mesh", {"hron2006"}}},
          .order = [](const Value& physics) { return physics["elements"].text() == "taylor_hood" ? 2 : 1; },
          .unknowns_at_all_nodes = true,
          .felt_everywhere = felt_by_turbulence,
          .second_order = "elements=taylor_hood",
          .time_order = [](const Value&) { return 1; },
          .build = build_fsi,
          .check_tied = check_fsi_pressure,
          .push_periodic = push_periodic_fsi};
}

}  // namespace invar
