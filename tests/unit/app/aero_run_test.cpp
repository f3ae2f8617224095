// Coefficients of bodies, free streams given by speed and angle, and losses of total pressure.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "apps/invar/chart/wall_chart.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

nlohmann::json aero_results(const std::string& spec, const std::vector<std::string>& more = {}, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  std::vector<std::string> arguments = {"run", "spec.yaml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended end = here.invar(arguments, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json") : nlohmann::json();
}

/// p = 4 (2 − x), μ u' = ±2 at the walls: on the bottom 4 N/m along x and −8 N/m along y (∫ p dx, n down). The
/// pressure's moment about the origin is −∫ x p dx = −16/3, the shear's zero at the bottom and −4 at the top.
TEST(AeroRun, PartsOfForcesAndMomentsOfAChannel) {
  const nlohmann::json q = aero_results(channel() + R"(  quantities:
    drag_p: {type: force, region: bottom, direction: [1, 0], part: pressure}
    drag_v: {type: force, region: bottom, direction: [1, 0], part: viscous, coefficient: 3}
    down_p: {type: force, region: bottom, direction: [0, 1], part: pressure}
    down_v: {type: force, region: bottom, direction: [0, 1], part: viscous}
    top_p: {type: moment, region: top, part: pressure}
    top_v: {type: moment, region: top, part: viscous}
    shifted: {type: moment, region: top, point: [0.5, 0.25, 0], part: viscous}
    loss: {type: total_pressure_loss, from: left, to: right}
    lost_heads: {type: total_pressure_loss, from: left, to: right, coefficient: 0.5}
)")["quantities"];
  EXPECT_NEAR(q["drag_p"], 0, 1e-9);
  EXPECT_NEAR(q["drag_v"], 12, 1e-8);
  EXPECT_NEAR(q["down_p"], -8, 1e-9);
  EXPECT_NEAR(q["down_v"], 0, 1e-8);
  EXPECT_NEAR(q["top_p"], 16.0 / 3, 1e-9);
  EXPECT_NEAR(q["top_v"], -4, 1e-8);
  EXPECT_NEAR(q["shifted"], -3, 1e-8);
  EXPECT_NEAR(q["loss"], 12 * 0.5 * (2.0 / 3) * 2, 1e-9);  // 12 μ U L / h²
  EXPECT_NEAR(q["lost_heads"], 4, 1e-9);
}

/// u = y between walls, p = 0, and p∞ = −3 Pa: q = ρ/2 = 1 Pa, so that cp = 3 and cf = μ = 0.4 everywhere.
TEST(AeroRun, PressureAndFrictionAlongAWallAreDrawn) {
  const Workplace here;
  here.write("spec.yaml", R"(title: shear between walls
mesh: {rectangle: {to: [2, 1], cells: [4, 2]}}
physics: {type: flow, kind: planar, equations: stokes}
materials: {oil: {model: newtonian, density: 2, viscosity: 0.4}}
boundary:
  left: {u_x: "y", u_y: 0}
  right: {u_x: "y", u_y: 0}
  top: {u_x: 1, u_y: 0}
  bottom: {no_slip: true}
  left_top: {p: 0}
output:
  fields: none
  quantities:
    floor: {type: wall_shear, region: bottom, kind: max, stream: top, pressure: -3}
    plain: {type: wall_shear, region: bottom, kind: max}
)");
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  std::istringstream rows(content(here.run_folder() / "walls/floor.csv"));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "piece,distance,x,y,area,pressure,shear,shear_x,shear_y,y_plus,cp,cf");
  int points = 0;
  for (; std::getline(rows, row); ++points) {
    const std::string cf = row.substr(row.rfind(',') + 1), before = row.substr(0, row.rfind(',')), cp = before.substr(before.rfind(',') + 1);
    EXPECT_NEAR(std::stod(cp), 3, 1e-9) << row;
    EXPECT_NEAR(std::stod(cf), 0.4, 1e-9) << row;
  }
  EXPECT_GE(points, 4);
  EXPECT_NE(content(here.run_folder() / "walls/floor_cp.svg").find("−cp"), std::string::npos);
  for (const char* file : {"floor_cf.svg", "plain_pressure.svg", "plain_shear.svg"}) EXPECT_TRUE(std::filesystem::exists(here.run_folder() / "walls" / file)) << file;
  EXPECT_FALSE(std::filesystem::exists(here.run_folder() / "walls/plain_cp.svg"));
  ASSERT_EQ(here.invar({"report", here.run_folder().string()}).code, 0);
  const std::string page = content(here.run_folder() / "report.html");
  for (const char* words : {">Walls<", "cp along floor", "shear along plain"}) EXPECT_NE(page.find(words), std::string::npos) << words;
}

