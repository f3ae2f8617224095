// Designs of bodies that touch, as the program runs them: shapes, obstacles that are meshes and their motions, on one and several processes.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/interrupted.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A block pressed into a slab, at rest or in time with friction. more: sections beside those that are always there.
std::string pressed_into_a_slab(bool friction, const std::string& more) {
  return R"(title: a block in a slab
mesh:
  bodies:
    slab: {rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}
    block: {rectangle: {from: [0.2, 0.003], to: [0.8, 0.3], cells: [5, 2]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3)" + std::string(friction ? ", density: 1" : "") + R"(}
boundary:
  slab_bottom: {u_x: 0, u_y: 0}
  block_top: {u_x: 0.02*t, u_y: -0.03*t}
contact:
  faces: {between: [block_bottom, slab_top], distance: 0.004, stiffness: 3)" +
         (friction ? ", friction: 0.3, slip_speed: 1e-2}\ntime: {scheme: bdf2, end: 1, steps: 4}\n" : "}\ntime: {steps: 2}\n") + more;
}
constexpr const char* rounded = R"(design:
  - {kind: ffd, region: block_bottom, from: [0.1, -0.1], to: [0.9, 0.1], points: [4, 2], degree: 2, moves: [y], scale: 0.01, largest: 0.02}
)";
constexpr const char* wanted_force = "objective:\n  - {type: contact_force, contact: faces, direction: [0, 1], target: 2}\n";
constexpr const char* quiet_output = "output: {fields: none}\n";

struct Answer {
  double objective = 0;
  std::vector<double> slopes;
};

Answer gradient_on(const std::string& spec, int ranks) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"gradient", "spec.yaml", "--out", "here"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  Answer answer;
  if (end.code != 0) return answer;
  const nlohmann::json j = json_of(here.folder() / "here/gradient.json");
  answer.objective = j["objective"];
  for (const auto& [name, v] : j["variables"].items()) answer.slopes.push_back(v["derivative"]);
  return answer;
}

void expect_same_gradient(const std::string& spec, const Answer& one, int ranks) {
  const Answer several = gradient_on(spec, ranks);
  double size = 0;
  for (const double s : one.slopes) size = std::max(size, std::abs(s));
  EXPECT_NEAR(several.objective, one.objective, 1e-9 * std::abs(one.objective)) << ranks;
  ASSERT_EQ(several.slopes.size(), one.slopes.size());
  for (std::size_t i = 0; i < one.slopes.size(); ++i) EXPECT_NEAR(several.slopes[i], one.slopes[i], 1e-8 * size) << i << " on " << ranks;
}

bool has_mpirun() { return std::system("command -v mpirun > /dev/null") == 0; }

TEST(ContactDesign, ShapesHaveTheSameGradientOnEveryNumberOfRanks) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  for (const bool friction : {false, true}) {
    const std::string spec = pressed_into_a_slab(friction, std::string(rounded) + wanted_force + quiet_output);
    const Answer one = gradient_on(spec, 1);
    ASSERT_GE(one.slopes.size(), 8u);
    for (const int ranks : {2, 3}) expect_same_gradient(spec, one, ranks);
  }
}

// To the last digit on one process; on several MUMPS, which moves the mesh, sums in another order every time.
TEST(ContactDesign, ResumedSearchesEndAsIfNothingHadHappened) {
  for (const auto& [ranks, friction] : {std::pair(1, false), {1, true}, {2, true}}) {
    if (ranks > 1 && !has_mpirun()) continue;
    SCOPED_TRACE(std::to_string(ranks) + (friction ? " with friction" : ""));
    const Workplace here;
    here.write("spec.yaml", pressed_into_a_slab(friction, std::string(rounded) + wanted_force + "optimizer: {method: quasi_newton, max_iterations: 2}\noutput: {fields: last}\n"));
    const std::string longer = "optimizer.max_iterations=4";
    EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "whole", "--set", longer}, ranks).code, 5);
    EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}, ranks).code, 5);
    const Ended end = here.invar({"resume", "broken", "--set", longer}, ranks);
    EXPECT_EQ(end.code, 5) << end.said();
    const fs::path whole = here.folder() / "whole", broken = here.folder() / "broken";
    if (ranks == 1) {
      expect_same(whole, broken);
      continue;
    }
    EXPECT_EQ(rows_in(broken), rows_in(whole));
    const double expected = json_of(whole / "results.json")["objective"];
    EXPECT_NEAR(json_of(broken / "results.json")["objective"], expected, 1e-6 * expected);
  }
}

// A plough, a mesh that is held everywhere, comes down on a soft slab and is drawn over it. Designed are how deep it comes, by a number, how
// it is drawn, by a signal, and its lower side as a shape. The certificate compares adjoint, tangent and differences.
TEST(ContactDesign, MotionAndShapeOfAMeshedObstacle) {
  const std::string spec = R"(title: a plough
mesh:
  bodies:
    slab: {rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}
    plough: {rectangle: {from: [0.35, 0.003], to: [0.6, 0.15], cells: [3, 1]}}
  regions: {tool: [plough]}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {region: slab, model: neo_hookean, young: 100, poisson: 0.3, density: 1}
  steel: {region: plough, model: neo_hookean, young: 1000, poisson: 0.3, density: 1}
boundary:
  slab_bottom: {u_x: 0, u_y: 0}
  plough: {u_y: "-0.02*t", factor: 1}
  tool: {u_x: "t", factor: 0.1}
contact:
  faces: {between: [plough_bottom, slab_top], distance: 0.004, stiffness: 3, friction: 0.3, slip_speed: 1e-2}
time: {scheme: bdf2, end: 1, steps: 5}
design:
  - {variable: boundary.plough.factor}
  - {kind: signal, variable: boundary.tool.factor, basis: linear, functions: 3, start: 0.1}
  - {kind: ffd, region: plough_bottom, from: [0.3, -0.1], to: [0.65, 0.1], points: [3, 2], degree: 2, moves: [y], frozen: [0, 0, 0, 1], scale: 0.01, largest: 0.02}
objective:
  - {type: contact_force, contact: faces, direction: [-1, 0], statistic: mean}
  - {type: contact_force, contact: faces, direction: [0, 0.2]}
output: {fields: none}
)";
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  const Answer one = gradient_on(spec, 1);
  ASSERT_EQ(one.slopes.size(), 1u + 3 + 3);
  for (std::size_t i = 0; i < one.slopes.size(); ++i) EXPECT_GT(std::abs(one.slopes[i]), 1e-3) << i;
  if (has_mpirun()) expect_same_gradient(spec, one, 3);
}

}  // namespace
}  // namespace invar::test
