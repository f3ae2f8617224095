// Fluid-structure interaction around an axis and in space: against closed solutions and against the plane.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A soft block in a channel, in the plane or one layer of cells deep between planes of symmetry.
std::string block_in_channel(bool deep, const std::string& shape, const std::string& more) {
  const char* const inside = "x > 0.8 && x < 1.6 && y < 0.5";
  return std::string("title: a soft block in a channel\nmesh:\n  ") +
         (deep ? "box: {to: [2.4, 1, 0.3], cells: [3, 2, 1], shape: " : "rectangle: {to: [2.4, 1], cells: [3, 2], shape: ") + shape + "}\n" +
         "  parts: {block: \"" + inside + " ? 1 : -1\", water: \"" + inside + " ? -1 : 1\"}\n" +
         "physics: {type: fsi, kind: " + (deep ? "spatial" : "planar") + "}\n" +
         "materials:\n"
         "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
         "  gel: {model: neo_hookean, region: block, young: 60, poisson: 0.4, density: 2" + (more.find("time:") != std::string::npos ? ", shear_viscosity: 0.5" : "") + "}\n"
         "boundary:\n" +
         (deep ? "  back: {v_z: 0, d_z: 0}\n  front: {v_z: 0, d_z: 0}\n" : "") +
         "  left: {v_x: \"4*y*(1 - y)\", v_y: 0" + (deep ? ", v_z: 0" : "") + "}\n"
         "  top: {no_slip: true}\n"
         "  bottom: {no_slip: true, clamped: true}\n" + more;
}

std::string numbers_of_block(bool deep) {
  const char* const z = deep ? ", 0" : "";
  return std::string("output:\n  fields: none\n  quantities:\n") +
         "    tip: {type: point, point: [1.6, 0.5" + z + "], component: d_x}\n"
         "    height: {type: point, point: [0.8, 0.5" + z + "], component: d_y}\n"
         "    drag: {type: force, region: block, direction: [1, 0" + z + "]}\n"
         "    moment: {type: moment, region: block, point: [1, 0.1, 0]}\n"
         "    stored: {type: stored_energy}\n"
         "    heat: {type: dissipation}\n"
         "    kinetic: {type: kinetic_energy}\n";
}

const char* const outlet = "loads: {out: {type: pressure, region: right, p: 0.1}, wind: {type: body_force, region: water, y: -0.2}}\n";

TEST(FsiSpace, AnExtrudedChannelIsThePlanarOne) {
  for (const std::string time : {"", "time: {scheme: bdf2, end: 0.3, steps: 3}\n"}) {
    SCOPED_TRACE(time);
    const Workplace here, there;
    const nlohmann::json plane = results_when_solved(here, block_in_channel(false, "quadrilateral", outlet + time + numbers_of_block(false)))["quantities"];
    const nlohmann::json space = results_when_solved(there, block_in_channel(true, "hexahedron", outlet + time + numbers_of_block(true)))["quantities"];
    EXPECT_GT(std::abs(plane["tip"].get<double>()), 1e-3);
    for (const char* name : {"tip", "height"}) EXPECT_NEAR(space[name].get<double>(), plane[name].get<double>(), 1e-9) << name;
    for (const char* name : {"drag", "moment", "stored", "heat", "kinetic"}) {
      const double per_depth = plane[name];
      EXPECT_NEAR(space[name].get<double>(), 0.3 * per_depth, 1e-8 * std::abs(per_depth)) << name;
    }
  }
}

