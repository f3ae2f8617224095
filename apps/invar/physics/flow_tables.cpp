#include "apps/invar/physics/flow_tables.hpp"

#include <array>

#include "apps/invar/physics/examples.hpp"
#include "apps/invar/physics/flow_builder.hpp"
#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
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
  return Table("flow", "Incompressible flow, steady or in time; unknowns velocity and pressure (positive in compression).")
          .required("kind", choice({{"planar", "two-dimensional mesh; forces per unit depth"},
                                    {"axisymmetric", "x is the radius, y the axis, no swirl; forces over the full circle"},
                                    {"spatial", "three-dimensional mesh"}}),
                    "what the mesh stands for")
          .defaulted("equations", choice({{"navier_stokes", "with inertia"}, {"stokes", "creeping flow: without inertia"}}),
                     "navier_stokes", "what is kept of the equations")
          .defaulted("elements",
                     choice({{"taylor_hood", "velocity of second order, pressure of first; curved cells"},
                             {"equal_order", "both of first order, stabilised; straight cells; in time by implicit steps"}}),
                     "taylor_hood", "the unknowns")
          .defaulted("viscous_term",
                     choice({{"gradient", "μ ∇u: an outlet left free lets a flow through as if the pipe went on"},
                             {"stress", "2 μ ε(u): a boundary left free carries no traction"}}),
                     "gradient", "form of the viscous stress")
          .defaulted("grad_div",
                     either({number("Pa s").at_least(0),
                             choice({{"auto", "steady Navier-Stokes flow in space on Taylor-Hood elements: 0.025 ρ U L, with U the largest "
                                              "velocity component that 'boundary' prescribes, ρ the largest density and L the smallest extent of "
                                              "the mesh, all as the spec gives them; other flow: 0"}})}),
                     "auto",
                     "γ of the term ∫ γ ∇·u ∇·v dV, which exact solutions do not feel: it improves the conservation of mass and lets "
                     "'field_split_amg' converge at higher Reynolds numbers; Taylor-Hood elements")
          .defaulted("turbulence",
                     choice({{"none", "laminar, or resolved"},
                             {"spalart_allmaras", "Reynolds-averaged, with the negative Spalart-Allmaras model without trip on the unknown chi, the "
                                                  "model's viscosity over the fluid's; elements of equal order, stress form"}}),
                     "none", "model of turbulence")
          .optional("wall_distance", list_of(text()), "turbulence: facet regions to which the distance counts; default: all with 'no_slip'")
          .defaulted("discontinuity_capturing", number().at_least(0), "0", "turbulence: diffusion of chi where it is not resolved, times the residual; 0: none, 0.5 to 1 against undershoots on coarse meshes")
          .defaulted("scalar", boolean(), "false", "the flow carries a passive scalar c (dye, heat), which does not act on the flow; Taylor-Hood elements");
}

std::vector<Table> flow_materials() {
  std::vector<Table> laws;
  for (const std::string_view name : flow_law_names()) laws.push_back(fluid_law(name));
  return laws;
}

std::vector<Table::Entry> flow_boundary() {
  std::vector<Table::Entry> entries = prescribed_vector();
  entries.push_back({"no_slip", boolean(), "flow: the fluid rests here"});
  entries.push_back({"speed", number("m/s").above(0), "flow: magnitude of a free stream, in place of u_x and u_y; needs 'angle'"});
  entries.push_back({"angle", number("deg"), "flow: its angle of attack, from x towards y; may be designed as the speed may: lift and drag coefficients follow it"});
  entries.push_back({"p", value_or_formula("Pa"), "flow: pressure at a point, which an enclosed flow leaves open"});
  entries.push_back({"c", value_or_formula("1"), "flow that carries a scalar: its value; default: no diffusive flux"});
  entries.push_back({"chi", value_or_formula("1"), "turbulent flow: the model's viscosity over the fluid's where the flow enters, 3 to 5 where it is turbulent; 0 at walls by itself; default: no diffusive flux"});
  return entries;
}

