// Reactions where ties, rigid parts and tendons end at held nodes: what they carry there counts, so that forces balance.
#include <gtest/gtest.h>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A body of 0.1 m x 0.02 m that is clamped at its left side; its right side is pulled by 20 N along x and pushed by 4 N along -y.
std::string clamped_body(const std::string& more, const std::string& boundary = "", const std::string& quantities = "") {
  return R"(title: a body that is clamped
mesh: {rectangle: {to: [0.1, 0.02], cells: [6, 2]}, parts: {head: x > 0.07}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1e6, poisson: 0.4}
boundary:
  left: {u_x: 0, u_y: 0}
)" + boundary + R"(loads:
  end: {type: traction, region: right, x: 1000, y: -200}
time: {steps: 2}
output:
  fields: none
  quantities:
    x: {type: reaction, region: left, direction: [1, 0]}
    y: {type: reaction, region: left, direction: [0, 1]}
    turn: {type: reaction, region: left, axis: [0, 0, 1], coefficient: 2}
)" + quantities + more;
}

constexpr double pull = 20, push = 4;

json reactions(const std::string& spec) {
  const Workplace here;
  return results_when_solved(here, spec)["quantities"];
}

// A plate on the upper side turns about the clamped corner, which carries a part of it.
TEST(CarriedForces, APlateThatEndsAtAClampedCorner) {
  const json q = reactions(clamped_body("ties: {plate: {type: plane, region: top, u_y: free}}\n"));
  EXPECT_NEAR(q["x"], -pull, 1e-8 * pull);
  EXPECT_NEAR(q["y"], push, 1e-8 * pull);
}

// A point of a rigid part is held: the support there carries what the part weighs upon it.
TEST(CarriedForces, ARigidPartThatIsHeldAtAPoint) {
  const json q = reactions(clamped_body("rigid: {head: {region: head, force_y: -1}}\n", "  right_bottom: {u_y: 0}\n",
                                        "    corner: {type: reaction, region: right_bottom, direction: [0, 1]}\n"));
  EXPECT_NEAR(q["x"], -pull, 1e-8 * pull);
  EXPECT_NEAR(q["y"].get<double>() + q["corner"].get<double>(), push + 1, 1e-8 * pull);
  EXPECT_GT(q["corner"], 3);
}

// Surfaces that do not match: the first node of the one that leads is clamped.
TEST(CarriedForces, TiedSurfacesThatEndAtAClamp) {
  const json q = reactions(R"(title: two blocks
mesh:
  bodies:
    lower: {rectangle: {from: [0, 0], to: [0.1, 0.02], cells: [6, 2]}}
    upper: {rectangle: {from: [0, 0.02], to: [0.1, 0.04], cells: [9, 3]}}
physics: {type: solid, kind: plane_strain}
materials:
  soft: {model: neo_hookean, young: 1e6, poisson: 0.4, region: lower}
  stiff: {model: neo_hookean, young: 3e6, poisson: 0.4, region: upper}
boundary:
  lower_left: {u_x: 0, u_y: 0}
  upper_left: {u_x: 0, u_y: 0}
ties: {glue: {type: surfaces, follows: upper_bottom, to: lower_top}}
loads:
  end: {type: traction, region: upper_right, x: 1000, y: -200}
time: {steps: 2}
output:
  fields: none
  quantities:
    x1: {type: reaction, region: lower_left, direction: [1, 0]}
    x2: {type: reaction, region: upper_left, direction: [1, 0]}
    y1: {type: reaction, region: lower_left, direction: [0, 1]}
    y2: {type: reaction, region: upper_left, direction: [0, 1]}
)");
  EXPECT_NEAR(q["x1"].get<double>() + q["x2"].get<double>(), -pull, 1e-8 * pull);
  EXPECT_NEAR(q["y1"].get<double>() + q["y2"].get<double>(), push, 1e-8 * pull);
}

/// A cable that begins in a cell at the clamp.
const std::string cable = "tendons: {cable: {through: [[0.01, 0.019], [0.05, 0.019], [0.095, 0.015]], tension: 60}}\n";

// Its forces balance each other, also about the origin: only the loads are left, at where the side is now.
TEST(CarriedForces, ACableThatBeginsAtTheClamp) {
  const json q = reactions(clamped_body(cable, "", "    dx: {type: mean_displacement, region: right, component: x}\n"
                                                   "    dy: {type: mean_displacement, region: right, component: y}\n"));
  EXPECT_NEAR(q["x"], -pull, 1e-8 * pull);
  EXPECT_NEAR(q["y"], push, 1e-8 * pull);
  const double moment = (0.1 + q["dx"].get<double>()) * push + (0.01 + q["dy"].get<double>()) * pull;
  EXPECT_NEAR(q["turn"], 2 * moment, 1e-8 * pull);
}

// The force that holds a plate has what a cable pulls that ends in a cell at the plate: without loads it is the opposite of the clamp's.
TEST(CarriedForces, AHeldPlateInWhoseCellsACableEnds) {
  const json q = reactions(R"(title: a body between a clamp and a plate
mesh: {rectangle: {to: [0.1, 0.02], cells: [6, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1e6, poisson: 0.4}
boundary:
  left: {u_x: 0, u_y: 0}
ties: {plate: {type: translation, region: right, u_x: 0, u_y: 0}}
tendons: {cable: {through: [[0.05, 0.019], [0.095, 0.019]], tension: 60}}
time: {steps: 2}
output:
  fields: none
  quantities:
    x: {type: reaction, region: left, direction: [1, 0]}
    plate: {type: tie, tie: plate.u_x, of: force}
)");
  EXPECT_LT(q["x"], -20);
  EXPECT_NEAR(q["plate"].get<double>(), -q["x"].get<double>(), 1e-8 * pull);
}

TEST(CarriedForces, DerivativesAreExact) {
  const Workplace here;
  here.write("spec.yaml", clamped_body(cable + R"(ties: {plate: {type: plane, region: top, u_y: free}}
design:
  - {variable: tendons.cable.tension}
  - {variable: materials.rubber.young, scale: log}
  - {variable: loads.end.y}
objective:
  - {type: reaction, region: left, direction: [0.3, 1], target: 20, noise: 1}
  - {type: reaction, region: left, axis: [0, 0, 1], at: 0.5}
)"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  const Answer one = gradient_in(here, 1);
  if (has_mpirun()) expect_same_gradient(here, one, 2);
}

}  // namespace
}  // namespace invar::test
