// Forces of the fluid in fluid-structure interaction: against closed forms, and against the same flow without moving mesh.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A block between the walls of a channel, with a high pressure at its outlet.
std::string blocked_channel(bool fsi) {
  const std::string v = fsi ? "v" : "u";
  return "title: a block in a channel\nmesh:\n  rectangle: {to: [3, 1], cells: [12, 10], shape: triangle}\n  holes: {block: {from: [0.75, 0.3], to: [1, 0.6]}}\n"
         "  parts: {water: \"1\"}\nphysics: {" +
         std::string(fsi ? "type: fsi" : "type: flow, kind: planar, viscous_term: stress") +
         "}\nmaterials: {oil: {model: newtonian, region: water, density: 1, viscosity: 0.05}}\n"
         "boundary: {left: {" + v + "_x: \"4*y*(1 - y)\", " + v + "_y: 0}, top: {no_slip: true}, bottom: {no_slip: true}" + (fsi ? "" : ", block: {no_slip: true}") + "}\n"
         "loads: {out: {type: pressure, region: right, p: 100}}\n" +
         (fsi ? "rigid: {block: {region: block}}\njoints: {post: {type: weld, between: [block, ground], at: [0.9, 0.5]}}\n" : "") +
         "output:\n  fields: none\n  quantities:\n" + (fsi ? "    post: {type: tie, tie: post.x}\n" : "") + [] {
           std::string all;
           for (const std::string region : {"block", "left", "right", "top", "bottom"})
             all += "    " + region + "_x: {type: force, region: " + region + ", direction: [1, 0]}\n    " + region + "_y: {type: force, region: " + region +
                    ", direction: [0, 1]}\n    " + region + "_turn: {type: moment, region: " + region + ", point: [0.9, 0.4, 0]}\n";
           return all;
         }();
}

// A block that a joint holds is a wall.
TEST(FsiForce, IsThatOfTheFlowWithoutMotion) {
  const Workplace here, there;
  const json held = results_when_solved(here, blocked_channel(true))["quantities"], still = results_when_solved(there, blocked_channel(false))["quantities"];
  for (const auto& [name, value] : still.items()) EXPECT_NEAR(held[name].get<double>(), value.get<double>(), 1e-6) << name;
  EXPECT_NEAR(held["right_x"], 100, 1e-6);  // the load
  EXPECT_NEAR(held["post"].get<double>(), -held["block_x"].get<double>(), 1e-6);
}

/// A mesh of 6 × 3 cells on [0, 3] × [-0.5, 1]: gel below a floor at y = 0, two layers of water above, and between these a wall of facets.
std::string parted_channel() {
  std::string nodes, cells;
  int count = 0;
  const auto node = [](int i, int j) { return std::to_string(1 + i + 7 * j); };
  const auto add = [&](const char* type, int region, const std::string& corners) {
    cells += std::to_string(++count) + type + std::to_string(region) + " " + std::to_string(region) + " " + corners + "\n";
  };
  for (int j = 0; j <= 3; ++j)
    for (int i = 0; i <= 6; ++i) nodes += node(i, j) + " " + std::to_string(0.5 * i) + " " + std::to_string(0.5 * (j - 1)) + " 0\n";
  for (int i = 0; i < 6; ++i)
    for (int j = 1; j <= 3; ++j) add(" 1 2 ", j, node(i, j) + " " + node(i + 1, j));
  for (int j = 1; j < 3; ++j) add(" 1 2 ", 4, node(0, j) + " " + node(0, j + 1)), add(" 1 2 ", 4, node(6, j) + " " + node(6, j + 1));
  add(" 15 2 ", 7, node(0, 3));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 6; ++i) add(" 3 2 ", j == 0 ? 6 : 5, node(i, j) + " " + node(i + 1, j) + " " + node(i + 1, j + 1) + " " + node(i, j + 1));
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n7\n0 7 \"corner\"\n1 1 \"floor\"\n1 2 \"wall\"\n1 3 \"top\"\n1 4 \"ends\"\n2 5 \"water\"\n2 6 \"gel\"\n"
         "$EndPhysicalNames\n$Nodes\n28\n" + nodes + "$EndNodes\n$Elements\n" + std::to_string(count) + "\n" + cells + "$EndElements\n";
}

