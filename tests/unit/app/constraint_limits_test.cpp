// Limits of constraints: as multiples of what a quantity is in the mesh as given, at several stations, and beside a
// trim.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// A beam of 2 m x 0.25 m whose centre of volume is at x = -2 m.
std::string limited(const std::string& constraints) {
  return beam({{"{to: [1, 0.25]", "{from: [-3, 0], to: [-1, 0.25]"}, {"point: [1, 0.25]", "point: [-1, 0.25]"}}) + "constraints:\n" + constraints +
         "optimizer: {method: sqp, max_iterations: 0}\n";
}

json results_within_limits(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", "x,y,u_x,u_y\n-1,0.25,-0.01,0.1\n");
  const Ended end = here.invar({"run", "spec.yaml"});
  json results = json_of(here.run_folder() / "results.json");
  EXPECT_TRUE(results.contains("constraints")) << end.said();
  return results;
}

TEST(ConstraintLimits, AreMultiplesOfTheMeshAsGiven) {
  const json c = results_within_limits(limited(R"(  - {name: inside, type: volume, relative: true, lower: 0.9, upper: 1.1}
  - {name: small, type: volume, relative: true, upper: 0.8}
  - {name: left, type: centroid, component: x, relative: true, lower: 0.9, upper: 0.95}
  - {name: right, type: centroid, component: x, relative: true, lower: 1.2}
)"))["constraints"];
  EXPECT_NEAR(c["inside"]["violation"], 0, 1e-12);
  EXPECT_NEAR(c["small"]["violation"], 0.2 * 0.5, 1e-12);
  // The centre is at -2 m: 0.9 to 0.95 times that is from -1.9 m to -1.8 m, 1.2 times it and more is below -2.4 m.
  EXPECT_NEAR(c["left"]["violation"], 0.1, 1e-12);
  EXPECT_NEAR(c["right"]["violation"], 0.4, 1e-12);
}

// An optimiser sees violations in the constraint's scale.
TEST(ConstraintLimits, HaveScalesThatArePositive) {
  const auto violation = [](const std::string& constraint) { return results_within_limits(limited(constraint))["optimizer"]["violation"].get<double>(); };
  EXPECT_NEAR(violation("  - {type: volume, relative: true, upper: 0.8}\n"), 0.2 / 0.8, 1e-12);
  EXPECT_NEAR(violation("  - {type: volume, relative: true, upper: 0.8, scale: 2}\n"), 0.2 / 2, 1e-12);
  EXPECT_NEAR(violation("  - {type: centroid, component: x, relative: true, upper: 0.95}\n"), 0.1 / 1.9, 1e-12);
  EXPECT_NEAR(violation("  - {type: centroid, component: x, relative: true, upper: 0.95, lower: 0.9}\n"), 0.1 / 1.9, 1e-12);
  EXPECT_NEAR(violation("  - {type: centroid, component: x, relative: true, upper: 0.95, lower: 0.9, scale: 0.5}\n"), 0.1, 1e-12);
}

TEST(ConstraintLimits, OfTheStateAreGivenAsTheyAre) {
  for (const char* constraint : {"  - {type: centroid, component: x, of: body, relative: true, upper: 1.1}\n", "  - {type: compliance, relative: true, upper: 1.1}\n"}) {
    const Workplace here;
    here.write("spec.yaml", limited(constraint));
    here.write("markers.csv", "x,y,u_x,u_y\n-1,0.25,-0.01,0.1\n");
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 3);
    EXPECT_NE(end.err.find("depends on the state, not only on the mesh\n    in constraints[0].relative; give absolute limits\n1 mistake"), std::string::npos)
        << end.said();
  }
}