/// A tube of Hooke's material under pressure, between ends that slide: how far its inside moves. filled: with a fluid at rest
/// that has the pressure, else as a body alone.
double widening(bool filled) {
  const Workplace here;
  const std::string letter = filled ? "d" : "u";
  const std::string spec =
      filled ? "title: a tube around a fluid\n"
               "mesh:\n"
               "  rectangle: {to: [2, 1], cells: [16, 4], shape: triangle}\n"
               "  parts: {lumen: \"x < 1 ? 1 : -1\", wall: \"x < 1 ? -1 : 1\"}\n"
               "physics: {type: fsi, kind: axisymmetric}\n"
               "materials:\n"
               "  water: {model: newtonian, region: lumen, density: 1, viscosity: 1}\n"
               "  steel: {model: linear_elastic, region: wall, young: 1000, poisson: 0.3}\n"
               "boundary:\n"
               "  left: {v_x: 0, d_x: 0}\n"
               "  bottom: {v_y: 0, d_y: 0}\n"
               "  top: {v_y: 0, d_y: 0}\n"
               "  left_bottom: {p: 2}\n"
             : "title: a tube under pressure\n"
               "mesh:\n"
               "  rectangle: {from: [1, 0], to: [2, 1], cells: [8, 4], shape: triangle}\n"
               "physics: {type: solid, kind: axisymmetric}\n"
               "materials:\n"
               "  steel: {model: linear_elastic, young: 1000, poisson: 0.3}\n"
               "boundary:\n"
               "  bottom: {u_y: 0}\n"
               "  top: {u_y: 0}\n"
               "loads: {inside: {type: pressure, region: left, p: 2}}\n";
  return results_when_solved(here, spec + "output: {fields: none, quantities: {inside: {type: point, point: [1, 0.5], component: " + letter + "_x}}}\n")["quantities"]["inside"];
}

TEST(FsiSpace, ATubeUnderPressureWidensAsLameSays) {
  // Plane strain, radii 1 and 2, p/E = 0.002: u(1) = (1 + ν) p/E (1 − 2ν + b²/a²) a³/(b² − a²). The pressure acts on the
  // wall where it is, which has more area by u.
  const double linear = 1.3 * 0.002 * (1 - 0.6 + 4) / 3, expected = linear / (1 - linear), filled = widening(true);
  EXPECT_NEAR(filled, expected, 2e-4 * expected);
  EXPECT_NEAR(filled, widening(false), 1e-9 * expected);
}

const char* const designed =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: boundary.left.factor}\n"
    "  - {variable: loads.wind.y}\n";

TEST(FsiSpace, DerivativesAreExactInSpace) {
  expect_certified(block_in_channel(true, "tetrahedron", std::string(outlet) + "time: {scheme: bdf2, end: 0.2, steps: 2}\n" + designed +
                                                  "objective:\n"
                                                  "  - {type: point, point: [1.6, 0.5, 0], component: d_x, target: 0.1}\n"
                                                  "  - {type: force, region: block, direction: [1, 0, 0], target: 1}\n"
                                                  "  - {type: moment, region: block, axis: [0.3, -0.2, 1], point: [1, 0, 0.1]}\n"
                                                  "  - {type: power, region: block}\n"
                                                  "  - {type: dissipation}\n"));
}

TEST(FsiSpace, DerivativesAreExactInSpaceAtRest) {
  expect_certified(block_in_channel(true, "tetrahedron", std::string(outlet) + designed + "objective:\n  - {type: point, point: [1.6, 0.5, 0], component: d_x, target: 0.1}\n"
                                                         "  - {type: force, region: block, direction: [1, 0, 0], target: 1}\n"));
}

// The upper half of the block is a rigid part.
TEST(FsiSpace, DerivativesOfARigidHeadAreExact) {
  const char* const within = "x > 0.8 && x < 1.6 && y < 0.5";
  expect_certified(std::string("title: a soft block with a rigid head in a channel\n"
                               "mesh:\n  box: {to: [2.4, 1, 0.3], cells: [3, 4, 1], shape: tetrahedron}\n  parts: {block: \"") + within + " && y < 0.25 ? 1 : -1\", head: \"" + within +
                   " && y > 0.25 ? 1 : -1\", water: \"" + within + " ? -1 : 1\"}\n"
                   "physics: {type: fsi, kind: spatial}\n"
                   "materials:\n"
                   "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
                   "  gel: {model: neo_hookean, region: block, young: 60, poisson: 0.4, density: 2}\n"
                   "  stiff: {model: neo_hookean, region: head, young: 600, poisson: 0.4, density: 2}\n"
                   "rigid: {top: {region: head}}\n"
                   "boundary:\n  back: {v_z: 0, d_z: 0}\n  front: {v_z: 0, d_z: 0}\n  left: {v_x: \"4*y*(1 - y)\", v_y: 0, v_z: 0}\n  top: {no_slip: true}\n  bottom: {no_slip: true, clamped: true}\n" +
                   outlet + "time: {scheme: bdf2, end: 0.2, steps: 2}\n" + designed + "objective:\n  - {type: point, point: [1.6, 0.25, 0], component: d_x, target: 0.1}\n  - {type: tie, tie: top.x}\n");
}