// A wall without thickness between two flows, each driven by 1 N/m³ over 3 m × 0.5 m: its walls take half of that each, and it both halves.
TEST(FsiForce, ThinWallsHaveBothSides) {
  const Workplace here;
  here.write("channel.msh", parted_channel());
  const json q = results_when_solved(here, R"spec(title: two layers of water
mesh: {file: channel.msh}
physics: {type: fsi}
materials:
  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}
  gel: {model: neo_hookean, region: gel, young: 1000, poisson: 0.4}
boundary:
  floor: {clamped: true}
  wall: {no_slip: true}
  top: {no_slip: true}
  ends: {v_x: "5*(y < 0.5 ? y*(0.5 - y) : (y - 0.5)*(1 - y))", v_y: 0, d_x: 0, d_y: 0}
  corner: {p: 0}
loads:
  fan: {type: body_force, region: water, x: 1}
output:
  fields: none
  quantities:
    floor: {type: force, region: floor, direction: [1, 0]}
    push: {type: force, region: wall, direction: [1, 0]}
    lift: {type: force, region: wall, direction: [0, 1]}
    turn: {type: moment, region: wall}
)spec")["quantities"];
  EXPECT_NEAR(q["floor"], 0.75, 1e-8);
  EXPECT_NEAR(q["push"], 1.5, 1e-8);
  EXPECT_NEAR(q["lift"], 0, 1e-8);
  EXPECT_NEAR(q["turn"], -0.75, 1e-8);
}

/// Fluid at rest around a stiff gate, under a pressure.
std::string quiet_tank(const std::string& more) {
  return gate(more, {{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {no_slip: true}"}, {"right: {v_y: 0}", "right: {no_slip: true}"},
                     {"  top: {no_slip: true}\n", ""}, {"young: 200", "young: 1e8"}});
}

// The pressure of 1000 Pa acts on the upper side of the gate, and of the floor beside it; its force on the sides cancels. Density 1, weight 8 N/m³.
TEST(FsiForce, IsThePressureOnTheSurfacesOfARegion) {
  const Workplace here;
  const json q = results_when_solved(here, quiet_tank("loads:\n  out: {type: pressure, region: top, p: 1000}\n  weight: {type: body_force, region: water, y: -8}\n"
                                                "output:\n  fields: none\n  quantities:\n"
                                                "    gate: {type: force, region: gate, direction: [0, 1]}\n    push: {type: force, region: gate, direction: [1, 0]}\n"
                                                "    floor: {type: force, region: bottom, direction: [0, 1]}\n    surface: {type: force, region: top, direction: [0, 1]}\n"
                                                "    wall: {type: force, region: left, direction: [1, 0]}\n    turn: {type: moment, region: gate}\n"))["quantities"];
  EXPECT_NEAR(q["gate"], -1004 * 0.2, 0.02);
  EXPECT_NEAR(q["push"], 0, 0.02);
  EXPECT_NEAR(q["floor"], -1008 * 2.2, 0.02);
  EXPECT_NEAR(q["surface"], 1000 * 2.4, 0.02);
  EXPECT_NEAR(q["wall"], -1004 * 1.0, 0.02);
  EXPECT_NEAR(q["turn"], -1004 * 0.2 * 0.9, 0.02);
}

const char* const forced_gate = R"(time: {scheme: bdf2, end: 0.2, steps: 2}
loads: {back: {type: traction, region: right, x: -0.3}}
design:
  - {variable: materials.gel.young, scale: log}
  - {variable: materials.oil.viscosity, scale: log}
  - {variable: loads.back.x}
  - {kind: ffd, region: top, from: [0.3, 0.6], to: [2.4, 1.01], points: [4, 2], moves: [y], frozen: [1, 0, 1, 0], largest: 0.2}
objective:
  - {type: force, region: gate, direction: [1, 0.4], statistic: mean}
  - {type: force, region: right, direction: [1, 0.3]}
  - {type: force, region: bottom, direction: [1, 0.3]}
  - {type: moment, region: gate, point: [0.9, 0, 0]}
  - {type: moment, region: top}
  - {type: power, region: gate, statistic: mean}
)";

TEST(FsiForce, DerivativesAreExact) {
  const Workplace here;
  here.write("spec.yaml", small_gate(forced_gate));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FsiForce, RanksAgree) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  const Workplace here;
  here.write("spec.yaml", gate(forced_gate));
  expect_same_gradient(here, gradient_in(here, 1), 2);
}

}  // namespace
}  // namespace invar::test
