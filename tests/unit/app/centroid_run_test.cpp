#include <gtest/gtest.h>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// Two plates side by side, 1 m and 2 m wide, and a region that is both.
constexpr const char* two_plates = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
2 1 "light"
2 2 "heavy"
2 3 "both"
$EndPhysicalNames
$Entities
0 0 2 0
1 0 0 0 1 1 0 2 1 3 0
2 1 0 0 3 1 0 2 2 3 0
$EndEntities
$Nodes
1 6 1 6
2 1 0 6
1
2
3
4
5
6
0 0 0
1 0 0
3 0 0
0 1 0
1 1 0
3 1 0
$EndNodes
$Elements
2 2 1 2
2 1 3 1
1 1 2 5 4
2 2 3 1
2 2 3 6 5
$EndElements
)";

/// Soft plates of 1 kg/m² and 3 kg/m² fall and spin about their common centre, (0.5 · 1 + 2 · 6) / 7 m from the left.
std::string falling(const std::string& time) {
  return R"spec(title: two plates fall
mesh: {file: plates.msh}
physics: {type: solid, kind: plane_stress, order: 1}
materials:
  foam: {model: neo_hookean, region: light, young: 40, poisson: 0.3, density: 1}
  clay: {model: neo_hookean, region: heavy, young: 90, poisson: 0.3, density: 3}
loads:
  on_foam: {type: body_force, region: light, y: "-10"}
  on_clay: {type: body_force, region: heavy, y: "-30"}
initial:
  all: {v_x: "-2*(y-0.5)", v_y: "2*(x-12.5/7)"}
time: )spec" + time + R"spec(
output:
  fields: none
  quantities:
    x: {type: centroid, of: body, component: x}
    y: {type: centroid, of: body, component: y}
    x_of_both: {type: centroid, of: body, component: x, region: both}
    y_of_both: {type: centroid, of: body, component: y, region: both}
    x_of_heavy: {type: centroid, of: body, component: x, region: heavy}
    x_of_light: {type: centroid, of: body, component: x, region: light}
    x_at_start: {type: centroid, of: body, component: x, region: heavy, at: 0}
    x_of_mesh: {type: centroid, component: x, region: heavy}
)spec";
}

/// However the plates deform, momentum is kept: g t²/2, which Newmark's scheme follows exactly and backward Euler
/// passes by g h t/2.
TEST(CentroidOfTheBody, FallsAsAPoint) {
  constexpr double g = 10, t = 0.5, x = 12.5 / 7;
  for (const auto& [scheme, late] : {std::pair{"newmark", 0.0}, {"backward_euler", 1.0}}) {
    SCOPED_TRACE(scheme);
    const Workplace here;
    here.write("plates.msh", two_plates);
    constexpr int steps = 20;
    const double y = 0.5 - 0.5 * g * t * (t + late * t / steps);
    const json q = results_when_solved(here, falling("{scheme: " + std::string(scheme) + ", end: 0.5, steps: 20}"))["quantities"];
    for (const char* name : {"x", "x_of_both"}) EXPECT_NEAR(q[name], x, 1e-9) << name;
    for (const char* name : {"y", "y_of_both"}) EXPECT_NEAR(q[name], y, 1e-9) << name;
    EXPECT_NEAR((1 * q["x_of_light"].get<double>() + 6 * q["x_of_heavy"].get<double>()) / 7, x, 1e-9);
    EXPECT_GT(std::abs(q["x_of_heavy"].get<double>() - 2), 0.01);  // it spins
    EXPECT_NEAR(q["x_at_start"], 2, 1e-12);
    EXPECT_NEAR(q["x_of_mesh"], 2, 1e-12);
  }
}

/// The same on two ranks, where a part of the region may lie on one of them alone.
TEST(CentroidOfTheBody, IsTheSameOnTwoRanks) {
  const Workplace here;
  here.write("plates.msh", two_plates);
  const std::string spec = falling("{scheme: newmark, end: 0.25, steps: 5}");
  const json alone = results_when_solved(here, spec)["quantities"];
  const Ended end = here.invar({"run", "spec.yaml", "-q", "--out", "together"}, 2);
  ASSERT_EQ(end.code, 0) << end.said();
  const json together = json_of(here.folder() / "together/results.json")["quantities"];
  for (const auto& [name, value] : alone.items()) EXPECT_NEAR(together[name], value, 1e-9) << name;
}

