#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "apps/invar/problem/tie_spec.hpp"

namespace invar {

using namespace spec;

std::string gradient_key(const ComponentSpec& component, int axis) {
  const std::string by(1, "xyz"[axis]);
  return component.axis >= 0 ? std::string(1, "xyz"[component.axis]) + by : component.word + "_" + by;
}

namespace {

/// Held at a value, or found by the equations.
Type held_or_free(const std::string& unit) { return either({choice({{"free", "found by the equations: no force acts along it"}}), value_or_formula(unit)}); }

Table periodic_table(SomePhysics some) {
  Table t("periodic", "Opposite sides of a cell of a periodic medium, with the same nodes: u(x + d) = u(x) + H d, where d is the distance of the sides and H "
                      "the mean gradient of the unknown over the cell.");
  t.required("sides", list_of(list_of(text(), 2)), "pairs of facet regions, e.g. [[left, right], [bottom, top]]");
  for (const ComponentSpec& c : components_of(some))
    for (int axis = 0; axis < 3; ++axis)
      t.optional(gradient_key(c, axis), held_or_free("1"), "mean of ∂" + c.word + "/∂" + std::string(1, "xyz"[axis]) + "; default: 0");
  return t.defaulted("factor", number(), "1", "factor of the formulas; may be designed");
}

/// Keys for the motion of a region along components.
Table& with_components(Table& t, SomePhysics some, const std::string& what) {
  std::vector<std::string> keys;
  for (const ComponentSpec& c : components_of(some)) {
    t.optional(c.word, held_or_free(c.unit), what + " " + c.word);
    keys.push_back(c.word);
  }
  return t.defaulted("factor", number(), "1", "factor of the formulas; may be designed").at_least_one_of(keys);
}

Table surface_table() {
  return Table("surfaces", "A surface follows another one whose nodes are elsewhere: meshes that do not match become one body. Where its nodes are held they are not tied.")
      .required("follows", text(), "facet region that follows; give the one with the finer mesh")
      .required("to", text(), "facet region that it follows, at the same place")
      .defaulted("by", choice({{"mortar", "weighted means over the surface are equal: a constant stress passes, to rounding in the plane, to the error of a rule in space"},
                               {"collocation", "values at the nodes that follow are those of the other surface there: linear displacements pass exactly, stress is wrong by a "
                                               "part that does not vanish next to the surface"}}),
                 "mortar", "what is equal");
}

}  // namespace

Table tie_table(SomePhysics some) {
  Table translation("translation", "All nodes of a region move alike along the components that are named; others are as they were.");
  translation.required("region", text(), "any region");
  Table plane("plane", "A component is a linear function of the place over a region, u = a + b·(x − x̄) with the centre x̄: a rigid plate that stays plane, at small rotations.");
  plane.required("region", text(), "any region");
  Table mean("mean", "The mean of a component over a region, by its measure.");
  mean.required("region", text(), "region of cells or facets");
  return Table("tie", "Constraints between unknowns. " + growth_doc())
      .tagged("type", "what is constrained",
              {periodic_table(some), with_components(translation, some, "shift of the region along"),
               with_components(plane, some, "value at the centre of"), with_components(mean, some, "mean of"), surface_table()});
}

Table rigid_table() {
  return Table("rigid part", "Cells that keep their shape whatever moves them, or a body without cells. Inertia of cells is that of their material; where their nodes "
                             "belong to soft cells, too, these are welded to the part. In fluid-structure interaction cells or facets of a body, or facets that bound the "
                             "fluid: the surface of a body without cells, which the flow moves and whose mesh follows it.")
      .optional("region", text(), "its cells, or the facets or nodes that are rigidly connected")
      .optional("place", list_of(number("m")), "centre of mass of a body without cells; without it that of its region")
      .optional("mass", value_or_formula("kg"), "of a body without cells, besides that of cells; in the plane per unit depth")
      .defaulted("inertia", value_or_formula("kg m2"), "0", "moment of inertia about its centre; in space about the axis x")
      .defaulted("inertia_y", value_or_formula("kg m2"), "0", "in space: about the axis y")
      .defaulted("inertia_z", value_or_formula("kg m2"), "0", "in space: about the axis z")
      .optional("force_x", value_or_formula("N"), "force at its centre, e.g. its weight")
      .optional("force_y", value_or_formula("N"), "likewise")
      .optional("force_z", value_or_formula("N"), "likewise")
      .optional("stiffness", value_or_formula("N/m"), "of springs that hold its centre where it is at rest, alike along every axis")
      .optional("damping", value_or_formula("N s/m"), "of dampers beside them")
      .optional("velocity_x", number("m/s"), "in time: of its centre at the start")
      .optional("velocity_y", number("m/s"), "likewise")
      .optional("velocity_z", number("m/s"), "likewise")
      .optional("spin_x", number("rad/s"), "in time: angular velocity at the start, in space about the axis x")
      .optional("spin_y", number("rad/s"), "likewise")
      .optional("spin_z", number("rad/s"), "likewise; in the plane counter-clockwise")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .at_least_one_of({"region", "place"});
}

Table joint_table() {
  return Table("joint", "Connects two rigid parts, or one with the ground. Its forces are quantities: {type: tie, tie: JOINT.x} is the force along x that the second part "
                        "exerts on the first.")
      .required("type", choice({{"ball", "a common point"},
                                {"hinge", "a common point and, in space, a common axis"},
                                {"weld", "no relative motion"},
                                {"slider", "relative motion along an axis alone"}}),
                "what relative motion it leaves")
      .required("between", list_of(text(), 2), "the first a rigid part, the second another one or 'ground'")
      .required("at", list_of(number("m")), "where, at rest")
      .optional("axis", list_of(number("1")), "of a slider, and of a hinge in space")
      .optional("stiffness", value_or_formula("N m/rad"), "hinge: of a torsion spring")
      .defaulted("rest", value_or_formula("rad"), "0", "hinge: angle at which the spring is free of force")
      .optional("damping", value_or_formula("N m s/rad"), "hinge: torque per rate of the angle")
      .optional("torque", value_or_formula("N m"), "hinge: that acts on the first part, and its opposite on the second")
      .optional("angle", value_or_formula("rad"), "hinge: prescribed by a motor, whose torque is the number JOINT.torque")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed");
}

Table tendon_table() {
  return Table("tendon", "A cable or a spring between points of the body, without friction and mass: straight from point to point.")
      .required("through", list_of(list_of(number("m"))), "points in cells, at rest, in their order; those of rigid cells are points of rigid parts")
      .optional("tension", value_or_formula("N"), "of a cable of given tension")
      .optional("length", value_or_formula("m"), "of a cable of given length; its tension is the number TENDON.tension, negative where it would push")
      .optional("stiffness", value_or_formula("N/m"), "of a spring between two points")
      .defaulted("rest", value_or_formula("m"), "0", "of a spring: its length without force")
      .defaulted("damping", value_or_formula("N s/m"), "0", "of a spring: force per rate of its length")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .exactly_one_of({"tension", "length", "stiffness"});
}

Table tie_quantity_table() {
  return Table(tie_quantity_name, "A number of a tie, a rigid part, a joint or a tendon: e.g. a mean strain of a periodic cell, or the force that holds it; a joint's force.")
      .required("tie", text(), "which, as NAME.KEY, e.g. cell.xx, link.x, pivot.y")
      .defaulted("of", choice({{"value", "the number itself"},
                               {"rate", "in time: its rate"},
                               {"force", "the force that holds it, work-conjugate to it: of a mean gradient of displacements the mean nominal stress times the cell's volume"}}),
                 "value", "what of it")
      .defaulted("factor", number(), "1", "multiplies it, e.g. 1/volume");
}

}  // namespace invar
