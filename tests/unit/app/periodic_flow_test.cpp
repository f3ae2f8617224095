// Flow between periodic sides that a mean gradient of the pressure drives: closed forms, forces, derivatives, mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

constexpr double mean_slope = 0.3, period = 0.7, oil_viscosity = 0.05, corner_pressure = 3;

/// Between walls at y = 0 and y = 1, with the pressure 3 Pa at the lower left corner.
std::string endless_duct(const std::string& tie, const std::string& more = "", const std::string& elements = "taylor_hood") {
  return "title: a channel\nmesh: {rectangle: {to: [0.7, 1], cells: [3, 8]}}\nphysics: {type: flow, kind: planar, elements: " + elements +
         "}\nmaterials: {oil: {model: newtonian, density: 2, viscosity: 0.05}}\n"
         "boundary: {bottom: {no_slip: true}, top: {no_slip: true}, left_bottom: {p: 3}}\nties:\n  cell: {type: periodic, sides: [[left, right]]" + tie + more;
}
const char* const duct_numbers = R"(output:
  fields: none
  quantities:
    u: {type: point, point: [0.3, 0.5], component: u_x}
    p: {type: point, point: [0.7, 0.5], component: p}
    top: {type: force, region: top, direction: [1, 0]}
    bottom: {type: force, region: bottom, direction: [1, 0]}
    turn: {type: moment, region: top}
    left: {type: force, region: left, direction: [1, 0]}
    right: {type: force, region: right, direction: [1, 0]}
    lost: {type: dissipation}
)";

json duct_quantities(const std::string& spec) {
  const Workplace here;
  return results_when_solved(here, spec)["quantities"];
}

// Poiseuille's flow, and what the walls and the neighbouring cells feel.
TEST(PeriodicFlow, AMeanPressureGradientDrivesIt) {
  const double rate = mean_slope / (12 * oil_viscosity);
  const auto check = [&](const json& q, double rise, bool sides = true) {
    EXPECT_NEAR(q["u"], mean_slope / (8 * oil_viscosity), 1e-9);
    EXPECT_NEAR(q["p"], corner_pressure + rise, 1e-9);
    EXPECT_NEAR(q["top"], mean_slope * period / 2, 1e-9);
    EXPECT_NEAR(q["bottom"], mean_slope * period / 2, 1e-9);
    EXPECT_NEAR(q["lost"], mean_slope * period * rate, 1e-9);
    if (!sides) return;
    EXPECT_NEAR(q["left"], -corner_pressure, 1e-9);
    EXPECT_NEAR(q["right"], corner_pressure + rise, 1e-9);
  };
  const json driven = duct_quantities(endless_duct(", p_x: -0.3}\n", duct_numbers));
  check(driven, -mean_slope * period);
  // On the upper wall, at a height of 1 m: friction, and a pressure that falls from 3 Pa.
  EXPECT_NEAR(driven["turn"], -mean_slope * period / 2 + corner_pressure * period * period / 2 - mean_slope * std::pow(period, 3) / 3, 1e-9);
  check(duct_quantities(endless_duct("}\nloads: {push: {type: body_force, x: 0.3}}\n", duct_numbers)), 0);
  // The mean velocity is given, and the force that it needs is distributed like a body force.
  check(duct_quantities(endless_duct("}\n  speed: {type: mean, region: body, u_x: 0.5}\n", duct_numbers)), 0, false);
}

