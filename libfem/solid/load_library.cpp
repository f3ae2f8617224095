#include "libfem/solid/load_library.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/contact/contact_parameters.hpp"
#include "libfem/form/common_terms.hpp"
#include "libfem/solid/centrifugal_form.hpp"
#include "libfem/solid/dynamic_forms.hpp"

namespace invar {
namespace {

/// A load whose form depends on the kind of solid only.
template <std::unique_ptr<WeakForm> (*factory)(SolidKind, CellBatches)>
SolidLoad load(TermSpec spec, bool dead = false) {
  return {std::move(spec), dead,
          [](SolidKind kind, const TermSetting&, CellBatches domain) { return factory(kind, std::move(domain)); }, false, dead};
}

template <std::unique_ptr<WeakForm> (*factory)(SolidKind, CellBatches)>
SolidLoad spring_load(TermSpec spec) {
  SolidLoad made = load<factory>(std::move(spec));
  made.quadratic = true;
  return made;
}

TermSpec foundation() {
  return {.name = "foundation",
          .doc = "Solid: elastic (Winkler) bedding of a surface.",
          .parameters = {{.spec = {.key = "", .unit = "N/m^3", .doc = "stiffness", .default_value = 0, .lower = 0}, .per_axis = true}}};
}

/// The displacement under a point force is infinite in a continuum: it grows like the logarithm of the inverse cell size in 2-D,
/// and like the inverse in 3-D.
TermSpec point_force() {
  return {.name = "point_force",
          .doc = "Solid: dead force at every node of a region of points (of the whole circle, where axisymmetric). The displacement under it "
                 "grows without end as cells become smaller.",
          .domain = TermSpec::Domain::points,
          .parameters = {{.spec = {.key = "", .unit = "N", .doc = "force"}, .per_axis = true, .may_be_formula = true, .grows = true}}};
}

TermSpec spring() {
  return {.name = "spring",
          .doc = "Solid: springs to the ground at every node of a region of points.",
          .domain = TermSpec::Domain::points,
          .parameters = {{.spec = {.key = "", .unit = "N/m", .doc = "stiffness", .default_value = 0, .lower = 0}, .per_axis = true}}};
}

TermSpec mass() {
  return {.name = "mass",
          .doc = "Solid in time: mass per area on a surface; its weight must be given as a load.",
          .parameters = {{.spec = {.key = "area_density", .unit = "kg/m^2", .doc = "mass per undeformed area", .lower = 0}}},
          .refuses = [](const TermSetting& s) -> std::optional<TermRefusal> {
            if (s.in_time) return {};
            return TermRefusal{"a mass matters in processes in time", "give 'time' a 'scheme'"};
          }};
}

/// False if all components of the direction are constant and zero.
bool has_direction(const TermSetting& s, int first) {
  return std::any_of(s.numbers.begin() + first, s.numbers.begin() + first + s.dim, [](double n) { return n != 0; });
}

TermSpec muscle_term() {
  return {.name = "muscle",
          .doc = "Solid: tension of fibres in the body; makes a body move of itself.",
          .domain = TermSpec::Domain::cells,
          .parameters = {{.spec = {.key = "tension", .unit = "Pa", .doc = "of the fibres, positive pulls"}, .may_be_formula = true, .grows = true},
                         {.spec = {.key = "n_", .unit = "1", .doc = "undeformed direction of the fibres", .default_value = 0}, .per_axis = true}},
          .refuses = [](const TermSetting& s) -> std::optional<TermRefusal> {
            if (has_direction(s, 1)) return {};
            return TermRefusal{"a muscle needs the direction of its fibres: n_x, n_y, (n_z)", ""};
          }};
}

std::optional<TermRefusal> refuse_shape(const TermSetting& s) {
  const bool needs = s.choice == "plane" || s.choice == "box" || (s.choice == "cylinder" && s.dim == 3);
  if (s.axisymmetric && s.choice != "plane" && s.numbers[RigidContact<2>::position] < 0)
    return TermRefusal{"an obstacle of an axisymmetric model is its planar shape rotated about the axis x = 0, and its centre is at x < 0", "give it an x >= 0: 0 on the axis"};
  if (!needs || has_direction(s, 4 + s.dim)) return {};
  return TermRefusal{"a " + s.choice + " needs n_x, n_y, (n_z)",
                     s.choice == "plane" ? "the outward normal" : s.choice == "box" ? "half its lengths" : "its axis"};
}

std::optional<TermRefusal> refuse_contact(const TermSetting& s) {
  if (!s.in_time) return TermRefusal{"contact by a penalty is for processes in time", "give 'time' a 'scheme', or use an 'obstacle'"};
  const auto formula = [](double number) { return std::isnan(number); };
  if (s.numbers[RigidContact<2>::friction] != 0 && std::any_of(s.numbers.begin() + RigidContact<2>::position, s.numbers.end(), formula))
    return TermRefusal{"friction depends on the obstacle's velocity, which is not known if its position is a formula",
                       "prescribe the motion of a region in 'boundary', e.g. of a body 'point', and name it as '" + std::string(carrier_key) + "'"};
  return refuse_shape(s);
}

std::optional<TermRefusal> refuse_obstacle(const TermSetting& s) {
  constexpr int friction = RigidContact<2>::friction;
  if (s.is_explicit)
    return TermRefusal{"the scheme of 'time' moves bodies by forces of the state before, and nothing keeps that motion outside an obstacle", "use an implicit scheme"};
  if (!s.in_time && s.numbers[friction] != 0)
    return TermRefusal{"friction depends on velocities, and this case is not a process in time", "give 'time' a 'scheme', with 'inertia: false' for slow processes"};
  return refuse_shape(s);
}

ObstacleShape shape_of(const std::string& word) {
  if (word == "plane") return ObstacleShape::plane;
  if (word == "sphere") return ObstacleShape::sphere;
  return word == "box" ? ObstacleShape::box : ObstacleShape::cylinder;
}

/// Coefficients of RigidContact, in its order. moves: position and direction may be formulas.
std::vector<TermParameter> obstacle_parameters(const ParamSpec& stiffness, const ParamSpec& width, bool moves) {
  return {{.spec = stiffness},
          {.spec = width},
          {.spec = {.key = "friction", .unit = "1", .doc = "Coulomb's friction coefficient", .default_value = 0, .lower = 0}},
          {.spec = {.key = "slip_speed", .unit = "m/s", .doc = "slip speed below which the friction is regularised: it falls smoothly to zero", .default_value = 0.001, .lower = 0, .lower_open = true}},
          {.spec = {.key = "", .unit = "m", .doc = "position: of a point on the plane, or of the centre, before anything moves,", .default_value = 0},
           .per_axis = true,
           .may_be_formula = moves},
          {.spec = {.key = "n_", .unit = "1 or m", .doc = "of a plane the outward normal, of a cylinder the axis, of a box half its length,", .default_value = 0},
           .per_axis = true,
           .may_be_formula = moves},
          {.spec = {.key = "radius", .unit = "m", .doc = "of a sphere or cylinder", .default_value = 0, .lower = 0}}};
}

TermChoice obstacle_shape() {
  return {.key = "obstacle",
          .doc = "its shape. In an axisymmetric model the planar shape is rotated about the axis: a plane becomes a floor or a cone, a sphere or cylinder a ball (x = 0) or a torus, a box a cylindrical punch or a ring",
          .words = {{"plane", "a half-space"}, {"sphere", "a ball"}, {"cylinder", "an infinite round bar; in the plane a disc"}, {"box", "with edges along the axes"}}};
}

TermRegion carrier() {
  return {.key = carrier_key,
          .doc = "a region of points or facets whose components are all prescribed in `boundary`: the obstacle translates by their mean displacement without rotation, and friction acts on the velocity relative to it. The region may be a body of type `point`; the force on the obstacle is the `reaction` there. Default: the obstacle is fixed"};
}

SolidLoad contact() {
  const TermSpec spec{
      .name = "contact",
      .doc = "Solid in time: contact of the surface with a rigid obstacle, by a smooth penalty with regularised Coulomb friction.",
      .parameters = obstacle_parameters({.key = "stiffness", .unit = "Pa/m", .doc = "pressure per depth", .lower = 0, .lower_open = true},
                                        {.key = "width", .unit = "m", .doc = "the pressure is quadratic for distances below this width, and linear at greater depth", .lower = 0, .lower_open = true}, true),
      .choice = obstacle_shape(),
      .other_region = carrier(),
      .refuses = &refuse_contact};
  return {spec, false, [](SolidKind kind, const TermSetting& s, CellBatches facets) {
            return make_rigid_contact(kind, shape_of(s.choice), std::move(facets), s.other_region);
          }};
}

SolidLoad obstacle() {
  ParamSpec stiffness = contact_parameters[0], distance = contact_parameters[1];
  const TermSpec spec{.name = "obstacle",
                      .doc = "Solid: contact of the surface with a rigid obstacle without penetration, by the barrier of the section `contact` with regularised Coulomb friction. It is evaluated at sample points of the surface, 8 per facet edge (second order: 16): the obstacle should be larger than their spacing. For other shapes, or obstacles that rotate, use a pair of that section with a body, or a surface without cells, whose nodes are prescribed.",
                      .parameters = obstacle_parameters(stiffness, distance, false),
                      .choice = obstacle_shape(),
                      .other_region = carrier(),
                      .refuses = &refuse_obstacle};
  return {spec, false, [](SolidKind kind, const TermSetting& s, CellBatches facets) {
            return make_obstacle_contact(kind, shape_of(s.choice), std::move(facets), s.other_region);
          }};
}

std::optional<TermRefusal> refuse_rotation(const TermSetting& s) {
  const auto given = [&](int first) { return std::any_of(s.numbers.begin() + first, s.numbers.begin() + first + s.dim, [](double n) { return n != 0; }); };
  if (s.dim == 3) {
    if (given(2 + s.dim)) return {};
    return TermRefusal{"a rotation in space needs the direction of its axis: n_x, n_y, n_z", ""};
  }
  if (given(2 + s.dim)) return TermRefusal{"in the plane the axis of a rotation is normal to it", "leave n_x and n_y out"};
  if (s.axisymmetric && given(2)) return TermRefusal{"an axisymmetric body rotates about its axis, x = 0", "leave x and y out"};
  return {};
}

SolidLoad centrifugal() {
  const TermSpec spec{
      .name = "centrifugal",
      .doc = "Solid: force of a rotation about a fixed axis, ρ ω² times the distance from it, in the frame that rotates. The distance is that of the designed body, unlike in a `body_force` whose formula reads places of the mesh as given. Without the forces of a changing speed and of motion in that frame.",
      .domain = TermSpec::Domain::cells,
      .parameters = {{.spec = {.key = "density", .unit = "kg/m^3", .doc = "mass per undeformed volume", .lower = 0}},
                     {.spec = {.key = "speed", .unit = "rad/s", .doc = "angular speed, to which statics grow in proportion: the force grows with its square"}, .may_be_formula = true, .grows = true},
                     {.spec = {.key = "", .unit = "m", .doc = "a point on the axis,", .default_value = 0}, .per_axis = true},
                     {.spec = {.key = "n_", .unit = "1", .doc = "in space, direction of the axis,", .default_value = 0}, .per_axis = true}},
      .choice = TermChoice{.key = "distance",
                           .doc = "whose distance from the axis counts",
                           .words = {{"undeformed", "of the undeformed body: for small strains"}, {"deformed", "of the deformed body, which the force deforms further"}}},
      .refuses = &refuse_rotation};
  return {spec, true, [](SolidKind kind, const TermSetting& s, CellBatches cells) { return make_centrifugal(kind, s.choice == "deformed", std::move(cells)); }};
}

SolidLoad muscle() {
  SolidLoad made = load<&make_active_stress>(muscle_term());
  made.active_stress = true;
  return made;
}

}  // namespace

std::span<const SolidLoad> solid_loads() {
  static const SolidLoad loads[] = {
      load<&make_traction>(traction_term(), true),
      load<&make_body_force>(body_force_term(), true),
      centrifugal(),
      load<&make_follower_pressure>(pressure_term()),
      spring_load<&make_elastic_foundation>(foundation()),
      load<&make_point_force>(point_force(), true),
      spring_load<&make_point_spring>(spring()),
      contact(),
      obstacle(),
      load<&make_coat_inertia>(mass()),
      muscle(),
  };
  return loads;
}

}  // namespace invar
