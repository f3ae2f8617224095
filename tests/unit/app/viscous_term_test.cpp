// The form of the viscous stress: balances that hold for any solution, and closed forms, tell which one is right.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// Creeping flow through a bent channel, driven by a pressure of 1 Pa. fluid: members of the material; rest: other sections.
std::string bent_channel(const std::string& fluid, const std::string& rest) {
  return R"spec(title: a bent channel
mesh: {grid: {columns: [{to: 3, cells: 8}], rows: [{to: 1, cells: 4}], y: "y*(1 + 0.3*sin(2*x))"}}
physics: {type: flow, kind: planar, equations: stokes}
materials: {oil: {)spec" + fluid + R"(}}
boundary: {left: {u_y: 0}, right: {u_y: 0}, bottom: {no_slip: true}, top: {no_slip: true}}
loads: {push: {type: pressure, region: left, p: 1}}
)" + rest;
}

const std::string power = "output: {fields: none, quantities: {lost: {type: dissipation}, rate: {type: flow_rate, region: right}}}\n";

// The power of the pressure is dissipated, p Q = ∫ 2 μ ε:ε, if the stress is 2 μ ε.
TEST(ViscousTerm, ThePowerOfThePressureIsDissipated) {
  const Workplace here;
  const json q = results_when_solved(here, bent_channel("model: carreau, density: 1, viscosity_zero: 1, viscosity_inf: 0.1, relaxation_time: 20, exponent: 0.3", power))["quantities"];
  EXPECT_NEAR(q["lost"].get<double>() / q["rate"].get<double>(), 1, 1e-9);  // with μ ∇u 1.017
}

// The drag of a spherical bubble is 4 π μ R U, with the exact velocity (Hadamard and Rybczynski) on a sphere of five times its radius.
TEST(ViscousTerm, ACurvedWallThatSlipsCarriesNoShear) {
  const Workplace here;
  const json q = results_when_solved(here, R"spec(title: a bubble
mesh:
  grid:
    from: [1, 0]
    columns: [{to: 5, cells: 6, first: 0.25}]
    rows: [{to: 3.141592653589793, cells: 8}]
    x: x*sin(y)
    y: -x*cos(y)
physics: {type: flow, kind: axisymmetric, equations: stokes}
materials: {w: {model: newtonian, density: 1, viscosity: 0.5}}
boundary:
  left_bottom: {p: 0}
  bottom: {u_x: 0}
  top: {u_x: 0}
  right: {u_x: "-x*y/(x*x+y*y)/(2*sqrt(x*x+y*y))", u_y: "1 - 1/(2*sqrt(x*x+y*y)) - y*y/(x*x+y*y)/(2*sqrt(x*x+y*y))"}
loads: {surface: {type: slip, region: left, penalty: 1e4}}
output: {fields: none, quantities: {drag: {type: force, region: left, direction: [0, 1]}}}
)spec")["quantities"];
  EXPECT_NEAR(q["drag"].get<double>() / (2 * std::numbers::pi), 1, 0.005);  // with μ ∇u 0.74
}

TEST(ViscousTerm, AConstantViscosityIsNeededForTheGradient) {
  const auto gradient = [](std::string spec) { return spec.replace(spec.find("equations: stokes"), 17, "viscous_term: gradient"); };
  const std::vector<std::string> words = {"spec.yaml:3:51: error: 'gradient' is for a constant viscosity", "use 'stress' or 'auto'"};
  expect_refused(gradient(bent_channel("model: power_law, density: 1, consistency: 1, exponent: 0.5, rate_floor: 0.01", power)), words);
  expect_refused(gradient(bent_channel("model: newtonian, density: 1, viscosity: 1",
                                       "objective: [{type: dissipation}]\ndesign: [{kind: field, variable: materials.oil.viscosity, radius: 1}]\n")),
                 words);
}

