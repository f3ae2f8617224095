// Designs of bodies that touch, as the program runs them: shapes, obstacles that are meshes and their motions, on one and several
// processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <tuple>

#include "tests/unit/app/csv_columns.hpp"
#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/interrupted.hpp"
#include "tests/unit/app/refused.hpp"
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

TEST(ContactDesign, ShapesHaveTheSameGradientOnSeveralRanks) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  for (const bool friction : {false, true}) {
    const Workplace here;
    here.write("spec.yaml", pressed_into_a_slab(friction, std::string(rounded) + wanted_force + quiet_output));
    const Answer one = gradient_in(here, 1);
    ASSERT_GE(one.slopes.size(), 8u);
    expect_same_gradient(here, one, friction ? 2 : 3);
  }
}

// To the last digit on one process; on several processes MUMPS, which solves the mesh motion, has no fixed order of summation.
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

// Marches with friction, to the last digit on several processes, too: where no mesh is moved, by a solver that sums in the same order every time.
TEST(ContactDesign, ResumedMarchesOnSeveralRanksEndAsIfNothingHadHappened) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  const std::string spec = pressed_into_a_slab(true, "design:\n  - {variable: materials.rubber.young, scale: log}\n  - {variable: contact.faces.friction}\n") + wanted_force +
                           "optimizer: {method: quasi_newton, max_iterations: 2}\nsolver: {linear: gmres_ilu}\noutput: {fields: last}\n";
  const std::string longer = "optimizer.max_iterations=4";
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const Workplace here;
    here.write("spec.yaml", spec);
    EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "whole", "--set", longer}, ranks).code, 5);
    EXPECT_EQ(here.invar({"run", "spec.yaml", "--out", "broken"}, ranks).code, 5);
    EXPECT_LT(rows_in(here.folder() / "broken"), rows_in(here.folder() / "whole"));
    const Ended end = here.invar({"resume", "broken", "--set", longer}, ranks);
    EXPECT_EQ(end.code, 5) << end.said();
    expect_same(here.folder() / "whole", here.folder() / "broken");
  }
}

// A block's lower side that shall press as hard as it can. Rejected trials hold a search up where the first point of the side comes near the slab. Over a flat
// slab bounds of the control points keep a gap, too, and the side lies flat on it then: a limit of the gap must let the search come as far, whatever the method.
TEST(ContactDesign, ALimitOfTheUndeformedGapLetsASearchGoOnAlongIt) {
  const auto pressed_by = [](const std::string& largest, const std::string& method, const std::string& more) {
    const Workplace here;
    std::string spec = pressed_into_a_slab(false, std::string(rounded) + "objective:\n  - {type: contact_force, contact: faces, direction: [0, -1]}\noptimizer: {method: " + method + ", max_iterations: 40, function_tolerance: 1e-6}\n" + more +
                                                      "output: {fields: none, quantities: {gap: {type: undeformed_gap, contact: faces, within: 0.01}}}\n");
    for (const auto& [from, to] : {std::pair<std::string, std::string>("largest: 0.02", "largest: " + largest), {"{steps: 2}", "{steps: 1}"}}) spec.replace(spec.find(from), from.size(), to);
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"run", "spec.yaml"});
    const auto results = json_of(here.run_folder() / "results.json");
    return std::tuple(-results["objective"].get<double>(), results["quantities"]["gap"].get<double>(), end);
  };
  const auto [most, gap, bounded] = pressed_by("0.0022", "quasi_newton", "");  // 0.8 mm are left of 3 mm
  EXPECT_EQ(bounded.code, 0) << bounded.said();
  const auto [less, least, held_up] = pressed_by("0.02", "quasi_newton", "");
  EXPECT_EQ(held_up.code, 5) << held_up.said();
  EXPECT_NE(held_up.said().find("This need not be a minimum"), std::string::npos) << held_up.said();
  for (const char* method : {"mma", "sqp", "interior_point"}) {
    SCOPED_TRACE(method);
    std::ostringstream limit;
    limit << std::setprecision(15) << "constraints:\n  - {type: undeformed_gap, contact: faces, within: 0.01, lower: " << gap << "}\n";
    const auto [force, left, end] = pressed_by("0.02", method, limit.str());
    EXPECT_EQ(end.code, 0) << end.said();
    EXPECT_NEAR(left, gap, 1e-6 * gap);
    EXPECT_GT(force, most);
    EXPECT_LT(force, 1.05 * most);
  }
}