/// A soft nozzle: a ring in a pipe, pushed by the flow through it.
std::string nozzle(const std::string& more) {
  return "title: a soft ring in a pipe\n"
         "mesh:\n"
         "  rectangle: {to: [1, 2], cells: [4, 6], shape: triangle}\n"
         "  parts: {ring: \"x > 0.5 && y > 0.6 && y < 1.1 ? 1 : -1\", water: \"x > 0.5 && y > 0.6 && y < 1.1 ? -1 : 1\"}\n"
         "physics: {type: fsi, kind: axisymmetric}\n"
         "materials:\n"
         "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
         "  gel: {model: neo_hookean, region: ring, young: 60, poisson: 0.4, density: 2}\n"
         "boundary:\n"
         "  left: {v_x: 0, d_x: 0}\n"
         "  bottom: {v_x: 0, v_y: \"1 - x*x\"}\n"
         "  top: {v_x: 0}\n"
         "  right: {no_slip: true, clamped: true}\n" + more;
}

const char* const nozzle_goals =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: boundary.bottom.factor}\n"
    "objective:\n"
    "  - {type: point, point: [0.5, 1], component: d_y, target: 0.1}\n"
    "  - {type: force, region: ring, direction: [0, 1], target: 1}\n"
    "  - {type: kinetic_energy}\n"
    "  - {type: stored_energy, weight: 10}\n"
    "  - {type: dissipation}\n";

TEST(FsiSpace, DerivativesAreExactAroundAnAxis) {
  expect_certified(nozzle(nozzle_goals));
  expect_certified(nozzle(std::string("time: {scheme: bdf2, end: 0.2, steps: 2}\n") + nozzle_goals + "  - {type: power, region: ring}\n"));
}

TEST(FsiSpace, RanksAgreeInSpace) {
  const Workplace here;
  here.write("spec.yaml", block_in_channel(true, "tetrahedron", std::string(outlet) + "time: {scheme: bdf2, end: 0.2, steps: 2}\n" + designed +
                                                         "objective:\n"
                                                         "  - {type: point, point: [1.6, 0.5, 0], component: d_x, target: 0.1}\n"
                                                         "  - {type: moment, region: block, axis: [0.3, -0.2, 1], point: [1, 0, 0.1]}\n"
                                                         "  - {type: power, region: block}\n"));
  const auto on_ranks = [&](int ranks) {
    const Ended end = here.invar({"gradient", "spec.yaml", "--out", std::to_string(ranks)}, ranks);
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / std::to_string(ranks) / "gradient.json");
  };
  const nlohmann::json one = on_ranks(1), two = on_ranks(2);
  const double J = one["objective"];
  EXPECT_NEAR(two["objective"].get<double>(), J, 1e-10 * std::abs(J));
  double size = 0;
  for (const auto& [name, v] : one["variables"].items()) size = std::max(size, std::abs(v["scaled_derivative"].get<double>()));
  for (const auto& [name, v] : one["variables"].items()) {
    const double derivative = v["scaled_derivative"];
    EXPECT_NEAR(two["variables"][name]["scaled_derivative"].get<double>(), derivative, 1e-9 * std::abs(derivative) + 1e-12 * size) << name;
  }
}

}  // namespace
}  // namespace invar::test
