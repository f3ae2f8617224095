// Shapes: limits of where they are, what is measured along them, and what is written of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test::shape_runs {
namespace {

/// The channel's lid is a spline that goes up and down: the wider, the less heat.
std::string wide_channel(const std::string& constraints, const std::string& output = "") {
  return channel({{"cells: [4, 2]", "cells: [8, 4]"}, {"output:\n", "output:\n" + output}}) + R"(design:
  - {kind: bspline, region: top, control_points: 5, degree: 2, moves: [y], frozen: [1, 1], largest: 0.6, scale: 0.3}
objective:
  - {type: dissipation}
constraints:
)" + constraints + "optimizer: {method: sqp, max_iterations: 40, gradient_tolerance: 1e-4}\n";
}

nlohmann::json shape_results(const Workplace& here, const std::string& spec, const std::string& verb = "run") {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({verb, "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  return verb == "run" && end.code == 0 ? json_of(here.run_folder() / "results.json") : nlohmann::json();
}

TEST(ShapeRun, StaysInItsBox) {
  const Workplace here;
  const nlohmann::json r = shape_results(here, wide_channel("  - {type: position, region: top, component: y, kind: max, upper: 1.2}\n",
      "  quantities:\n    sharp: {type: position, region: top, component: x, kind: max, sharpness: 1e6}\n"
      "    low: {type: position, region: body, component: y, kind: min, sharpness: 1e6}\n"));
  ASSERT_FALSE(r.is_null());
  EXPECT_NEAR(r["constraints"]["position"]["value"], 1.2, 1e-6);  // the limit is what holds it
  EXPECT_LT(r["objective"], 16.0 / 3 - 0.5);
  EXPECT_NEAR(r["quantities"]["sharp"], 2, 1e-5);
  EXPECT_NEAR(r["quantities"]["low"], 0, 1e-5);
}

TEST(ShapeRun, KeepsItsCentre) {
  const Workplace here;
  const nlohmann::json r = shape_results(here, wide_channel(
      "  - {type: centroid, component: y, upper: 0.56, scale: 0.01}\n  - {type: centroid, name: along, component: x, lower: 1, upper: 1, scale: 0.01}\n"));
  ASSERT_FALSE(r.is_null());
  EXPECT_NEAR(r["constraints"]["centroid"]["value"], 0.56, 1e-7);
  EXPECT_NEAR(r["constraints"]["along"]["value"], 1, 1e-7);
}

TEST(ShapeRun, CertificatePasses) {
  const Workplace here;
  shape_results(here, wide_channel("  - {type: position, region: top, component: y, kind: max, upper: 1.2}\n"
                                "  - {type: centroid, component: y, upper: 0.6}\n"
                                "  - {type: volume, region: top, name: below, upper: 0}\n"), "check");
}

/// A disc in a stream: what its boundary encloses, its vorticity, and an end without a corner.
TEST(ShapeRun, MeasuresABody) {
  const Workplace here;
  const nlohmann::json r = shape_results(here, R"(title: disc
mesh: {file: )" INVAR_SOURCE_DIR R"(/meshes/body.msh.gz}
physics: {type: flow, kind: planar, equations: stokes, viscous_term: stress}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 1}
boundary:
  inlet: {u_x: 1, u_y: 0}
  sides: {u_x: 1, u_y: 0}
  body: {no_slip: true}
output:
  fields: none
  quantities:
    hole: {type: volume, region: body}
    fluid: {type: volume}
    x: {type: centroid, region: body, component: x}
    y: {type: centroid, region: body, component: y}
    deviation: {type: vorticity_deviation, region: body, margin: 0}
    nose: {type: corner_angle, region: body, tip: front, range: [0.0001, 0.1]}
)");
  ASSERT_FALSE(r.is_null());
  const nlohmann::json q = r["quantities"];
  EXPECT_NEAR(q["hole"], 0.785398163, 1e-5);
  EXPECT_NEAR(q["hole"].get<double>() + q["fluid"].get<double>(), 96, 1e-10);
  EXPECT_NEAR(q["x"], 0, 1e-6);
  EXPECT_NEAR(q["y"], 0, 1e-6);
  // Along a cylinder at rest in creeping flow the vorticity is ω sin φ: its magnitude has the mean 2/π and the
  // square mean ½. The walls 4 m away change that little.
  EXPECT_NEAR(q["deviation"], std::sqrt(0.5 - std::pow(2 / std::numbers::pi, 2)) / (2 / std::numbers::pi), 0.02);
  EXPECT_GT(q["nose"], 140);  // round
}

TEST(ShapeRun, WritesTheGradientAlongItsBoundary) {
  const Workplace here;
  std::string spec = wide_channel("  - {type: position, region: top, component: y, kind: max, upper: 1.2}\n");
  spec.replace(spec.find("fields: none"), 12, "fields: last");
  shape_results(here, spec);
  EXPECT_NE(content(here.run_folder() / "fields/case_1.vtu").find("Name=\"shape_gradient\""), std::string::npos);
}

// Fields of a solid belong to the designed mesh: a bar keeps its stress however long a design makes it.
TEST(ShapeRun, StressesAreThoseOfTheDesignedMesh) {
  const Workplace here;
  const nlohmann::json r = shape_results(here, R"(title: a bar that grows from 1 m to 2 m
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  steel: {model: linear_elastic, young: 100, poisson: 0}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
loads:
  pull: {type: traction, region: right, x: 1}
design:
  - {kind: ffd, region: right, from: [0, -0.5], to: [1.5, 1.5], points: [2, 2], degree: 1, moves: [x], frozen: [1, 0, 0, 0], largest: 3}
mesh_motion:
  sliding: [{region: bottom, keeps: y}, {region: top, keeps: y}]
objective:
  - {type: volume, target: 2, noise: 0.001}
output: {fields: last, quantities: {volume: {type: volume}}}
)");
  ASSERT_FALSE(r.is_null());
  EXPECT_NEAR(r["quantities"]["volume"], 2, 1e-6);
  const std::string file = content(here.run_folder() / "fields/case_1.vtu");
  const std::size_t field = file.find("Name=\"von_mises\""), at = file.find("RangeMax=\"", field);
  ASSERT_NE(field, std::string::npos);
  EXPECT_NEAR(std::stod(file.substr(at + 10)), 1, 1e-6);  // Pa
}

TEST(ShapeRun, MistakesAreToldWithTheirPlace) {
  const auto refused = [](const std::string& spec, const std::vector<std::string>& words) {
    const Workplace here;
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"run", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  };
  refused(wide_channel("  - {type: centroid, component: z, upper: 1}\n"), {"the mesh is two-dimensional; use x or y"});
  refused(wide_channel("  - {type: position, region: right_top, component: x, kind: max, upper: 1}\n"), {"the region 'right_top' is a point"});
  refused(wide_channel("  - {type: volume, region: left_top, upper: 1}\n"), {"the mesh has no cell region 'left_top'"});
  const auto with = [](const std::string& text) { return channel() + "  quantities:\n    q: " + text + "\n"; };
  refused(with("{type: corner_angle, region: left, tip: front, range: [0.01, 0.02]}"), {"a parabola needs three nodes on each side of the corner"});
  refused(with("{type: vorticity_deviation, region: body}"), {"the mesh has no facet region 'body'"});
  refused(with("{type: field_value, variable: materials.water.viscosity, point: [1, 1]}"), {"is not designed as a field"});
  refused(channel({{"kind: planar", "kind: axisymmetric"}}) + "  quantities:\n    q: {type: centroid, component: x}\n",
          {"only y is available"});
}

}  // namespace
}  // namespace invar::test::shape_runs
