// Runs of a sweep that one process works on together, against the same runs one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A strip that is pulled and pressed, of which a modulus, a traction, a pressure along the strip and a displacement differ.
const std::string strip = R"(title: Strips of rubber
mesh:
  rectangle: {to: [0.1, 0.02], cells: [6, 2]}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 5e5, poisson: 0.45}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: 0.002}
loads:
  side: {type: traction, region: top, y: -300, x: 20}
time: {steps: 2}
output:
  quantities:
    middle: {type: point, point: [0.05, 0.01], component: u_y}
    force: {type: reaction, region: left, direction: [1, 0]}
)";
const std::string points = R"(sweep:
  design: list
  points:
    - {materials.silicone.young: 4e5, loads.side.y: -100, boundary.right.u_x: 0.001}
    - {materials.silicone.young: 5e5, loads.side.y: -200, boundary.right.u_x: 0.002}
    - {materials.silicone.young: 6e5, loads.side.y: -1e-4, boundary.right.u_x: 1e-8}
    - {materials.silicone.young: 7e5, loads.side.y: -400, boundary.right.u_x: 0.004}
)";

/// Runs the sweep one by one into `alone`, and with `together: N` into `batch`.
void sweep_both(const Workplace& here, const std::string& spec, int n, const std::string& more = "", int code = 0) {
  here.write("alone.yaml", spec);
  here.write("batch.yaml", spec + "  together: " + std::to_string(n) + "\n" + more);
  const Ended alone = here.invar({"sweep", "alone.yaml", "--out", "alone", "--jobs", "1"}), batch = here.invar({"sweep", "batch.yaml", "--out", "batch", "--jobs", "1"});
  EXPECT_EQ(alone.code, code) << alone.said();
  EXPECT_EQ(batch.code, code) << batch.said();
}

void expect_equal_numbers(const nlohmann::json& a, const nlohmann::json& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, value] : a.items()) {
    ASSERT_TRUE(b.contains(name)) << name;
    EXPECT_NEAR(b[name].get<double>(), value.get<double>(), tolerance * std::abs(value.get<double>())) << name;
  }
}

TEST(SweepTogether, NumbersAndFilesAreThoseOfRunsAlone) {
  const Workplace here;
  sweep_both(here, strip + points, 3);
  for (const char* name : {"0001", "0002", "0003", "0004"}) {
    SCOPED_TRACE(name);
    const fs::path a = here.folder() / "alone/runs" / name, b = here.folder() / "batch/runs" / name;
    expect_equal_numbers(json_of(a / "results.json")["quantities"], json_of(b / "results.json")["quantities"], 1e-9);
    std::set<std::string> of_a, of_b;
    for (const auto& f : fs::recursive_directory_iterator(a)) of_a.insert(fs::relative(f.path(), a).string());
    for (const auto& f : fs::recursive_directory_iterator(b)) of_b.insert(fs::relative(f.path(), b).string());
    EXPECT_EQ(of_a, of_b);
    EXPECT_EQ(json_of(b / "run.json").value("together", 1), std::string(name) == "0004" ? 1 : 3);  // the fourth is left over
  }
  EXPECT_NE(content(here.folder() / "batch/runs/0001/log.txt").find("with those of 2 other runs"), std::string::npos);
}

// Nothing is solved alone: forces on facets and in cells, prescribed values and formulas of each run are in the common equation.
TEST(SweepTogether, EveryNumberIsPartOfTheCommonEquation) {
  const Workplace here;
  std::string spec = strip;
  spec.insert(spec.find("time:"), "  weight: {type: body_force, y: -50}\n  drag: {type: traction, region: right, y: '30*(1 + x)*t', factor: 1}\n");
  here.write("spec.yaml", spec + R"(design:
  - {variable: materials.silicone.young, scale: log}
objective:
  - {type: point, point: [0.05, 0.01], component: u_y, target: -1e-4}
optimizer: {max_iterations: 0}
sweep:
  together: 3
  design: zip
  over:
    materials.silicone.poisson: [0.3, 0.35, 0.4]
    loads.weight.y: [-50, -20, 10]
    loads.drag.factor: [1, 2, -1]
    loads.side.x: [20, 10, 0]
    boundary.right.u_x: [0.001, 0.002, 0]
)");
  const Ended sweep = here.invar({"sweep", "spec.yaml", "--out", "s", "--jobs", "1"});
  EXPECT_EQ(sweep.code, 0) << sweep.said();
  const Ended again = here.invar({"run", "s", "--task", "3,1,2", "--rerun", "all", "-v"});
  EXPECT_EQ(again.code, 0) << again.said();
  EXPECT_NE(again.out.find(" adjoints, 0 more alone"), std::string::npos) << again.out;
}

