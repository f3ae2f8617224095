// Optima by density as bodies on meshes that fit them: answers in closed form, what is left out, what is said, and runs.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "apps/invar/problem/fitted_problem.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/contour_split.hpp"
#include "libfem/mesh/simplex_body.hpp"
#include "tests/unit/app/interrupted.hpp"

namespace invar::test {
namespace {

/// A sheet whose density is given by a formula; it is not filtered.
std::string sheet(const std::string& mesh, const std::string& density, const std::string& rest, const std::string& kind = "plane_stress") {
  return "title: a sheet\nmesh: {" + mesh + "}\nphysics: {type: solid, kind: " + kind +
         ", order: 1}\nmaterials:\n  steel: {model: linear_elastic, young: 5, poisson: 0.3}\n"
         "design:\n  - {kind: solid_density, variable: materials.steel.young, void_share: 1e-9, start: \"" + density + "\"}\n" + rest;
}

struct Solved {
  FittedBody body;
  double fitted = 0, rounded = 0;  // objective on the fitted mesh, and on the cells of the run
};

Solved solved_as_body(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const fs::path file = here.folder() / "spec.yaml";
  Problem run = build_problem(file, {}, PETSC_COMM_WORLD);
  const DesignVector theta = run.functional->start();
  EXPECT_TRUE(run.functional->value(theta).ok);
  FittedProblem fitted = build_fitted(run, theta, file);
  Solved solved{.body = fitted.body};
  const Evaluation e = fitted.problem.functional->value(fitted.theta);
  EXPECT_TRUE(e.ok) << e.reason;
  solved.fitted = e.value;
  run.density->set_cut(0.5);
  run.functional->forget();
  solved.rounded = run.functional->value(theta).value;
  return solved;
}

constexpr const char* pulled_sheet = "boundary:\n  left: {u_x: 0}\n  left_bottom: {u_y: 0}\n  right: {u_x: 0.02}\nobjective:\n  - {type: reaction, region: right, direction: [1, 0]}\n";

// A linear displacement is exact on a mesh along any contour, of first order too.
TEST(FittedBody, AnyContourPassesThePatchTest) {
  const Mesh grid = make_rectangle(0, 0, 2, 1, 8, 4, Shape::quadrilateral);
  std::vector<double> level;
  for (int n = 0; n < grid.node_total(); ++n) level.push_back(std::sin(5 * grid.coordinates[2 * n] + 1) + std::cos(7 * grid.coordinates[2 * n + 1]) - 0.2);
  const ContourSplit split = split_at_contour(grid, level, std::vector<int>(32, 0));
  const SimplexBody all = connect(2, split, std::vector<char>(split.cells.size(), 1));
  ASSERT_EQ(all.parts, 1);
  const Workplace here;
  std::string sides;
  for (const char* side : {"left", "right", "bottom", "top"}) sides += std::string("  ") + side + ": {u_x: \"0.01*x + 0.03*y\", u_y: \"0.02*x - 0.01*y\"}\n";
  here.write("spec.yaml", "title: a patch\nmesh: {rectangle: {to: [2, 1], cells: [8, 4]}}\nphysics: {type: solid, kind: plane_stress, order: 1}\n"
                          "materials:\n  steel: {model: linear_elastic, young: 5, poisson: 0.3}\nboundary:\n" + sides +
                          "output: {fields: none}\n");
  for (const char* order : {"1", "2"}) {
    Problem problem = build_problem(here.folder() / "spec.yaml", {std::string("physics.order=") + order}, PETSC_COMM_WORLD, {{"mesh", mesh_of(grid, split, all, {1}).mesh}});
    EXPECT_GT(problem.cases[0].mesh->n_global_nodes, 45);
    ASSERT_TRUE(problem.functional->solve({}).ok);
    const CaseModel& model = problem.cases[0];
    double farthest = 0;
    model.process->with_state(model.last_step(), [&](const EvaluationPoint& u) {
      const LocalArray values(static_cast<Vec>(u));
      for (int n = 0; n < model.mesh->node_total(); ++n) {
        const double x = model.mesh->coordinates[2 * n], y = model.mesh->coordinates[2 * n + 1];
        farthest = std::max({farthest, std::abs(values.data()[model.dofs->dof(n, 0)] - (0.01 * x + 0.03 * y)), std::abs(values.data()[model.dofs->dof(n, 1)] - (0.02 * x - 0.01 * y))});
      }
    });
    EXPECT_LT(farthest, 1e-14) << order;
  }
}

// Half of a bar: the stress is that of the bar, the force half of its.
TEST(FittedBody, HalfABarHasHalfItsStiffness) {
  const Solved plane = solved_as_body(sheet("rectangle: {to: [2, 1], cells: [8, 4]}", "y < 0.5 ? 1 : 0", pulled_sheet));
  EXPECT_NEAR(plane.fitted, 5 * 0.01 * 0.5, 1e-12);
  EXPECT_NEAR(plane.body.volume, 1, 1e-12);
  const Solved space = solved_as_body(sheet("box: {to: [2, 1, 1], cells: [4, 4, 2]}", "y < 0.5 ? 1 : 0",
                                            "boundary:\n  left: {u_x: 0}\n  left_bottom_back: {u_y: 0, u_z: 0}\n  left_bottom_front: {u_y: 0}\n  right: {u_x: 0.02}\n"
                                            "objective:\n  - {type: reaction, region: right, direction: [1, 0, 0]}\n", "spatial"));
  EXPECT_NEAR(space.fitted, 5 * 0.01 * 0.5, 1e-10);
  EXPECT_NEAR(space.body.volume, 1, 1e-12);
}

// A bar whose side lies within cells; rounding puts it on the next line of the grid.
TEST(FittedBody, ASideWithinCellsIsWhereTheDensitySays) {
  const Solved s = solved_as_body(sheet("rectangle: {to: [2, 1], cells: [16, 8]}", "min(1, max(0, 0.5 + (0.58 - y)/0.5))", pulled_sheet));
  EXPECT_NEAR(s.fitted, 5 * 0.01 * 0.58, 0.004 * 5 * 0.01);
  EXPECT_NEAR(s.fitted, 5 * 0.01 * s.body.volume / 2, 1e-7);
  EXPECT_NEAR(s.rounded, 5 * 0.01 * 0.625, 1e-6);
}

/// A quarter of a sheet with a hole of radius 1 under the tractions of Lame's solution, stress 1 far away:
/// u_r = ((1 − ν) r + (1 + ν)/r)/E, measured at (1.5, 0).
double error_at_hole(int cells, bool rounded) {
  const std::string n = std::to_string(cells);
  const Solved s = solved_as_body(sheet("rectangle: {to: [4, 4], cells: [" + n + ", " + n + "]}", "min(1, max(0, 0.5 + sqrt(x^2 + y^2) - 1))",
                                        "boundary:\n  left: {u_x: 0}\n  bottom: {u_y: 0}\nloads:\n"
                                        "  a: {type: traction, region: right, x: \"1 - (x^2 - y^2)/(x^2 + y^2)^2\", y: \"-2*x*y/(x^2 + y^2)^2\"}\n"
                                        "  b: {type: traction, region: top, x: \"-2*x*y/(x^2 + y^2)^2\", y: \"1 + (x^2 - y^2)/(x^2 + y^2)^2\"}\n"
                                        "objective:\n  - {type: point, component: u_x, point: [1.5, 0]}\n"));
  return ((rounded ? s.rounded : s.fitted) - (0.7 * 1.5 + 1.3 / 1.5) / 5) / ((0.7 * 1.5 + 1.3 / 1.5) / 5);
}

TEST(FittedBody, AHoleIsThatOfLame) {
  const double coarse = error_at_hole(16, false), fine = error_at_hole(32, false), steps = error_at_hole(32, true);
  std::cout << "relative errors: fitted " << coarse << ", " << fine << "; in steps " << error_at_hole(16, true) << ", " << steps << '\n';
  // The chords of a circle lie within it by up to (h/r)²/8 of its radius, and a third of this displacement is due to it.
  EXPECT_LT(std::abs(coarse), 0.0625 / 8);
  EXPECT_LT(std::abs(fine), 0.015625 / 8);
  EXPECT_GT(std::abs(steps), 15 * std::abs(fine));
}

TEST(FittedBody, PartsWithoutSupportAreLeftOut) {
  const std::string mesh = "rectangle: {to: [2, 1], cells: [40, 20]}";
  const Solved s = solved_as_body(sheet(mesh, "max(y < 0.5 ? 1 : 0, min(1, max(0, 0.5 + (0.15 - sqrt((x - 1)^2 + (y - 0.8)^2))*8)))", pulled_sheet));
  EXPECT_EQ(s.body.islands, 1);
  const double disc = 3.14159 * 0.15 * 0.15;
  EXPECT_NEAR(s.body.island_share, disc / (1 + disc), 0.005);
  EXPECT_NEAR(s.fitted, 5 * 0.01 * 0.5, 1e-5);
}

// A part on a plane of symmetry slides along it.
TEST(FittedBody, APlaneOfSymmetryIsNoSupport) {
  const Solved s = solved_as_body(sheet("rectangle: {to: [2, 1], cells: [40, 20]}", "max(y < 0.5 ? 1 : 0, y > 0.75 && x > 0.5 && x < 1.5 ? 1 : 0)",
                                        std::string(pulled_sheet).replace(10, 0, "  top: {u_y: 0}\n")));
  EXPECT_EQ(s.body.islands, 1);
  EXPECT_EQ(s.body.loose_share, 0);
}

TEST(FittedBody, WithoutWhatCarriesTheLoadThereIsNone) {
  const std::string rest = "boundary:\n  left: {u_x: 0, u_y: 0}\nloads:\n  pull: {type: traction, region: top, y: 1}\nobjective:\n  - {type: compliance}\n";
  try {
    solved_as_body(sheet("rectangle: {to: [2, 1], cells: [8, 4]}", "y < 0.5 ? 1 : 0", rest));
    FAIL() << "no exception";
  } catch (const std::domain_error& e) {
    EXPECT_STREQ(e.what(), "the load at 'top' acts where the body has no material");
  }
  EXPECT_THROW(solved_as_body(sheet("rectangle: {to: [2, 1], cells: [8, 4]}", "0.2", pulled_sheet)), std::domain_error);
}

// ---- runs ---------------------------------------------------------------------------------------

std::string beam_to_fit(const std::string& design = "", const std::string& verify = "") {
  return "title: half a beam\nmesh: {rectangle: {to: [3, 1], cells: [30, 10]}, parts: {rim: \"y > 0.9\", gap: \"x > 1.4 && x < 1.6 && y < 0.2\"}}\nphysics: {type: solid, kind: plane_stress, order: 1}\n"
         "materials:\n  steel: {model: linear_elastic, young: 1, poisson: 0.3}\n"
         "boundary:\n  left: {u_x: 0}\n  right_bottom: {u_y: 0}\nloads:\n  load: {type: point_force, region: left_top, y: -1}\n"
         "design:\n  - {kind: solid_density, variable: materials.steel.young, radius: 0.2, start: 0.5, stages: [{iterations: 40}]" + design +
         "}\nobjective:\n  - {type: compliance}\nconstraints:\n  - {name: volume, type: material_volume, upper: 1.5, scale: 1.5}\n" + verify;
}

const nlohmann::json& fitted_check(const nlohmann::json& results) {
  for (const nlohmann::json& c : results.at("verification").at("checks"))
    if (c.at("kind") == "fitted") return c;
  throw std::logic_error("no check 'fitted'");
}

TEST(FittedBodyRun, EveryOptimumIsReportedAsABody) {
  const Workplace here;
  here.write("spec.yaml", beam_to_fit("", "verify: {refine: black_white}\n"));
  const Ended end = here.invar({"run", "spec.yaml"});
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  const nlohmann::json& c = fitted_check(results);
  std::cout << "run " << results["objective"] << ", black_white " << results["verification"]["checks"][0]["objective"] << ", fitted " << c["objective"] << ": " << c["reason"] << '\n';
  EXPECT_FALSE(c.at("asked").get<bool>());
  EXPECT_EQ(c.at("outcome"), "described");
  EXPECT_NEAR(c.at("constraints").at("volume"), 1.5, 0.005);
  EXPECT_NEAR(c.at("volume"), c.at("constraints").at("volume"), 1e-9);
  // The density between material and void is softer than either; elements of second order are softer than those of the run.
  EXPECT_LT(c.at("objective"), results.at("objective"));
  EXPECT_GT(c.at("objective"), 0.5 * results.at("objective").get<double>());
  EXPECT_EQ(c.at("member_size"), results["verification"]["checks"][0]["member_size"]);
  EXPECT_TRUE(fs::exists(here.run_folder() / "verify/fitted"));
  EXPECT_NE(end.out.find("member sizes: minimum"), std::string::npos);
}

TEST(FittedBodyRun, IsOffWhenToldSo) {
  const Workplace here;
  here.write("spec.yaml", beam_to_fit("", "verify: {body: false}\n"));
  here.invar({"run", "spec.yaml"});
  EXPECT_FALSE(json_of(here.run_folder() / "results.json").contains("verification"));
}

TEST(FittedBodyRun, PassiveCellsSymmetryAndProjectionAreKept) {
  const Workplace here;
  here.write("spec.yaml", beam_to_fit(", solid: rim, void: gap, threshold: 0.45", "verify: {refine: fitted, survive: 0.3}\n"));
  here.invar({"run", "spec.yaml", "--set", "design.0.stages[0].steepness=4"});
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  const nlohmann::json& c = fitted_check(results);
  EXPECT_EQ(c.at("outcome"), "measured") << c;
  EXPECT_NEAR(c.at("constraints").at("volume"), 1.5, 0.005);
  EXPECT_GT(c.at("share"), 0.7);
  // The quarter of the sheet that is symmetric: its mesh is not, and need not be.
  here.write("spec.yaml", beam_to_fit(", symmetry: [{normal: x, at: 1.5}]"));
  here.invar({"run", "spec.yaml"});
  EXPECT_EQ(fitted_check(json_of(here.run_folder() / "results.json")).at("outcome"), "described");
}

TEST(FittedBodyRun, IsTheSameOnAllRanks) {
  double objective[3] = {};
  for (int ranks = 1; ranks <= 3; ++ranks) {
    const Workplace here;
    here.write("spec.yaml", beam_to_fit());
    here.invar({"run", "spec.yaml", "--set", "design.0.stages[0].iterations=40"}, ranks);
    objective[ranks - 1] = fitted_check(json_of(here.run_folder() / "results.json")).at("objective");
  }
  EXPECT_NEAR(objective[1] / objective[0], 1, 1e-6);
  EXPECT_NEAR(objective[2] / objective[0], 1, 1e-6);
}

TEST(FittedBodyRun, IsRefusedWhereThereIsNoBody) {
  const Workplace here;
  here.write("spec.yaml", beam_to_fit("", "verify: {refine: fitted}\n"));
  const Ended end = here.invar({"validate", "spec.yaml", "--set", "design.0.stages[0].penalty=1"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.err.find("spec.yaml:17:18: error: the check 'fitted' cannot be conclusive: without a penalty a density is a thickness"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace invar::test
