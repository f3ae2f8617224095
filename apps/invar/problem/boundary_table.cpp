#include "apps/invar/problem/spec_sections.hpp"

namespace invar {
namespace {

using namespace spec;

/// Adds keys x, y, z.
Table& components(Table& table, const std::string& unit, const std::string& doc) {
  for (const char* axis : {"x", "y", "z"}) table.optional(axis, value_or_formula(unit), std::string(axis) + " component of " + doc);
  return table.at_least_one_of({"x", "y", "z"});
}

/// A load on facets.
Table on_facets(const char* name, const char* doc) {
  return Table(name, doc).required("region", text(), "facet region");
}

}  // namespace

Type value_or_formula(std::string unit) { return either({number(unit), expression(unit)}); }

Table support_table() {
  Table t("support", "Prescribed displacements (solid) or velocities (flow) of a region. A displacement given as a number is "
                     "reached in proportion, from zero at the start of the process to its value at the end; a velocity and "
                     "a formula in x, y, z, t are taken as they are. Where regions meet, the later one in the spec holds.");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula("m or m/s"), std::string("displacement or velocity along ") + axis);
  t.optional("no_slip", boolean(), "flow: the fluid rests here")
      .optional("p", value_or_formula("Pa"), "flow: pressure at a point, which an enclosed flow leaves open")
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
  return t.at_least_one_of({"u_x", "u_y", "u_z", "no_slip", "p"});
}

Table load_table() {
  Table traction = on_facets("traction", "Dead force per undeformed area, or per area of a fluid's boundary.");
  components(traction, "Pa", "the traction");
  Table body("body_force", "Dead force per undeformed volume, or per volume of a fluid.");
  components(body, "N/m^3", "the force density").defaulted("region", text(), "all", "cell region, or 'all'");
  Table pressure = on_facets("pressure", "Solid: pressure on the deformed surface, following it. Flow: pressure outside an "
                                         "open boundary.");
  pressure.required("p", value_or_formula("Pa"), "positive pushes inward");
  Table foundation = on_facets("foundation", "Solid: elastic (Winkler) bedding of a surface.");
  for (const char* axis : {"x", "y", "z"})
    foundation.defaulted(axis, number("N/m^3").at_least(0), "0", std::string("stiffness along ") + axis);
  Table backflow = on_facets("backflow", "Flow: keeps fluid that enters through an outlet from bringing energy along.");
  backflow.defaulted("beta", number().at_least(0), "1", "strength; 1 is enough for stability");
  Table slip = on_facets("slip", "Flow: a wall that the fluid hardly passes and slips along.");
  slip.required("penalty", number("Pa s/m").above(0), "resistance to passing; large against viscosity over cell size")
      .defaulted("friction", number("Pa s/m").at_least(0), "0", "resistance to slipping; Navier's slip length is μ/friction");
  return Table("load", "In solids a number grows in proportion, from zero at the start of the process to its value at the end "
                       "(a foundation's does not grow); in flow, and given as a formula in x, y, z, t, values are taken as "
                       "they are.")
      .tagged("type", "kind of load", {traction, body, pressure, foundation, backflow, slip})
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
}

}  // namespace invar
