#include "apps/invar/problem/spec_sections.hpp"

namespace invar {
namespace {

using namespace spec;

/// What t does to numbers. CaseBuilder::bind does it.
const std::string growth = "Numbers of a static solid grow in proportion, from zero at the start of the load steps to their value at "
                           "the end; in flow, in processes in time, and where a formula in x, y, z, t is given, values hold as they are.";

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
  Table t("support", "Prescribed displacements (solid) or velocities (flow) of a region. " + growth +
                         " Where regions meet, the later one in the spec holds, or adds.");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula("m or m/s"), std::string("displacement or velocity along ") + axis);
  t.optional("no_slip", boolean(), "flow: the fluid rests here")
      .optional("p", value_or_formula("Pa"), "flow: pressure at a point, which an enclosed flow leaves open")
      .optional("c", value_or_formula("1"), "flow that carries a scalar: its value; where nothing is said none of it passes by diffusion")
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed")
      .defaulted("adds", boolean(), "false", "adds to what earlier regions prescribe at the same nodes, e.g. a jet in a wall that moves; else it replaces that");
  return t.at_least_one_of({"u_x", "u_y", "u_z", "no_slip", "p", "c"});
}

Table initial_table() {
  Table t("initial state", "Of processes in time: what they begin with, zero where nothing is said. What the boundary prescribes holds "
                           "from the start.");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula("m or m/s"), std::string("displacement (solid) or velocity (flow) along ") + axis);
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("v_") + axis, value_or_formula("m/s"), std::string("solid: velocity along ") + axis);
  t.optional("c", value_or_formula("1"), "flow that carries a scalar: its value");
  return t.defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
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
  Table source("source", "Flow that carries a scalar: what of it appears per volume.");
  source.required("rate", value_or_formula("1/s"), "per second; negative takes away").defaulted("region", text(), "all", "cell region, or 'all'");
  Table slip = on_facets("slip", "Flow: a wall that the fluid hardly passes and slips along.");
  slip.required("penalty", number("Pa s/m").above(0), "resistance to passing; large against viscosity over cell size")
      .defaulted("friction", number("Pa s/m").at_least(0), "0", "resistance to slipping; Navier's slip length is μ/friction");
  Table contact = on_facets("contact", "Solid in time: a rigid body that the surface may touch, by a smooth penalty with smoothed Coulomb "
                                       "friction.");
  contact.required("obstacle", choice({{"plane", "a half-space"}, {"sphere", "a ball"}, {"cylinder", "an infinite round bar; in the plane a disc"}, {"box", "with edges along the axes"}}), "its shape")
      .required("stiffness", number("Pa/m").above(0), "pressure per depth")
      .required("width", number("m").above(0), "distance over which the pressure sets in")
      .defaulted("friction", number().at_least(0), "0", "Coulomb's coefficient")
      .defaulted("slip_speed", number("m/s").above(0), "0.001", "below it friction fades");
  for (const char* axis : {"x", "y", "z"})
    contact.defaulted(axis, value_or_formula("m"), "0", std::string("position: of a point on the plane, or of the centre, along ") + axis);
  for (const char* axis : {"x", "y", "z"})
    contact.defaulted(std::string("n_") + axis, value_or_formula("1 or m"), "0",
                      std::string("of a plane the outward normal, of a cylinder the axis, of a box half its length, along ") + axis);
  contact.defaulted("radius", number("m").at_least(0), "0", "of a sphere or cylinder");
  Table muscle("muscle", "Solid: tension of fibres in the body; makes a body move of itself.");
  muscle.defaulted("region", text(), "all", "cell region, or 'all'").required("tension", value_or_formula("Pa"), "of the fibres, positive pulls");
  for (const char* axis : {"x", "y", "z"})
    muscle.defaulted(std::string("n_") + axis, number(), "0", std::string("undeformed direction of the fibres, along ") + axis);
  Table mass = on_facets("mass", "Solid in time: a mass spread over a surface that moves with it; its weight is a load of its own.");
  mass.required("area_density", number("kg/m^2").at_least(0), "mass per undeformed area");
  return Table("load", growth + " A foundation's stiffness does not grow.")
      .tagged("type", "kind of load", {traction, body, pressure, foundation, contact, mass, muscle, backflow, slip, source})
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
}

}  // namespace invar