/// A wall that is longer along y and consists of two pieces: a line for each, over y.
TEST(AeroRun, ChartsOfWallsHaveALineForEachPiece) {
  const auto charts = wall_charts("side", {"piece", "x", "y", "pressure", "shear"}, {{1, 1, 2, 2}, {0, 0.1, 0, 0.1}, {0, 1, 2, 3}, {5, 6, 7, 8}, {-1, -2, -3, -4}});
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[1].what, "shear");
  ASSERT_EQ(charts[1].chart.series.size(), 2u);
  EXPECT_EQ(charts[1].chart.series[1].x, (std::vector<double>{2, 3}));
  EXPECT_EQ(charts[1].chart.series[1].y, (std::vector<double>{-3, -4}));
  EXPECT_EQ(charts[1].chart.x_label, "y in m");
  EXPECT_TRUE(wall_charts("in space", {"x", "y", "z", "pressure"}, {{0}, {0}, {0}, {1}}).empty());
}

TEST(AeroRun, ALossOfAFlowAtRestHasNoValue) {
  const Workplace here;
  const std::string at_rest = channel({{"\"4*y*(1 - y)\"", "0"}}), loss = "{type: total_pressure_loss, from: left, to: right}";
  here.write("spec.yaml", at_rest + "  quantities:\n    loss: " + loss + "\n");
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("warning: 'loss' has no value: nothing flows through 'from' or 'to'"), std::string::npos) << end.said();
  here.write("goal.yaml", at_rest + "objective:\n  - " + loss + "\n");
  const Ended of_goal = here.invar({"run", "goal.yaml"});
  EXPECT_NE(of_goal.said().find("case 'case': 'total_pressure_loss' is not a number"), std::string::npos) << of_goal.said();
}

/// Flow of speed U at an angle past an obstacle: a square in a square whose left and lower sides are the stream's.
/// Turned by 90° the mesh is the same.
std::string obstacle(const std::string& stream) {
  return R"(title: a block in a stream
mesh: {rectangle: {from: [-1, -1], to: [1, 1], cells: [8, 8]}}
physics: {type: flow, kind: planar, viscous_term: stress}
materials:
  air: {model: newtonian, density: 1.2, viscosity: 0.3}
boundary:
)" + stream + R"(output:
  fields: none
  quantities:
    cd: {type: drag_coefficient, region: right, stream: left, area: 2}
    cl: {type: lift_coefficient, region: right, stream: left, area: 2}
    cm: {type: moment_coefficient, region: right, stream: left, area: 2, length: 0.5, point: [0.25, 0, 0]}
    cd_p: {type: drag_coefficient, region: right, stream: left, area: 2, part: pressure}
    cd_v: {type: drag_coefficient, region: right, stream: left, area: 2, part: viscous}
    cl_p: {type: lift_coefficient, region: right, stream: left, area: 2, part: pressure}
    cl_v: {type: lift_coefficient, region: right, stream: left, area: 2, part: viscous}
    fx: {type: force, region: right, direction: [1, 0]}
    fy: {type: force, region: right, direction: [0, 1]}
    m: {type: moment, region: right, point: [0.25, 0, 0]}
)";
}