// A trim holds its quantity: limits that do not allow that are a mistake, others are met.
TEST(ConstraintLimits, AllowWhatATrimHolds) {
  const auto trimmed = [](const std::string& limits) {
    const Workplace here;
    here.write("spec.yaml", R"(title: a block in a stream
mesh: {rectangle: {from: [-1, -1], to: [1, 1], cells: [6, 6]}}
physics: {type: flow, kind: planar, viscous_term: stress}
materials: {air: {model: newtonian, density: 1.2, viscosity: 0.3}}
boundary:
  left: {speed: 1.5, angle: 25}
  right: {no_slip: true}
trim: {type: lift_coefficient, region: right, stream: left, value: 0.1, by: boundary.left.angle}
design:
  - {variable: materials.air.viscosity, lower: 0.1, upper: 1}
objective:
  - {type: drag_coefficient, region: right, stream: left}
constraints:
  - {name: lift, type: lift_coefficient, region: right, stream: left, )" + limits + R"(}
optimizer: {method: sqp, max_iterations: 0}
)");
    return here.invar({"run", "spec.yaml"});
  };
  const Ended refused = trimmed("lower: 0.2");
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("'trim' keeps 'lift_coefficient' at 0.1, which these limits do not allow"), std::string::npos) << refused.said();
  EXPECT_NE(trimmed("lower: 0.05").code, 3);
}

/// A trim is for one steady state: elsewhere it would be ignored.
TEST(ConstraintLimits, NoTrimInTime) {
  expect_refused(R"(title: a stream in time
mesh: {rectangle: {from: [-1, -1], to: [1, 1], cells: [6, 6]}}
physics: {type: flow, kind: planar}
materials: {air: {model: newtonian, density: 1.2, viscosity: 0.3}}
boundary:
  left: {speed: 1.5, angle: 25}
time: {scheme: bdf2, end: 1, steps: 2}
trim: {type: force, region: right, direction: [0, 1], value: 0.1, by: boundary.left.angle}
design:
  - {variable: materials.air.viscosity, lower: 0.1, upper: 1}
objective:
  - {type: dissipation}
)", {"spec.yaml:8:1", "'trim' is for steady cases", "leave 'time' out"});
}

/// A coarse NACA 0012 in a slow stream. Thickness as the NASA Turbulence Modeling Resource gives it, with a sharp tail.
TEST(ConstraintLimits, AreOfEachStation) {
  const json c = results_within_limits(R"(title: a slow airfoil
mesh: {airfoil: {naca: "0012", first: 0.01, around: 192, wake: 8, normal: 12, radius: 5}}
physics: {type: flow, kind: planar, elements: equal_order}
materials: {oil: {model: newtonian, density: 1, viscosity: 0.1}}
boundary:
  inlet: {speed: 1, angle: 2}
  airfoil: {no_slip: true}
mesh_motion: {method: inverse_distance}
design:
  - {kind: ffd, region: airfoil, from: [-0.001, -0.07], to: [1.001, 0.07], points: [4, 2], moves: [y], scale: 0.01}
objective:
  - {type: drag_coefficient, region: airfoil, stream: inlet}
constraints:
  - {type: thickness, region: airfoil, station: [0.2, 0.5], relative: true, lower: 1.25}
  - {name: lasting, type: thickness, region: airfoil, station: 0.3, lower: 0.1}
optimizer: {method: sqp, max_iterations: 0}
)")["constraints"];
  const auto thickness = [](double x) {
    return 2 * 0.594689181 * (0.298222773 * std::sqrt(x) - 0.127125232 * x - 0.357907906 * x * x + 0.291984971 * x * x * x - 0.105174606 * x * x * x * x);
  };
  ASSERT_EQ(c.size(), 3u) << c;
  for (const auto& [name, x] : {std::pair{"thickness_0.2", 0.2}, {"thickness_0.5", 0.5}, {"lasting", 0.3}})
    EXPECT_NEAR(c[name]["value"], thickness(x), 1e-4) << name;
  for (const char* name : {"thickness_0.2", "thickness_0.5"}) EXPECT_NEAR(c[name]["violation"], 0.25 * c[name]["value"].get<double>(), 1e-12) << name;
  EXPECT_EQ(c["lasting"]["violation"], 0);
}

}  // namespace
}  // namespace invar::test