/// Thrown so that the centre is 0.3 m higher after half a second: v = 0.3/t + g t/2.
TEST(CentroidOfTheBody, CanBeAnObjective) {
  const Workplace here;
  const json found = results_when_solved(here, R"(title: a throw
mesh: {rectangle: {to: [1, 1], cells: [2, 2], shape: triangle}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.4, density: 2}
loads:
  weight: {type: body_force, y: "-20"}
initial:
  all: {v_x: "0.5*y", v_y: 1}
time: {scheme: newmark, end: 0.5, steps: 8}
design:
  - {variable: initial.all.v_y}
objective:
  - {type: centroid, of: body, component: y, target: 0.8, noise: 0.01}
output: {fields: none}
)");
  EXPECT_NEAR(found["fit"]["initial.all.v_y"]["value"], 0.3 / 0.5 + 10 * 0.5 / 2, 1e-6);
  EXPECT_TRUE(json_of(here.run_folder() / "certificate.json")["passed"].get<bool>());
}

/// A bar of 2 m × 0.5 m in plane stress, pulled by 1 %; without inertia there is no density to weigh by.
TEST(CentroidOfTheBody, FollowsAStretchedBar) {
  const Workplace here;
  const json q = results_when_solved(here, pulled_bar(2, R"(    x: {type: centroid, of: body, component: x}
    y: {type: centroid, of: body, component: y}
    halfway: {type: centroid, of: body, component: x, at: 0.5}
    end_x: {type: centroid, of: body, component: x, region: right}
    end_y: {type: centroid, of: body, component: y, region: right}
    mesh: {type: centroid, component: x}
)"))["quantities"];
  EXPECT_NEAR(q["x"], 1.01, 1e-12);
  EXPECT_NEAR(q["y"], 0.25 * (1 - 0.3 * 0.01), 1e-12);
  EXPECT_NEAR(q["halfway"], 1.005, 1e-12);
  EXPECT_NEAR(q["end_x"], 2.02, 1e-12);
  EXPECT_NEAR(q["end_y"], 0.25 * (1 - 0.3 * 0.01), 1e-12);
  EXPECT_NEAR(q["mesh"], 1, 1e-12);
}

/// A wedge turned about the axis, r from 0 to 1 and of height 1 − r: the centre of a cone, a quarter of its height.
TEST(CentroidOfTheBody, OfAConeIsAQuarterUp) {
  const Workplace here;
  here.write("cone.msh", R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 2 "base"
2 1 "cone"
$EndPhysicalNames
$Entities
0 1 1 0
1 0 0 0 1 0 0 1 2 0
1 0 0 0 1 1 0 1 1 0
$EndEntities
$Nodes
1 3 1 3
2 1 0 3
1
2
3
0 0 0
1 0 0
0 1 0
$EndNodes
$Elements
2 2 1 2
1 1 1 1
1 1 2
2 1 2 1
2 1 2 3
$EndElements
)");
  const json q = results_when_solved(here, R"(title: a cone
mesh: {file: cone.msh}
physics: {type: solid, kind: axisymmetric, order: 1}
materials:
  rubber: {model: linear_elastic, young: 100, poisson: 0.3}
boundary:
  cone: {u_x: 0, u_y: 0.1}
output:
  fields: none
  quantities:
    y: {type: centroid, of: body, component: y}
)")["quantities"];
  EXPECT_NEAR(q["y"], 0.25 + 0.1, 1e-12);
}

TEST(CentroidOfTheBody, WrongUses) {
  expect_refused(channel() + "  quantities:\n    q: {type: centroid, of: body, component: x}\n",
                 {"spec.yaml:18:29: error: this physics has no deformable body"});
  const auto solid = [](const std::string& text) { return beam() + "  quantities:\n    q: " + text + "\n"; };
  expect_refused(solid("{type: centroid, of: body, component: z}"),
                 {"spec.yaml:18:46: error: the mesh is two-dimensional; use x or y"});
  expect_refused(solid("{type: centroid, of: body, component: x, region: boddy}"),
                 {"spec.yaml:18:57: error: the mesh has no cell region 'boddy'; did you mean 'body'?"});
}

}  // namespace
}  // namespace invar::test
