// Turbulent flow by the program: its kinds against each other and against measured pipes, in time, its messages.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

/// Air that enters a duct of width 1 evenly, at a Reynolds number of 2e4: walls, and what one edit may change.
std::string duct(const std::string& mesh, const std::string& kind, const std::string& boundary, const std::string& more) {
  return "title: a duct\nmesh: " + mesh + "\nphysics: {type: flow, kind: " + kind +
         ", elements: equal_order, turbulence: spalart_allmaras}\n"
         "materials:\n  air: {model: newtonian, density: 1, viscosity: 5e-5}\nboundary:\n" + boundary + more;
}
std::string planar(const std::string& more, const std::string& inlet = "{u_x: 0, u_y: 1, chi: 3}", const std::string& walls = "{no_slip: true}") {
  return duct("{rectangle: {to: [1, 4], cells: [16, 8], grading: [20, 1]}, regions: {walls: [left, right]}}", "planar",
              "  bottom: " + inlet + "\n  walls: " + walls + "\n", more);
}
const std::string numbers = R"(output:
  fields: none
  quantities:
    loss: {type: total_pressure_loss, from: bottom, to: top}
    fastest: {type: extremum, component: u_y, region: all, kind: max}
    most: {type: extremum, component: chi, region: all, kind: max}
)";