// How often the matrix got another pattern in each step does not depend on the runs before: the last one of a search has the numbers of one that is alone.
TEST(ContactDesign, PatternChangesAreThoseOfTheLastRun) {
  const Workplace here;
  const std::string output = "output: {fields: none}\n", slides = "boundary.block_top.u_x=0.15*t";
  here.write("spec.yaml", pressed_into_a_slab(true, "design:\n  - {variable: materials.rubber.young, start: 80}\n") + wanted_force + "optimizer: {method: quasi_newton, max_iterations: 1}\n" + output);
  const Ended end = here.invar({"run", "spec.yaml", "--out", "search", "--set", slides});
  ASSERT_EQ(end.code, 5) << end.said();
  here.write("alone.yaml", pressed_into_a_slab(true, output));
  std::ostringstream found;
  found << std::setprecision(17) << columns_of(content(here.folder() / "search/history.csv"))["materials.rubber.young"].back();
  const Ended alone = here.invar({"run", "alone.yaml", "--out", "alone", "--set", slides, "--set", "materials.rubber.young=" + found.str()});
  ASSERT_EQ(alone.code, 0) << alone.said();
  const std::vector<double> last = columns_of(content(here.folder() / "search/steps/case.csv"))["pattern_changes"];
  EXPECT_EQ(last, columns_of(content(here.folder() / "alone/steps/case.csv"))["pattern_changes"]);
  EXPECT_GT(std::ranges::max(last), 0);
}

/// A plough that comes down on a soft slab and is drawn over it. Designed are how deep it comes, by a number, how it is drawn, by a
/// signal, and its lower side as a shape. It is a body with cells, or the curve of `lower.obj`. more: sections besides.
std::string drawn_over_a_slab(bool has_cells, const std::string& more) {
  const std::string side = has_cells ? "plough_bottom" : "plough_lower";
  return R"(title: a plough
mesh:
  bodies:
    slab: {rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}
    plough: )" + std::string(has_cells ? "{rectangle: {from: [0.35, 0.003], to: [0.6, 0.15], cells: [3, 1]}}"
                                       : "{surface: {file: lower.obj, scale: 0.05, at: [0.1, 0.003]}}") +
         R"(
  regions: {tool: [plough]}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {region: slab, model: neo_hookean, young: 100, poisson: 0.3, density: 1}
)" + (has_cells ? "  steel: {region: plough, model: neo_hookean, young: 1000, poisson: 0.3, density: 1}\n" : "") +
         R"(boundary:
  slab_bottom: {u_x: 0, u_y: 0}
  plough: {u_y: "-0.02*t", factor: 1}
  tool: {u_x: "t", factor: 0.1}
contact:
  faces: {between: [)" + side + R"(, slab_top], distance: 0.004, stiffness: 3, friction: 0.3, slip_speed: 1e-2}
time: {scheme: bdf2, end: 1, steps: 5}
design:
  - {variable: boundary.plough.factor}
  - {kind: signal, variable: boundary.tool.factor, basis: linear, functions: 3, start: 0.1}
  - {kind: ffd, region: )" + side + R"(, from: [0.3, -0.1], to: [0.65, 0.1], points: [3, 2], degree: 2, moves: [y], frozen: [0, 0, 0, 1], scale: 0.01, largest: 0.02}
objective:
  - {type: contact_force, contact: faces, direction: [-1, 0], statistic: mean}
  - {type: contact_force, contact: faces, direction: [0, 0.2]}
)" + more;
}
/// Its flanks hold the ends of the lower side, as those of the body do.
constexpr const char* lower_side = "v 5 0 0\nv 6.666666666666667 0 0\nv 8.333333333333333 0 0\nv 10 0 0\nv 5 2.94 0\nv 10 2.94 0\ng lower\nl 1 2 3 4\ng flanks\nl 5 1\nl 4 6\n";

