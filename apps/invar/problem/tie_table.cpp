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

/// Prescribed value, or free.
Type held_or_free(const std::string& unit) { return either({choice({{"free", "free: determined by equilibrium, without force"}}), value_or_formula(unit)}); }

Table periodic_table(SomePhysics some) {
  Table t("periodic", "Periodicity of a unit cell with matching nodes on opposite sides: u(x + d) = u(x) + H d, where d is the period vector and H the mean gradient of the unknown over the cell. Under a designed shape nodes keep their partners, with the distance d that they have then; a shape that moves both sides alike keeps the cell periodic. That of a flow's pressure drives it, like a body force of the opposite sign.");
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
  return Table("surfaces", "Ties a surface to another one with non-matching nodes: the meshes become one body. A designed shape must not move these surfaces. Prescribed nodes are not tied, nor is the pressure of solids (mixed formulation), which jumps where materials meet.")
      .required("follows", text(), "tied (dependent) facet region; choose the one with the finer mesh")
      .required("to", text(), "facet region to which it is tied, at the same position")
      .defaulted("by", choice({{"mortar", "weighted means over the surface are equal: a constant stress is transferred exactly between straight facets"},
                               {"collocation", "tied nodes have the interpolated values of the other surface: linear displacements are transferred exactly, but the stress next to the surface has an error that does not converge"}}),
                 "mortar", "constraint");
}

}  // namespace

Table tie_table(SomePhysics some) {
  Table translation("translation", "All nodes of a region have the same value of the given components.");
  translation.required("region", text(), "any region");
  Table plane("plane", "A component is a linear function of position over a region, u = a + b·(x − x̄) with the centre x̄: a rigid plane plate at small rotations.");
  plane.required("region", text(), "any region");
  Table mean("mean", "The mean of a component over a region, in a designed shape over the region as it is then; in axisymmetric models over the full circle. The force that holds a mean over cells acts on them like a uniform body force; forces that are asked for on sides whose nodes are tied contain its part on the layer of cells there, an error of the order of their size.");
  mean.required("region", text(), "region of cells or facets");
  return Table("tie", "Constraints between unknowns. A march should begin with values and rates that satisfy them: otherwise single nodes take up the difference, and a warning names them. " + growth_doc())
      .tagged("type", "kind of constraint",
              {periodic_table(some), with_components(translation, some, "translation of the region along"),
               with_components(plane, some, "value at the centre of"), with_components(mean, some, "mean of"), surface_table()});
}

Table rigid_table() {
  return Table("rigid part", "Cells that move as a rigid body, or a rigid body without cells. Cells have the inertia of their material; soft cells that share nodes with the part are attached to it. In fluid-structure interaction also facets of a body, or facets that bound the fluid: then they are the surface of a body without cells, which the flow moves.")
      .optional("region", text(), "its cells, facets or nodes")
      .optional("place", list_of(number("m")), "centre of mass of a body without cells; default: that of its region. Its coordinates may be designed, as rigid.NAME.place.0 …; the mean of a region's nodes follows a designed shape, with their weights in the undesigned mesh")
      .optional("mass", value_or_formula("kg", 0), "mass in addition to that of the cells; in the plane per unit depth")
      .defaulted("inertia", value_or_formula("kg m2", 0), "0", "moment of inertia about its centre; in space about the axis x")
      .defaulted("inertia_y", value_or_formula("kg m2", 0), "0", "in space: about the axis y")
      .defaulted("inertia_z", value_or_formula("kg m2", 0), "0", "in space: about the axis z")
      .optional("force_x", value_or_formula("N"), "force at its centre, e.g. its weight")
      .optional("force_y", value_or_formula("N"), "likewise")
      .optional("force_z", value_or_formula("N"), "likewise")
      .optional("stiffness", value_or_formula("N/m"), "stiffness of springs from its centre to the position at rest, equal along every axis")
      .optional("damping", value_or_formula("N s/m"), "damping in parallel to these springs")
      .optional("velocity_x", number("m/s"), "in time: initial velocity of its centre")
      .optional("velocity_y", number("m/s"), "likewise")
      .optional("velocity_z", number("m/s"), "likewise")
      .optional("spin_x", number("rad/s"), "in time: initial angular velocity, in space about the axis x")
      .optional("spin_y", number("rad/s"), "likewise")
      .optional("spin_z", number("rad/s"), "likewise; in the plane counter-clockwise")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .beside("mass", {"inertia", "inertia_y", "inertia_z"})
      .at_least_one_of({"region", "place"});
}