const char* by_angle = "  left: {speed: 1.5, angle: 25}\n  right: {no_slip: true}\n";

TEST(AeroRun, CoefficientsAreForcesAlongAndAcrossTheStream) {
  const nlohmann::json q = aero_results(obstacle(by_angle))["quantities"];
  const double pi = std::acos(-1.0), a = 25 * pi / 180, scale = 0.5 * 1.2 * 1.5 * 1.5 * 2;
  const double fx = q["fx"], fy = q["fy"], m = q["m"];
  EXPECT_GT(std::hypot(fx, fy), 0.1);
  EXPECT_NEAR(q["cd"], (fx * std::cos(a) + fy * std::sin(a)) / scale, 1e-12);
  EXPECT_NEAR(q["cl"], (fy * std::cos(a) - fx * std::sin(a)) / scale, 1e-12);
  EXPECT_NEAR(q["cm"], -m / (scale * 0.5), 1e-12);
  EXPECT_NEAR(q["cd"].get<double>(), q["cd_p"].get<double>() + q["cd_v"].get<double>(), 1e-12);
  EXPECT_NEAR(q["cl"].get<double>(), q["cl_p"].get<double>() + q["cl_v"].get<double>(), 1e-12);
  const nlohmann::json given = aero_results(obstacle("  left: {u_x: 1.3594616805549746, u_y: 0.6339273926110491}\n  right: {no_slip: true}\n"))["quantities"];
  for (const auto& [name, value] : given.items()) EXPECT_NEAR(q[name].get<double>(), value.get<double>(), 1e-9) << name;
}

/// Everything turned by 90°: the stream enters from below, the wall is above.
TEST(AeroRun, CoefficientsDoNotDependOnTheAxes) {
  const nlohmann::json q = aero_results(obstacle(by_angle))["quantities"];
  std::string turned = obstacle("  bottom: {speed: 1.5, angle: 115}\n  top: {no_slip: true}\n");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"region: right", "region: top"}, {"stream: left", "stream: bottom"},
                                 {"point: [0.25, 0, 0]", "point: [0, 0.25, 0]"}})
    for (std::size_t at = 0; (at = turned.find(from, at)) != std::string::npos; at += to.size()) turned.replace(at, from.size(), to);
  const nlohmann::json r = aero_results(turned)["quantities"];
  for (const char* name : {"cd", "cl", "cm", "cd_p", "cd_v", "cl_p", "cl_v"}) EXPECT_NEAR(q[name].get<double>(), r[name].get<double>(), 1e-8) << name;
}