std::vector<Table::Entry> flow_initial() {
  std::vector<Table::Entry> entries = initial_vector();
  entries.push_back({"c", value_or_formula("1"), "flow that carries a scalar: its value"});
  entries.push_back({"chi", value_or_formula("1"), "turbulent flow: the model's viscosity over the fluid's"});
  entries.push_back({"p", value_or_formula("Pa"), "flow by pressure_correction: the pressure, which other schemes do not need. One that does not fit the "
                                                  "velocity costs accuracy in the first steps; default: 0"});
  return entries;
}

std::vector<Table> flow_scalars() {
  std::vector<Table> all = quantity_tables(flow_quantities());
  for (Table& integral : term_tables(flow_integrals())) all.push_back(std::move(integral));
  return all;
}

/// Quantities that are reported only.
std::vector<Table> flow_reports() {
  std::vector<Table> tables;
  tables.push_back(Table("wall_shear", "Flow: viscous force on a wall per area, along the wall; its extremes, its zeros, and where they are. In the plane "
                                       "it counts along the wall from the end where x is least (of closed walls from there, with the fluid on the left), "
                                       "in space it is the magnitude. All of the wall is written to walls/NAME.csv: places, pressure, shear, y_plus, and with 'stream' cp and cf.")
                       .required("region", text(), "facet region")
                       .required("kind",
                                 choice({{"min", "the least"}, {"max", "the greatest"},
                                         {"y_plus", "where √(ρ τ) h/μ is greatest, h the thickness of the cell at the wall: a wall is resolved where it is below about 1"},
                                         {"zero", "in the plane: where it changes its sign, points of separation and reattachment"},
                                         {"last_zero", "in the plane: the last of these, e.g. where a flow reattaches behind eddies in a corner"},
                                         {"point", "where the wall passes nearest to `point`"}}),
                                 "which point")
                       .optional("point", list_of(number("m")), "with kind 'point'")
                       .defaulted("number", integer().at_least(1), "1", "of zeros, counted along the wall; where there are fewer the quantity is not a number")
                       .defaulted("give",
                                  choice({{"value", "the shear in Pa; of zeros its sign behind them; of y_plus that"}, {"cf", "the shear over the dynamic pressure of 'stream'"}, {"x", "coordinate of the point"}, {"y", "likewise"},
                                          {"z", "likewise"}, {"distance", "in the plane: along the wall from where it begins"}}),
                                  "value", "what of it"));
  tables.back()
      .optional("stream", text(), "region of `boundary` with the free stream, as of drag_coefficient: the file then holds cp = (p − p∞)/q and cf = shear/q")
      .defaulted("pressure", number("Pa"), "0", "p∞");
  tables.push_back(Table("vorticity_deviation", "Flow: standard deviation over mean of the vorticity's magnitude along a wall. On a body of "
                                                "given volume that has least drag in creeping flow it is zero.")
                       .required("region", text(), "facet region")
                       .defaulted("margin", number().at_least(0).below(0.5), "0.05",
                                  "part of the body's length at its front and at its rear that is left out: tips of discrete shapes are rounded")
                       .defaulted("axis", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "x", "from the front to the rear"));
  return tables;
}

}  // namespace

Physics flow_physics() {
  return {.options = flow_options(),
          .materials = flow_materials(),
          .loads = term_tables(flow_loads()),
          .boundary = flow_boundary(),
          .initial = flow_initial(),
          .components = [] {
            std::vector<Type::Choice> all = vector_components();
            all.push_back({"p", "pressure"});
            all.push_back({"c", "scalar"});
            all.push_back({"chi", "turbulent flow: the model's viscosity over the fluid's"});
            return all;
          }(),
          .scalars = flow_scalars(),
          .quantities = flow_reports(),
          .data = {field_misfit_table("velocity_field", "Flow: ∫ |u − û|² over a region against formulas (root-mean-square weighted).",
                           "m/s", "velocity")},
          .instead = {{"reaction", "use 'force' or 'moment': what the fluid does to a wall"}},
          .examples = flow_examples(),
          .order = [](const Value& physics) { return physics["elements"].text() == "taylor_hood" ? 2 : 1; },
          .second_order = "elements=taylor_hood",
          .time_order = [](const Value&) { return 1; },
          .build = build_flow};
}

}  // namespace invar
