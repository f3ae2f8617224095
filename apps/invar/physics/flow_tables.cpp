#include "apps/invar/physics/flow_tables.hpp"

#include <array>

#include "apps/invar/physics/examples.hpp"
#include "apps/invar/physics/flow_builder.hpp"
#include "apps/invar/physics/flow_model.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "libfluid/flow/flow_device.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/objective/flow_integral_library.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"
#include "libfluid/turbulence/spalart_allmaras_terms.hpp"

namespace invar {
namespace {

using namespace spec;

Table fluid_law(std::string_view name) {
  std::vector<ParamSpec> specs(flow_law_parameters(name).begin(), flow_law_parameters(name).end());
  specs.push_back(resistance_parameter);
  if (name == "newtonian") {
    specs.push_back(production_multiplier_parameter);
    specs.insert(specs.end(), SpalartAllmarasConstants::parameters.begin(), SpalartAllmarasConstants::parameters.end());
  }
  Table law = parameters(std::string(name), std::string(flow_law_doc(name)), specs);
  const Table of_scalar = parameters("", "", std::array{diffusivity_parameter});
  for (const Table::Entry& e : of_scalar.entries()) law.optional(e.key, e.type, e.doc);
  return law;
}

Table flow_options() {
  return with_turbulence(Table("flow", "Incompressible flow, steady or in time; unknowns velocity and pressure (positive in compression).")
          .required("kind", choice({{"planar", "two-dimensional mesh; forces per unit depth"},
                                    {"axisymmetric", "x is the radius, y the axis, no swirl; forces over the full circle"},
                                    {"spatial", "three-dimensional mesh"}}),
                    "dimension and symmetry")
          .defaulted("equations", choice({{"navier_stokes", "with inertia"}, {"stokes", "creeping flow: without inertia"}}),
                     "navier_stokes", "equations of motion")
          .defaulted("elements",
                     choice({{"taylor_hood", "second-order velocity, first-order pressure; curved cells"},
                             {"equal_order", "first-order velocity and pressure, stabilised; straight cells; in time with 'convection: implicit' only"}}),
                     "taylor_hood", "finite elements")
          .defaulted("viscous_term",
                     choice({{"gradient", "μ ∇u: developed flow leaves through a free outlet undisturbed; constant viscosity, slip along flat walls only"},
                             {"stress", "2 μ ε(u): the traction on a free boundary is zero; if developed flow leaves there, prescribe that its velocity along the boundary is 0"},
                             {"auto", "gradient; stress where a load is of type slip, and where the viscosity varies: with the shear rate, between materials, as a designed field, in turbulent flow"}}),
                     "auto", "form of the viscous stress")
          .defaulted("grad_div",
                     either({number("Pa s").at_least(0),
                             choice({{"auto", "steady Navier-Stokes flow in space on Taylor-Hood elements: 0.025 ρ U L, with U the largest "
                                              "velocity component that 'boundary' prescribes, ρ the largest density and L the smallest extent of "
                                              "the mesh, all as the spec gives them; other flow: 0"}})}),
                     "auto",
                     "γ of the term ∫ γ ∇·u ∇·v dV, which is zero for exact solutions: it improves the conservation of mass and lets "
                     "'field_split_amg' converge at higher Reynolds numbers; Taylor-Hood elements")
          .defaulted("scalar", boolean(), "false", "the flow carries a passive scalar c (dye, heat), which does not act on the flow; Taylor-Hood elements"),
      "with 'no_slip'");
}

std::vector<Table> flow_materials() {
  std::vector<Table> laws;
  for (const std::string_view name : flow_law_names()) laws.push_back(fluid_law(name));
  return laws;
}

std::vector<Table::Entry> flow_boundary() {
  std::vector<Table::Entry> entries = prescribed_vector();
  entries.push_back({"no_slip", boolean(), "flow: zero velocity"});
  entries.push_back({"speed", number("m/s").above(0), "flow: magnitude of a free stream, in place of u_x and u_y; needs 'angle'"});
  entries.push_back({"angle", number("deg"), "flow: angle of attack of the free stream, from x towards y. Speed and angle may be designed: lift and drag coefficients refer to the current direction"});
  entries.push_back({"p", value_or_formula("Pa"), "flow: pressure at a point, for enclosed flows, whose pressure level is otherwise undetermined"});
  entries.push_back({"c", value_or_formula("1"), "flow with a passive scalar: its value; default: zero diffusive flux"});
  entries.push_back({"chi", value_or_formula("1"), "ν̃/ν of the turbulence model at inflow, 3 to 5 for fully turbulent flow; walls have 0 automatically; default: zero diffusive flux"});
  return entries;
}

std::vector<Table::Entry> flow_initial() {
  std::vector<Table::Entry> entries = initial_vector();
  entries.push_back({"c", value_or_formula("1"), "flow with a passive scalar: its value"});
  entries.push_back({"chi", value_or_formula("1"), "ν̃/ν of the turbulence model"});
  entries.push_back({"p", value_or_formula("Pa"), "pressure_correction: initial pressure, which other schemes do not need. Give one that is consistent with velocity and loads, e.g. where a pressure load is not zero at the start: another one disturbs the first steps, and flow of small viscosity long after; default: 0"});
  return entries;
}

std::vector<Table> flow_scalars() {
  std::vector<Table> all = quantity_tables(flow_quantities());
  for (Table& integral : term_tables(flow_integrals())) all.push_back(std::move(integral));
  return all;
}

std::string flow_methods(const CaseSections& sections) {
  const Value& physics = *sections.find("physics");
  return (physics["equations"].text() == "stokes" ? "The Stokes equations (" : "The incompressible Navier–Stokes equations (") + physics["kind"].text() +
         ") were discretised by " + flow_elements(physics);
}

}  // namespace

std::string flow_elements(const Value& physics) {
  return physics["elements"].text() == "equal_order" ? "stabilised linear finite elements of equal order" : "Taylor–Hood finite elements (P2/P1 or Q2/Q1)";
}

Table with_turbulence(Table options, const char* walls) {
  return std::move(options)
      .defaulted("turbulence",
                 choice({{"none", "laminar, or resolved"},
                         {"spalart_allmaras", "Reynolds-averaged, with the negative Spalart-Allmaras model without trip terms; unknown chi = ν̃/ν; elements of equal order, stress form"}}),
                 "none", "model of turbulence")
      .optional("wall_distance", list_of(text()), std::string("turbulence: facet regions that count as walls for the wall distance; default: all ") + walls)
      .defaulted("discontinuity_capturing", number().at_least(0), "0", "turbulence: coefficient of an added diffusion of chi in proportion to the residual (discontinuity capturing); 0: none; 0.5 to 1 against undershoots on coarse meshes");
}

Physics flow_physics() {
  return {.options = flow_options(),
          .materials = flow_materials(),
          .loads = term_tables(flow_loads()),
          .boundary = flow_boundary(),
          .initial = flow_initial(),
          .components = [] {
            std::vector<ComponentSpec> all = vector_components("velocity");
            all.push_back(pressure_component());
            all.push_back({.word = flow_component::scalar, .doc = "scalar", .norm = "scalar",
                           .advice = "a flow has one with 'scalar: true' in 'physics'"});
            all.push_back({.word = flow_component::turbulence, .doc = "ν̃/ν of the turbulence model"});
            return all;
          }(),
          .scalars = flow_scalars(),
          .quantities = quantity_tables(flow_reports()),
          .data = flow_data(),
          .instead = {{"reaction", "use 'force' or 'moment' of the fluid on a wall"}},
          .undefined = {{"total_pressure_loss", "nothing flows through 'from' or 'to'"}, {"shear_zero", "the wall shear does not change its sign there"}},
          .linear_methods = {{"field_split", {"flow of one fluid with Taylor-Hood elements"}},
                             {"field_split_amg", {"flow of one fluid with Taylor-Hood elements"}},
                             {"coupled_amg",
                              {"flow on stabilised elements of equal order", "use 'elements: equal_order' in 'physics', or field_split_amg"}},
                             {"block_triangular",
                              {"flow by pressure correction with uncoupled components (viscous_term: gradient, newtonian, no scalar, no ties)"}}},
          .device_kinds = flow_device_forms(),
          .examples = flow_examples(),
          .methods = flow_methods,
          .sources = {{"finite elements for incompressible flow", {"elman2014"}}},
          .order = [](const Value& physics) { return physics["elements"].text() == "taylor_hood" ? 2 : 1; },
          .second_order = "elements=taylor_hood",
          .time = {"convection"},
          .time_order = [](const Value&) { return 1; },
          .build = build_flow,
          .check_tied = check_tied_flow,
          .push_periodic = push_periodic_flow};
}

}  // namespace invar