Table joint_table() {
  return Table("joint", "Connects two rigid parts, or a rigid part and the ground. Its forces are quantities: {type: tie, tie: JOINT.x} is the force along x that the second part "
                        "exerts on the first; of a slider JOINT.across that across its axis (in the plane along the axis turned counter-clockwise; in space also across_2). A wrong name is answered by a list of all.")
      .required("type", choice({{"ball", "a common point"},
                                {"hinge", "a common point and, in space, a common axis"},
                                {"weld", "no relative motion"},
                                {"slider", "relative translation along an axis only"}}),
                "kind of joint: the relative motion that it allows")
      .required("between", list_of(text(), 2), "the first a rigid part, the second another one or 'ground'")
      .required("at", list_of(number("m")), "position at rest. Its coordinates may be designed, as joints.NAME.at.0 …; it does not follow a designed shape")
      .optional("axis", list_of(number("1")), "axis of a slider, or of a hinge in space")
      .optional("stiffness", value_or_formula("N m/rad"), "hinge: stiffness of a torsion spring. The angle is counted from −π to π: half a turn from the position at rest the torque jumps")
      .defaulted("rest", value_or_formula("rad"), "0", "hinge: rest angle of the spring")
      .optional("damping", value_or_formula("N m s/rad"), "hinge: damping, torque per angular rate")
      .optional("torque", value_or_formula("N m"), "hinge: torque on the first part; the second has the opposite torque")
      .optional("angle", value_or_formula("rad"), "hinge: angle prescribed by a motor, whose torque is the number JOINT.torque")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .beside("stiffness", {"rest"});
}

Table tendon_table() {
  return Table("tendon", "A cable or a spring through points of the body, straight between them, without friction and mass.")
      .required("through", list_of(list_of(number("m"))), "points at rest in order, each in a cell of a body; those in rigid cells, and on surfaces of rigid parts, move with the rigid parts. They follow a designed shape with their cells. Their coordinates may be designed, as tendons.NAME.through.0.1 …; such a point does not follow the shape. In soft cells it may not leave the cell in which it begins, which a designed shape moves, and a design for which it does is rejected; one in a rigid cell moves relative to the part, without a limit and without following a designed shape")
      .optional("tension", value_or_formula("N"), "tension of a cable with prescribed tension")
      .optional("length", value_or_formula("m"), "length of a cable with prescribed length; its tension is the number TENDON.tension, negative in compression")
      .optional("stiffness", value_or_formula("N/m"), "stiffness of a spring between two points")
      .defaulted("rest", value_or_formula("m"), "0", "rest length of a spring")
      .defaulted("damping", value_or_formula("N s/m"), "0", "damping of a spring: force per rate of its length")
      .defaulted("factor", number(), "1", "factor of the formulas; may be designed")
      .beside("stiffness", {"rest", "damping"})
      .exactly_one_of({"tension", "length", "stiffness"});
}

Table tie_quantity_table() {
  return Table(tie_quantity_name, "A number of a tie, a rigid part, a joint or a tendon, e.g. a mean strain of a periodic cell or the conjugate force, or a joint's force.")
      .required("tie", text(), "which, as NAME.KEY, e.g. cell.xx, link.x, pivot.y")
      .defaulted("of", choice({{"value", "the number itself"},
                               {"rate", "in time: its rate"},
                               {"force", "the work-conjugate force: for a mean displacement gradient the mean nominal stress times the cell's volume"}}),
                 "value", "value, rate or conjugate force")
      .defaulted("factor", number(), "1", "factor, e.g. 1/volume");
}

}  // namespace invar