// A fluid that turns like a rigid body is without stress, and in uniform strain the stress is uniform: on any part of the boundary.
TEST(ViscousTerm, ForcesOnPartsOfABoundaryThatMovesAreThoseOfTheStress) {
  const auto forces = [](const std::string& mesh, const std::string& physics, const std::string& boundary, const std::string& quantities) {
    const Workplace here;
    return results_when_solved(here, "title: a block of fluid\nmesh: " + mesh + "\nphysics: {type: flow, equations: stokes, viscous_term: gradient, " + physics +
                                         "}\nmaterials: {oil: {model: newtonian, density: 1, viscosity: 0.5}}\nboundary: {" + boundary +
                                         "}\noutput: {fields: none, quantities: {" + quantities + "}}\n")["quantities"];
  };
  for (const char* elements : {"taylor_hood", "equal_order"}) {
    const std::string by = std::string(", elements: ") + elements, turns = "{u_x: \"-3*y\", u_y: \"3*x\"}", turns_3d = "{u_x: \"2*z - 3*y\", u_y: \"3*x - z\", u_z: \"y - 2*x\"}";
    const json plane = forces("{rectangle: {to: [2, 1], cells: [2, 1]}}", "kind: planar" + by,
                              "left: " + turns + ", right: " + turns + ", bottom: " + turns + ", top: " + turns + ", left_bottom: {p: 0}",
                              "force: {type: force, region: right, direction: [1, 2]}, moment: {type: moment, region: top}");
    const json space = forces("{box: {to: [2, 1, 1], cells: [2, 2, 2]}, regions: {rest: [left, bottom, top, back, front]}}", "kind: spatial" + by,
                              "rest: " + turns_3d + ", right: " + turns_3d + ", left_bottom_back: {p: 0}",
                              "force: {type: force, region: right, direction: [1, 1, 2]}, moment: {type: moment, region: front, axis: [1, 0, 2]}");
    for (const json* q : {&plane, &space})
      for (const json& value : *q) EXPECT_NEAR(value.get<double>(), 0, 1e-10);
    const std::string strains = "{u_x: \"x\", u_y: \"-2*y\"}";  // σ_yy = -4 μ
    const json round = forces("{rectangle: {to: [1, 1], cells: [2, 2]}}", "kind: axisymmetric" + by,
                              "left: {u_x: 0}, right: " + strains + ", bottom: " + strains + ", top: " + strains + ", left_bottom: {p: 0}",
                              "top: {type: force, region: top, direction: [0, 1]}, side: {type: force, region: right, direction: [0, 1]}");
    EXPECT_NEAR(round["top"], 2 * std::numbers::pi, 1e-9);
    EXPECT_NEAR(round["side"], 0, 1e-9);
  }
}

// A stirrer in a square vessel: the moments on both add up to zero in creeping flow, and its power is dissipated.
TEST(ViscousTerm, MomentsOnWallsThatTurnAreInBalance) {
  const Workplace here;
  const json q = results_when_solved(here, R"(title: a stirrer
mesh:
  rectangle: {from: [-1, -1], to: [1, 1], cells: [12, 12]}
  holes: {stirrer: {from: [-0.5, -0.3333333333], to: [0.5, 0.3333333333]}}
  regions: {vessel: [left, right, bottom, top]}
physics: {type: flow, kind: planar, equations: stokes, viscous_term: gradient}
materials: {oil: {model: newtonian, density: 1, viscosity: 1}}
boundary:
  vessel: {u_x: "0.3*y", u_y: "-0.3*x"}
  stirrer: {u_x: "-0.5*y", u_y: "0.5*x"}
  left_bottom: {p: 0}
output:
  fields: none
  quantities:
    inner: {type: moment, region: stirrer}
    outer: {type: moment, region: vessel, point: [7, 3, 0]}
    pressed: {type: moment, region: stirrer, part: pressure}
    sheared: {type: moment, region: stirrer, part: viscous}
    lost: {type: dissipation}
)")["quantities"];
  const double inner = q["inner"];
  EXPECT_NEAR(q["outer"], -inner, 1e-9);  // no resulting force: the point does not matter
  EXPECT_NEAR(q["pressed"].get<double>() + q["sheared"].get<double>(), inner, 1e-12);
  EXPECT_NEAR(q["lost"].get<double>() / (-0.8 * inner), 1, 0.03);  // singular at corners; without μ (∇u)ᵀ n 1.25
}

}  // namespace
}  // namespace invar::test