TEST(PeriodicFlow, AMeanPressureGradientDrivesEveryKind) {
  const json first = duct_quantities(endless_duct(", p_x: -0.3}\n", duct_numbers, "equal_order"));
  EXPECT_NEAR(first["top"], mean_slope * period / 2, 1e-9);
  EXPECT_NEAR(first["u"], mean_slope / (8 * oil_viscosity), 1e-9);  // at a node
  const json pipe = duct_quantities("title: a pipe\nmesh: {rectangle: {to: [1, 0.3], cells: [4, 2]}}\nphysics: {type: flow, kind: axisymmetric}\n"
                                  "materials: {oil: {model: newtonian, density: 2, viscosity: 0.5}}\n"
                                  "boundary: {left: {u_x: 0}, right: {no_slip: true}, left_bottom: {p: 0}}\n"
                                  "ties: {cell: {type: periodic, sides: [[bottom, top]], p_y: -1}}\n"
                                  "output: {fields: none, quantities: {q: {type: flow_rate, region: top}, wall: {type: force, region: right, direction: [0, 1]}}}\n");
  EXPECT_NEAR(pipe["q"], std::numbers::pi / (8 * 0.5), 1e-9);
  EXPECT_NEAR(pipe["wall"], std::numbers::pi * 0.3, 1e-9);
  // Over a stiff layer of gel, which periodic sides of its own go through.
  const json layer = duct_quantities("title: a layer\nmesh:\n  grid:\n    columns: [{to: 0.7, cells: 3}]\n"
                                   "    rows: [{to: 1, cells: 8, left: wet_left, right: wet_right}, {to: 1.2, cells: 2, left: gel_left, right: gel_right}]\n"
                                   "  parts: {water: \"1 - y\", gel: \"y - 1\"}\nphysics: {type: fsi}\n"
                                   "materials:\n  oil: {model: newtonian, region: water, density: 2, viscosity: 0.05}\n"
                                   "  gel: {model: neo_hookean, region: gel, young: 1e5, poisson: 0.3}\n"
                                   "boundary: {bottom: {no_slip: true}, top: {clamped: true}, left_bottom: {p: 3}}\n"
                                   "ties: {cell: {type: periodic, sides: [[wet_left, wet_right], [gel_left, gel_right]], p_x: -0.3}}\n"
                                   "output:\n  fields: none\n  quantities:\n    u: {type: point, point: [0.3, 0.5], component: v_x}\n"
                                   "    pull: {type: force, region: gel, direction: [1, 0]}\n    below: {type: force, region: bottom, direction: [1, 0]}\n");
  EXPECT_NEAR(layer["u"], mean_slope / (8 * oil_viscosity), 1e-4);
  EXPECT_NEAR(layer["pull"], mean_slope * period / 2, 1e-5);
  EXPECT_NEAR(layer["below"], mean_slope * period / 2, 1e-5);
}

// Along time, with a wall that is designed.
TEST(PeriodicFlow, DerivativesByTheMeanPressureGradientAreExact) {
  const Workplace here;
  here.write("spec.yaml", endless_duct(", p_x: \"-0.3*(1 + 0.3*sin(3*t))\"}\n",
                                  "time: {scheme: bdf2, step: 0.25, end: 0.5}\ndesign:\n  - {variable: ties.cell.factor}\n"
                                  "  - {kind: ffd, region: top, from: [0.1, 0.5], to: [0.6, 1.01], points: [4, 2], moves: [y], frozen: [1, 1, 1, 0], largest: 0.2}\n"
                                  "objective:\n  - {type: flow_rate, region: right}\n  - {type: force, region: top, direction: [1, 0.4]}\n"
                                  "  - {type: force, region: left, direction: [1, 0.2]}\n  - {type: moment, region: bottom}\n"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(PeriodicFlow, WhatDrivesNothingIsNamed) {
  expect_refused(endless_duct(", p_x: free}\n"), {"the mean gradient of the pressure drives the flow, and cannot be free"});
  expect_refused(endless_duct(", p_x: -0.3}\n", "output: {quantities: {q: {type: tie, tie: cell.p_x, of: force}}}\n"), {"no conjugate force"});
  std::string split = endless_duct(", p_x: -0.3}\n", "time: {scheme: pressure_correction, step: 0.1, end: 0.2}\n");
  expect_refused(split.replace(split.find("p: 3"), 4, "p: 0"), {"body_force of minus that gradient"});
  expect_refused("title: a block\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: solid, kind: plane_strain, formulation: mixed}\n"
                 "materials:\n  rubber: {model: neo_hookean_isochoric, mu: 100, incompressible: true}\nboundary:\n  left_bottom: {u_x: 0, u_y: 0}\n"
                 "ties:\n  cell: {type: periodic, sides: [[left, right]], p_x: 1}\n",
                 {"the pressure of a periodic solid has no mean gradient"});
}

}  // namespace
}  // namespace invar::test