// The certificate compares adjoint, tangent and differences.
TEST(ContactDesign, MotionAndShapeOfAMeshedObstacle) {
  Answer answers[2];
  for (const bool has_cells : {true, false}) {
    SCOPED_TRACE(has_cells ? "with cells" : "a curve");
    const Workplace here;
    here.write("lower.obj", lower_side);
    here.write("spec.yaml", drawn_over_a_slab(has_cells, quiet_output));
    const Answer& one = answers[has_cells] = gradient_in(here, 1);
    ASSERT_EQ(one.slopes.size(), 1u + 3 + 3);
    for (std::size_t i = 0; i < one.slopes.size(); ++i) EXPECT_GT(std::abs(one.slopes[i]), 1e-3) << i;
    if (has_cells) continue;
    const Ended end = here.invar({"check", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    if (has_mpirun()) expect_same_gradient(here, one, 3);
  }
  // What lies behind the surface of an obstacle does not matter.
  EXPECT_NEAR(answers[0].objective, answers[1].objective, 1e-10 * std::abs(answers[1].objective));
  for (std::size_t i = 0; i < answers[0].slopes.size(); ++i) EXPECT_NEAR(answers[0].slopes[i], answers[1].slopes[i], 1e-8) << i;
}

/// A punch, held and moved, pressed into a block by a mixed formulation; a box of tetrahedra or triangles of STL.
std::string punched_block(bool has_cells) {
  return R"(title: a punch
mesh:
  bodies:
    block: {box: {to: [1, 1, 1], cells: [2, 1, 2]}}
    punch: )" + std::string(has_cells ? "{box: {from: [0.2, 1.003, 0.2], to: [0.8, 1.2, 0.8], cells: [1, 1, 1], shape: tetrahedron}}"
                                      : "{surface: {file: punch.stl, scale: 1e-3, at: [0.2, 1.003, 0.2]}}") +
         R"(
physics: {type: solid, kind: spatial, formulation: mixed, order: 2}
materials:
  rubber: {region: block, model: neo_hookean, young: 120, incompressible: true}
)" + (has_cells ? "  steel: {region: punch, model: neo_hookean, young: 1200, bulk: 1000}\n" : "") +
         R"(boundary:
  block_bottom: {u_x: 0, u_y: 0, u_z: 0}
  punch: {u_x: 0, u_y: -0.03*t, u_z: 0}
contact:
  faces: {between: [)" + (has_cells ? "punch_bottom" : "punch") + R"(, block_top], distance: 0.01, stiffness: 30, samples: 4}
time: {steps: 2}
output:
  fields: last
  quantities:
    force: {type: contact_force, contact: faces, direction: [0, 1, 0]}
    reaction: {type: reaction, region: punch, direction: [0, 1, 0]}
    support: {type: reaction, region: block_bottom, direction: [0, 1, 0]}
)";
}

// In 3-D, second-order, with a pressure in cells only. The surface has no mass and no stress, so its support force is the contact
// force; it is also in the output fields.
TEST(ContactDesign, SurfacesWithoutCellsActAsTheirBodies) {
  std::string stl = "solid punch\n";
  for (const auto& [x, z] : {std::pair(600, 0), std::pair(0, 600)})
    stl += "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 600 0 600\nvertex " + std::to_string(x) + " 0 " + std::to_string(z) + "\nendloop\nendfacet\n";
  double force[2];
  for (const bool has_cells : {true, false}) {
    const Workplace here;
    here.write("punch.stl", stl + "endsolid\n");
    const auto quantities = results_when_solved(here, punched_block(has_cells))["quantities"];
    force[has_cells] = quantities["force"];
    EXPECT_GT(force[has_cells], 0);
    EXPECT_NEAR(quantities["support"].get<double>(), force[has_cells], 1e-7 * force[has_cells]);
    EXPECT_NEAR(quantities["reaction"].get<double>(), -force[has_cells], 1e-7 * force[has_cells]);
    if (has_cells) continue;
    const auto file = std::ranges::find_if(fs::directory_iterator(here.run_folder() / "fields"), fs::directory_iterator(), [](const auto& f) { return f.path().extension() == ".vtu"; });
    ASSERT_NE(file, fs::directory_iterator());
    EXPECT_NE(content(file->path()).find("NumberOfCells=\"6\""), std::string::npos);  // 4 cells, 2 triangles
  }
  EXPECT_NEAR(force[0], force[1], 1e-9 * std::abs(force[1]));
}

TEST(ContactDesign, SurfacesThatCannotServeAreRefused) {
  const std::string whole = drawn_over_a_slab(false, quiet_output);
  for (const Mistake& m : {Mistake{R"(  tool: {u_x: "t", factor: 0.1})", "", "the body 'plough' has no cells, and 'u_x' of its nodes is not prescribed"},
                           Mistake{"lower.obj", "upper.obj", "upper.obj: cannot be opened"},
                           Mistake{"at: [0.1, 0.003]", "at: [0.1]", "the surface has 2 coordinates"},
                           Mistake{"{between: [plough_lower, slab_top], distance: 0.004, stiffness: 3,", "{self: plough, distance: 0.004,", "neither surface belongs to a body with material"},
                           Mistake{"{rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}", "{surface: {file: lower.obj}}", "no body has cells"}})
    expect_named(m, whole, {{"lower.obj", lower_side}});
}

}  // namespace
}  // namespace invar::test
