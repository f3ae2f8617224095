#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

json quantities_of(const Workplace& here, const std::string& spec) { return results_when_solved(here, spec)["quantities"]; }

/// A bar of 2 m × 0.5 m in plane stress, pulled by 0.02 m: σ = E ε = 1 Pa, so its end carries 0.5 N.
TEST(ReactionQuantity, OfABarIsItsStress) {
  const Workplace here;
  const json q = quantities_of(here, pulled_bar(4, R"(    pull: {type: reaction, region: right, direction: [1, 0]}
    halfway: {type: reaction, region: right, direction: [1, 0], at: 0.5}
    hold: {type: reaction, region: left, direction: [2, 0]}
    turn: {type: reaction, region: right, axis: [0, 0, 1]}
    turn_about_middle: {type: reaction, region: right, axis: [0, 0, 1], point: [0, 0.25, 0]}
)"));
  EXPECT_NEAR(q["pull"], 0.5, 1e-12);
  EXPECT_NEAR(q["halfway"], 0.25, 1e-12);
  EXPECT_NEAR(q["hold"], -1, 1e-12);
  EXPECT_NEAR(q["turn"], -0.5 * 0.25, 1e-12);
  EXPECT_NEAR(q["turn_about_middle"], 0, 1e-12);
  std::istringstream curve(content(here.run_folder() / "curves/pull.csv"));
  std::string heading;
  EXPECT_EQ((curve >> heading, heading), "t,value");
  double t = 0, force = 0;
  char comma = 0;
  for (int step = 1; step <= 4; ++step) {
    ASSERT_TRUE(curve >> t >> comma >> force);
    EXPECT_NEAR(t, 0.25 * step, 1e-15);
    EXPECT_NEAR(force, 0.125 * step, 1e-12);
  }
}

/// The reaction of the support is the weight of the block for every law and deformation.
TEST(ReactionQuantity, OfABlockIsItsWeight) {
  const Workplace here;
  const json q = quantities_of(here, R"(title: a block
mesh: {box: {to: [1, 2, 0.5], cells: [2, 3, 1]}}
physics: {type: solid, kind: spatial}
materials:
  rubber: {model: neo_hookean, young: 1e5, poisson: 0.4}
boundary:
  bottom: {u_x: 0, u_y: 0, u_z: 0}
loads:
  weight: {type: body_force, y: -9810}
output:
  fields: none
  quantities:
    support: {type: reaction, region: bottom, direction: [0, 1, 0]}
    aside: {type: reaction, region: bottom, direction: [1, 0, 1]}
)");
  EXPECT_NEAR(q["support"], 9810, 1e-6);
  EXPECT_NEAR(q["aside"], 0, 1e-6);
}

/// On a bed that is not a support; in units of what the block weighs, and of its moment about the edge.
TEST(ReactionQuantity, OfASurfaceHasItsBedding) {
  const Workplace here;
  const json q = quantities_of(here, R"(title: a block on a bed
mesh: {rectangle: {to: [2, 1], cells: [4, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  wood: {model: linear_elastic, young: 1000, poisson: 0.3}
boundary:
  left: {u_x: 0}
loads:
  weight: {type: body_force, y: -1}
  bed: {type: foundation, region: bottom, y: 30}
output:
  fields: none
  quantities:
    bed: {type: reaction, region: bottom, direction: [0, 1], of: surface, coefficient: 0.5}
    held: {type: reaction, region: bottom, direction: [0, 1]}
    turn: {type: reaction, region: bottom, axis: [0, 0, 1], of: surface, coefficient: 0.5}
    wall: {type: reaction, region: left, direction: [0, 1], of: surface}
)");
  EXPECT_NEAR(q["bed"], 1, 1e-10);
  EXPECT_NEAR(q["held"], 0, 1e-10);
  EXPECT_NEAR(q["wall"], 0, 1e-10);
  EXPECT_GT(q["turn"], 0.9);  // the wall takes the rest of 1
  EXPECT_LT(q["turn"], 1.1);
}

/// What lifts a block of 2 kg with 3 m/s² against a weight of 20 N: BDF2 is exact for parabolas after its first steps.
TEST(ReactionQuantity, OfALiftedBlockHoldsAndAccelerates) {
  const Workplace here;
  const json q = quantities_of(here, R"(title: a lift
mesh: {rectangle: {to: [2, 1], cells: [2, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  wood: {model: linear_elastic, young: 1000, poisson: 0.3, density: 1}
boundary:
  body: {u_x: 0, u_y: "0.5*3*t^2"}
loads:
  weight: {type: body_force, y: "-10"}
time: {scheme: bdf2, end: 1, steps: 10}
output:
  fields: none
  quantities:
    last: {type: reaction, region: body, direction: [0, 1]}
    mean: {type: reaction, region: body, direction: [0, 1], statistic: mean, begin: 0.5}
    most: {type: reaction, region: body, direction: [0, 1], statistic: max, begin: 0.5}
    rms: {type: reaction, region: body, direction: [0, 1], statistic: rms, begin: 0.5}
)");
  for (const char* name : {"last", "mean", "most"}) EXPECT_NEAR(q[name], 2 * (10 + 3), 1e-9) << name;
  EXPECT_NEAR(q["rms"], 0, 1e-9);
  std::istringstream curve(content(here.run_folder() / "curves/last.csv"));
  std::string line;
  std::getline(curve, line);
  EXPECT_EQ(line, "t,value");
  int rows = 0;
  while (std::getline(curve, line)) ++rows;
  EXPECT_EQ(rows, 11);
}

/// The same number serves as a term: E follows from σ = E ε, one value of the force being wanted.
TEST(ReactionQuantity, IsAnObjectiveWithoutAFile) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a bar
mesh: {rectangle: {to: [2, 0.5], cells: [2, 1]}}
physics: {type: solid, kind: plane_stress}
materials:
  steel: {model: linear_elastic, young: 50, poisson: 0.3}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  right: {u_x: 0.02}
design:
  - {variable: materials.steel.young, scale: log}
objective:
  - {type: reaction, region: right, direction: [1, 0], target: 0.5, noise: 0.01}
output: {fields: none}
)");
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["fit"]["materials.steel.young"]["value"], 100, 1e-4);
  EXPECT_TRUE(json_of(here.run_folder() / "certificate.json")["passed"].get<bool>());
}

TEST(ReactionQuantity, WrongUses) {
  const auto solid = [](const std::string& text) { return beam() + "  quantities:\n    q: " + text + "\n"; };
  expect_refused(solid("{type: reaction, region: rigth, direction: [0, 1]}"),
                 {"spec.yaml:18:33: error: the mesh has no region 'rigth'; did you mean 'right'?"});
  expect_refused(solid("{type: reaction, region: left, direction: [0, 1, 0]}"),
                 {"spec.yaml:18:50: error: the direction must have 2 components, not all of them zero"});
  expect_refused(solid("{type: reaction, region: left, direction: [0, 0]}"), {"not all of them zero"});
  expect_refused(solid("{type: reaction, region: left}"), {"spec.yaml:18:5: error: exactly one of direction, axis is needed"});
  expect_refused(solid("{type: reaction, region: left, direction: [0, 1], statistic: mean}"), {"'mean' is for processes in time"});
  expect_refused(channel() + "  quantities:\n    q: {type: reaction, region: bottom, direction: [1, 0]}\n",
                 {"spec.yaml:18:15: error: the physics is 'flow', which has no quantity 'reaction'",
                  "use 'force' or 'moment' of the fluid on a wall"});
  expect_refused(beam({{"{type: markers, file: markers.csv}",
                        "{type: reaction, region: left, direction: [0, 1], file: markers.csv, at: 1}"}}),
                 {"spec.yaml:13:74: error: only one of file, at may be given"});
}

/// ½ ∫ (p − p̂)² over the inlet, which is 1 m high: the pressure there is 8 μ · 2 m = 8 Pa.
TEST(PressureQuantity, IsTheMisfit) {
  const Workplace here;
  const json q = quantities_of(here, channel() + "  quantities:\n    zero: {type: pressure_field, region: left, p: 0}\n"
                                              "    five: {type: pressure_field, region: left, p: 5}\n");
  EXPECT_NEAR(q["zero"], 0.5 * 64, 1e-8);
  EXPECT_NEAR(q["five"], 0.5 * 9, 1e-8);
}

}  // namespace
}  // namespace invar::test