/// The design changes angle and speed; lift and drag follow, to second order.
TEST(AeroRun, DerivativesWithRespectToAngleAndSpeed) {
  const Workplace here;
  here.write("spec.yaml", obstacle(by_angle) + R"(design:
  - {variable: boundary.left.angle, lower: -30, upper: 60}
  - {variable: boundary.left.speed, scale: log, lower: 0.5, upper: 3}
  - {variable: materials.air.density, scale: log, lower: 0.5, upper: 3}
objective:
  - {type: drag_coefficient, region: right, stream: left, area: 2}
  - {type: lift_coefficient, region: right, stream: left, area: 2, part: viscous, weight: 0.7}
  - {type: moment_coefficient, region: right, stream: left, part: pressure, weight: -0.4}
)");
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// The angle satisfies the constraint on the lift for every other design.
TEST(AeroRun, AConstraintOnTheLiftFindsTheAngle) {
  const nlohmann::json results = aero_results(obstacle(by_angle) + R"(design:
  - {variable: boundary.left.angle, lower: -30, upper: 60}
objective:
  - {type: drag_coefficient, region: right, stream: left, area: 2}
constraints:
  - {name: lift, type: lift_coefficient, region: right, stream: left, area: 2, lower: 0.1, upper: 0.1}
optimizer: {method: sqp}
)");
  EXPECT_NEAR(results["quantities"]["cl"].get<double>(), 0.1, 1e-6);
}

TEST(AeroRun, MistakesAreNamed) {
  const auto refused = [](const std::string& spec, const std::string& message) {
    const Workplace here;
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_NE(end.code, 0);
    EXPECT_NE(end.said().find(message), std::string::npos) << end.said();
  };
  refused(obstacle("  left: {speed: 1.5}\n  right: {no_slip: true}\n"), "'speed' and 'angle' belong together");
  refused(obstacle("  left: {speed: 1.5, angle: 3, u_x: 1}\n  right: {no_slip: true}\n"), "the velocity is given twice");
  refused(obstacle("  left: {speed: 1.5, angle: 3, no_slip: true}\n  right: {no_slip: true}\n"), "'no_slip' prescribes zero velocity");
  refused(obstacle("  left: {u_x: 1}\n  right: {no_slip: true}\n"), "the boundary prescribes no free stream in 'left'");
  refused(obstacle("  left: {u_x: y, u_y: 0}\n  right: {no_slip: true}\n"), "the boundary prescribes no free stream in 'left'");
  refused(obstacle("  left: {no_slip: true}\n  right: {no_slip: true}\n"), "the fluid rests at 'left'");
}

/// A step in a channel. Behind it the flow comes back to the floor.
constexpr const char* step_spec = R"spec(title: a step
mesh:
  rectangle: {to: [5, 1], cells: [20, 8]}
  holes: {step: {from: [0, 0], to: [1, 0.5]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.01}
boundary:
  left: {u_x: "16*(y - 0.5)*(1 - y)", u_y: 0, factor: 1.1}
  step: {no_slip: true}
  bottom: {no_slip: true}
  top: {no_slip: true}
loads:
  out: {type: pressure, region: right, p: 0}
design:
  - {variable: materials.water.viscosity}
  - {variable: boundary.left.factor}
  - {kind: ffd, region: top, from: [-0.5, 0.9], to: [5.5, 1.1], points: [4, 2], degree: 2, moves: [y], scale: 0.05, largest: 0.1}
objective:
  - {type: shear_zero, region: bottom, which: last}
output: {fields: none}
)spec";

// Where a flow reattaches is an objective: the certificate compares adjoint, tangent, differences and second derivatives. At the Reynolds number 73 of
// twice the step's height, 0.5 m, and the mean speed it comes back to the floor 2.3 heights behind the step (Armaly, Durst, Pereira, Schoenung,
// J. Fluid Mech. 127, 1983, between 70 and 100).
TEST(AeroRun, ReattachmentIsDifferentiated) {
  const Workplace here;
  here.write("spec.yaml", step_spec);
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  std::map<std::string, double> slopes[2];
  for (const int ranks : {1, 3}) {
    const Ended solved = here.invar({"gradient", "spec.yaml", "--out", "here"}, ranks);
    ASSERT_EQ(solved.code, 0) << solved.said();
    const nlohmann::json j = json_of(here.folder() / "here/gradient.json");
    EXPECT_NEAR((j["objective"].get<double>() - 1) / 0.5, 2.3, 0.25 * 2.3);
    for (const auto& [name, v] : j["variables"].items()) slopes[ranks > 1][name] = v["derivative"];
  }
  ASSERT_GE(slopes[0].size(), 6u);
  const double size = std::abs(slopes[0].at("materials.water.viscosity"));
  EXPECT_LT(slopes[0].at("materials.water.viscosity"), 0);  // the more viscous, the shorter
  EXPECT_GT(slopes[0].at("boundary.left.factor"), 0);
  for (const auto& [name, slope] : slopes[0]) EXPECT_NEAR(slopes[1].at(name), slope, 1e-8 * size) << name;
}

}  // namespace
}  // namespace invar::test