nlohmann::json results_of(const Workplace& here, const std::string& spec, const std::string& verb = "run") {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({verb, "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json")["quantities"] : nlohmann::json();
}

// In space between planes of symmetry far apart, and around an axis far away, the flow is that of the plane.
TEST(TurbulentFlow, IsTheSameInThePlaneInSpaceAndFarFromAnAxis) {
  const Workplace here;
  const nlohmann::json plane = results_of(here, planar(numbers));
  const nlohmann::json space = results_of(
      here, duct("{box: {to: [1, 4, 1000], cells: [16, 8, 1], grading: [20, 1, 1]}, regions: {walls: [left, right], sides: [back, front]}}", "spatial",
                 "  bottom: {u_x: 0, u_y: 1, u_z: 0, chi: 3}\n  walls: {no_slip: true}\n  sides: {u_z: 0}\n", numbers));
  const nlohmann::json ring = results_of(
      here, duct("{rectangle: {from: [1e5, 0], to: [100001, 4], cells: [16, 8], grading: [20, 1]}, regions: {walls: [left, right]}}", "axisymmetric",
                 "  bottom: {u_x: 0, u_y: 1, chi: 3}\n  walls: {no_slip: true}\n", numbers));
  for (const char* q : {"loss", "fastest", "most"}) {
    EXPECT_GT(plane[q], 0.01) << q;
    EXPECT_NEAR(space[q].get<double>() / plane[q].get<double>(), 1, 1e-4) << q;
    EXPECT_NEAR(ring[q].get<double>() / plane[q].get<double>(), 1, 1e-4) << q;
  }
}

// Prandtl's law of friction in smooth pipes (as in H. Schlichting, Boundary-Layer Theory, ch. 20) at a Reynolds number
// of 1e5.
TEST(TurbulentFlow, FrictionInAPipe) {
  const Workplace here;
  const nlohmann::json q = results_of(here, R"(title: a pipe
mesh:
  grid:
    columns: [{to: 0.5, cells: 40, last: 2e-4}]
    rows: [{to: 100, cells: 50, first: 0.1}]
physics: {type: flow, kind: axisymmetric, elements: equal_order, turbulence: spalart_allmaras}
materials:
  air: {model: newtonian, density: 1, viscosity: 1e-5}
boundary:
  bottom: {u_x: 0, u_y: 1, chi: 3}
  left: {u_x: 0}
  right: {no_slip: true}
output:
  fields: none
  quantities:
    friction: {type: wall_shear, region: right, kind: point, point: [0.5, 80]}
    earlier: {type: wall_shear, region: right, kind: point, point: [0.5, 70]}
)");
  const double f = 8 * q["friction"].get<double>();
  EXPECT_NEAR(q["earlier"].get<double>() * 8, f, 0.01 * f);
  EXPECT_NEAR(1 / std::sqrt(f), 2 * std::log10(1e5 * std::sqrt(f)) - 0.8, 0.03 / std::sqrt(f));
}

// A process that begins with the steady flow remains there; from other initial states it converges to it.
TEST(TurbulentFlow, InTimeEndsWhereSteadyFlowIs) {
  const Workplace here;
  const nlohmann::json steady = results_of(here, planar(numbers));
  for (const char* time : {"time: {scheme: bdf2, steps: 2, end: 0.2, begin_with: equilibrium}\n",
                           "time: {scheme: backward_euler, steps: 40, end: 200}\ninitial:\n  all: {u_y: 1, chi: 3}\n"}) {
    const nlohmann::json marched = results_of(here, planar(time + numbers));
    for (const char* q : {"loss", "fastest", "most"}) EXPECT_NEAR(marched[q].get<double>() / steady[q].get<double>(), 1, 1e-6) << q << " " << time;
  }
}

// Constants of the model and a field of multipliers of the production (field inversion).
TEST(TurbulentFlow, ConstantsAndAFieldOfProductionAreDesigned) {
  const Workplace here;
  here.write("spec.yaml", planar(R"(design:
  - {variable: materials.air.cb1, lower: 0.1, upper: 0.2}
  - {variable: materials.air.kappa, lower: 0.3, upper: 0.5}
  - {variable: boundary.bottom.chi, lower: 1, upper: 10}
  - {kind: field, variable: materials.air.production_multiplier, radius: 0.3, scale: linear, lower: 0.5, upper: 1.5}
objective:
  - {type: total_pressure_loss, from: bottom, to: top}
output: {fields: none}
)"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_TRUE(end.out.find("switch formulas at the first step") != std::string::npos ||
              end.out.find("no point switches formulas") != std::string::npos)
      << end.out;
}

TEST(TurbulentFlow, MeshesThatDoNotResolveWallsAreTold) {
  const Workplace here;
  const std::string coarse = planar("output: {fields: none}\n");
  here.write("spec.yaml", coarse);
  const Ended warned = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(warned.code, 0);
  EXPECT_NE(warned.said().find("wall 'walls': y+ reaches"), std::string::npos) << warned.said();
  std::string fine = coarse;
  fine.replace(fine.find("cells: [16, 8], grading: [20, 1]"), 32, "cells: [30, 8], grading: [90, 1]");
  here.write("spec.yaml", fine);
  const Ended silent = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(silent.code, 0);
  EXPECT_EQ(silent.said().find("y+"), std::string::npos) << silent.said();
}

TEST(FlowRun, FreeStreamsNearALiftingBodyAreTold) {
  const Workplace here;
  const auto said = [&](const std::string& radius) {
    here.write("spec.yaml", "title: an airfoil\nmesh:\n  airfoil: {naca: \"0012\", first: 0.01, around: 32, wake: 10, normal: 24, leading: 0.02, trailing: 0.02, radius: " + radius +
                                "}\nphysics: {type: flow, kind: planar, elements: equal_order}\n"
                                "materials:\n  air: {model: newtonian, density: 1, viscosity: 0.01}\n"
                                "boundary:\n  inlet: {speed: 1, angle: 4}\n  airfoil: {no_slip: true}\noutput: {fields: none}\n");
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.said();
  };
  EXPECT_NE(said("10").find("the free stream 'inlet' is prescribed"), std::string::npos);
  EXPECT_EQ(said("120").find("the free stream"), std::string::npos);
}

TEST(TurbulentFlow, Mistakes) {
  const auto laminar = [](const char* physics, const char* material) {
    return std::string("title: a channel\nmesh: {rectangle: {to: [2, 1], cells: [2, 1]}}\nphysics: {type: flow, kind: planar") + physics +
           "}\nmaterials:\n  air: {model: newtonian, density: 1, viscosity: 1" + material + "}\nboundary:\n  left: {u_x: 1, u_y: 0}\n  top: {no_slip: true}\n";
  };
  expect_refused(laminar("", ", cb1: 0.2"), {"spec.yaml:5:", "'cb1' is for turbulent flow, and this flow is laminar"});
  expect_refused(laminar(", wall_distance: [top]", ""), {"spec.yaml:3:", "'wall_distance' is for turbulent flow"});
  expect_refused(laminar(", discontinuity_capturing: 1", ""), {"spec.yaml:3:", "'discontinuity_capturing' is for turbulent flow"});
  expect_refused(planar("", "{u_x: 0, u_y: 1, chi: 3}", "{u_x: 0, u_y: 0}"),
                 {"spec.yaml:3:", "the turbulence model needs the distance to the nearest wall, and the case", "has no wall", "no_slip: true"});
  expect_refused(planar("", "{u_x: 0, u_y: 1, chi: -1}"), {"spec.yaml:7:", "'chi' must not be negative", "3 to 5"});
  expect_refused(planar("", "{u_x: 0, u_y: 1, chi: x - 0.5}"), {"spec.yaml:7:", "'chi' must not be negative"});
  expect_refused(planar("", "{u_x: 0, u_y: 1, chi: 3}", "{no_slip: true, chi: 3}"), {"chi is 0 at walls", "leave it out"});
  expect_refused(planar("time: {scheme: bdf2, steps: 2, end: 1}\ninitial:\n  all: {chi: -2}\n"), {"spec.yaml:11:", "'chi' must not be negative"});
  expect_refused(planar("time: {scheme: bdf2, steps: 2, end: 1, convection: linearised}\n"),
                 {"stabilised elements of equal order are integrated by implicit steps only", "use 'convection: implicit'"});
  const auto with = [](const std::string& q) { return planar("output:\n  fields: none\n  quantities:\n    q: " + q + "\n"); };
  expect_refused(with("{type: wall_shear, region: walls, kind: point}"), {"'kind: point' and 'point' belong together", "add 'point'"});
  expect_refused(with("{type: wall_shear, region: walls, kind: max, give: cf}"), {"'cf' is the shear divided by the dynamic pressure", "add 'stream'"});
}

// What drives a developed flow is lost, most of it to turbulence.
TEST(TurbulentFlow, DissipationIsThePowerThatDrivesTheFlow) {
  const std::string channel = duct("{grid: {columns: [{to: 0.5, cells: 2}], rows: [{to: 1, cells: 24, first: 0.004}]}}", "planar",
                                   "  bottom: {no_slip: true}\n  top: {u_y: 0}\n  left_top: {p: 0}\n",
                                   "loads: {push: {type: body_force, x: 2e-3}}\nties: {cell: {type: periodic, sides: [[left, right]]}}\n"
                                   "output:\n  fields: none\n  quantities:\n    lost: {type: dissipation}\n    rate: {type: flow_rate, region: right}\n");
  const Workplace here;
  const nlohmann::json q = results_of(here, channel);
  EXPECT_NEAR(q["lost"].get<double>() / (2e-3 * 0.5 * q["rate"].get<double>()), 1, 1e-6);
  here.write("spec.yaml", channel + "design:\n  - {variable: materials.air.viscosity}\n  - {variable: materials.air.cv1}\nobjective:\n  - {type: dissipation}\n");
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

}  // namespace
}  // namespace invar::test