// A search at rest evaluates objective, gradient and certificate at its start; the data belong to the run.
TEST(SweepTogether, GradientsAndCertificatesAreThoseOfRunsAlone) {
  const Workplace here;
  const std::string fit = strip + R"(design:
  - {variable: materials.silicone.young, scale: log}
  - {variable: boundary.right.u_x}
objective:
  - {type: point, point: [0.05, 0.01], component: u_y, target: -1e-4, noise: 1e-5}
  - {type: reaction, region: left, direction: [1, 0], target: -90, noise: 10}
optimizer: {max_iterations: 0}
)";
  sweep_both(here, fit + points, 4);
  for (const char* name : {"0001", "0002", "0003", "0004"}) {
    SCOPED_TRACE(name);
    const nlohmann::json a = json_of(here.folder() / "alone/runs" / name / "results.json"), b = json_of(here.folder() / "batch/runs" / name / "results.json");
    EXPECT_NEAR(b["objective"].get<double>(), a["objective"].get<double>(), 1e-9 * a["objective"].get<double>());
    expect_equal_numbers(a["quantities"], b["quantities"], 1e-9);
    const nlohmann::json of_a = json_of(here.folder() / "alone/runs" / name / "certificate.json"), of_b = json_of(here.folder() / "batch/runs" / name / "certificate.json");
    EXPECT_EQ(of_a["passed"], true);
    EXPECT_EQ(of_b["passed"], true);
    EXPECT_EQ(json_of(here.folder() / "batch/runs" / name / "run.json")["together"], 4);
  }
}

TEST(SweepTogether, ARunThatFailsDoesNotTakeOthersAlong) {
  const Workplace here;
  const std::string some = R"(solver: {max_cuts: 0}
sweep:
  over:
    loads.side.y: [-100, -1e9, -200, -300]
)";
  sweep_both(here, strip + some, 4, "", 5);
  for (const char* name : {"0001", "0003", "0004"})
    expect_equal_numbers(json_of(here.folder() / "alone/runs" / name / "results.json")["quantities"], json_of(here.folder() / "batch/runs" / name / "results.json")["quantities"], 1e-9);
  const nlohmann::json a = json_of(here.folder() / "alone/runs/0002/run.json"), b = json_of(here.folder() / "batch/runs/0002/run.json");
  EXPECT_EQ(b["exit_code"], a["exit_code"]);
  EXPECT_EQ(b["reason"], a["reason"]);
}

TEST(SweepTogether, OnADevice) {
  const Workplace here;
  sweep_both(here, strip + "solver: {device: emulation}\n" + points, 4);
  for (const char* name : {"0001", "0003"})
    expect_equal_numbers(json_of(here.folder() / "alone/runs" / name / "results.json")["quantities"], json_of(here.folder() / "batch/runs" / name / "results.json")["quantities"], 1e-9);
  const Ended again = here.invar({"run", "batch", "--task", "1,2", "--rerun", "all", "-v"});
  EXPECT_EQ(again.code, 0) << again.said();
  EXPECT_NE(again.out.find("together: 4 equilibria and 0 adjoints, 0 more alone"), std::string::npos) << again.out;
}

// Searches go on in lockstep, also where one ends before the others.
TEST(SweepTogether, SearchesFindTheirOptima) {
  const Workplace here;
  const std::string fit = strip + R"(design:
  - {variable: materials.silicone.young, scale: log, lower: 1e4, upper: 1e7}
objective:
  - {type: reaction, region: left, direction: [1, 0], target: -100, noise: 1}
output: {fields: none}
)";
  std::string plain = fit;
  plain.erase(plain.find("output:\n"), plain.find("design:") - plain.find("output:\n"));
  sweep_both(here, plain + "sweep:\n  over:\n    materials.silicone.poisson: [0.3, 0.4, 0.45]\n", 3);
  for (const char* name : {"0001", "0002", "0003"}) {
    const nlohmann::json a = json_of(here.folder() / "alone/runs" / name / "design.json"), b = json_of(here.folder() / "batch/runs" / name / "design.json");
    EXPECT_EQ(json_of(here.folder() / "batch/runs" / name / "run.json")["together"], 3);
    const auto young = [](const nlohmann::json& j) { return j["numbers"]["materials.silicone.young"].get<double>(); };
    EXPECT_NEAR(young(b), young(a), 1e-5 * young(a));
  }
}

TEST(SweepTogether, OtherEquationsAreRefusedAtTheirPlace) {
  const Workplace here;
  here.write("mesh.yaml", strip + "sweep:\n  together: 2\n  over:\n    mesh.rectangle.cells: [[6, 2], [8, 2]]\n");
  const Ended mesh = here.invar({"sweep", "mesh.yaml", "--out", "s"});
  EXPECT_EQ(mesh.code, 3) << mesh.said();
  EXPECT_NE(mesh.err.find("mesh.yaml:20:28: error: runs that differ in 'mesh.rectangle.cells' cannot be worked on together"), std::string::npos) << mesh.err;
  here.write("word.yaml", strip + "sweep:\n  together: 2\n  over:\n    loads.side.y: ['-100*x', -100]\n");
  const Ended word = here.invar({"sweep", "word.yaml", "--out", "s"});
  EXPECT_EQ(word.code, 3) << word.said();
  EXPECT_NE(word.err.find("runs that differ in more than numbers"), std::string::npos) << word.err;
  EXPECT_FALSE(fs::exists(here.folder() / "s"));
}

}  // namespace
}  // namespace invar::test
