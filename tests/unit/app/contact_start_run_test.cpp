// Where a process with bodies that touch may begin, as the program tells.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/app/csv_columns.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A block above a slab. low: y of its bottom; boundary: of the block; more: sections besides.
std::string block_over_slab(const std::string& low, const std::string& boundary, const std::string& more) {
  return R"(title: a block over a slab
mesh:
  bodies:
    slab: {rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}
    block: {rectangle: {from: [0.2, )" + low + R"(], to: [0.8, 0.3], cells: [5, 2]}}
physics: {type: solid, kind: plane_strain, order: 1}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3)" + (more.find("bdf2") == std::string::npos ? "" : ", density: 1") + R"(}
boundary:
  slab_bottom: {u_x: 0, u_y: 0}
)" + boundary + "contact:\n  faces: {between: [block_bottom, slab_top], distance: 0.004, stiffness: 3}\noutput: {fields: none}\n" + more;
}
constexpr const char* fast = "time: {scheme: bdf2, end: 0.1, steps: 4}\n";
constexpr const char* slow = "time: {scheme: backward_euler, inertia: false, end: 0.1, steps: 2}\n";

/// The spec must be refused with its contact's position and these words.
void expect_refused_start(const std::string& spec, const std::string& words) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  const std::string line = std::to_string(std::count(spec.begin(), spec.begin() + static_cast<std::ptrdiff_t>(spec.find("  faces:")), '\n') + 1);
  EXPECT_NE(end.said().find("spec.yaml:" + line + ":10: error: " + words), std::string::npos) << end.said();
}

// The block is drawn 3 mm above the slab, and begins 97 mm below its top: wholly within, so that no surfaces cross.
TEST(ContactStart, AMarchDoesNotBeginWithABodyInsideAnother) {
  const std::string inside = "at the start 'block_bottom' and 'slab_top' (contact 'faces') intersect, at (";
  const std::string held = "  block: {u_x: 0, u_y: \"-0.1 - 0.01*t\"}\n";
  expect_refused_start(block_over_slab("0.003", "  block_top: {u_x: 0, u_y: -0.1}\n", fast + std::string("initial: {block: {u_y: -0.1}}\n")), inside);
  expect_refused_start(block_over_slab("0.003", held, fast), inside);
  expect_refused_start(block_over_slab("0.003", held, slow), inside);
  expect_refused_start(block_over_slab("0.003", "  block_top: {u_x: 0}\n", fast + std::string("initial: {block: {u_y: \"-0.1*x\"}}\n")), inside);
}

// A run without contact may end where another one cannot begin.
TEST(ContactStart, AStateOfARunMustBeFreeOfOverlaps) {
  const Workplace here;
  std::string before = block_over_slab("0.003", "  block: {u_x: 0, u_y: -t}\n", fast);
  const std::size_t contact = before.find("contact:");
  before.erase(contact, before.find("output:") - contact);
  here.write("before.yaml", before);
  ASSERT_EQ(here.invar({"run", "before.yaml", "-q", "--out", "before"}).code, 0);
  here.write("spec.yaml", block_over_slab("0.003", "", fast + std::string("initial: {from: before}\n")));
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.said().find("at the start 'block_bottom' and 'slab_top' (contact 'faces') intersect, at (0."), std::string::npos) << end.said();
}

// The other way round: what is drawn within another body, or on it, may be parted by the initial state.
TEST(ContactStart, BodiesDrawnInEachOtherMayBePartedByTheInitialState) {
  const Workplace here;
  const std::string top = "  block_top: {u_x: 0, u_y: \"0.06 - 0.03*t\"}\n", parted = fast + std::string("initial: {block: {u_y: 0.06}}\n");
  results_when_solved(here, block_over_slab("-0.05", top, parted));
  expect_refused_start(block_over_slab("-0.05", "", "time: {steps: 2}\n"), "in the undeformed state 'block_bottom' and 'slab_top' (contact 'faces') intersect, at (0.");
  expect_refused_start(block_over_slab("0", "", "time: {steps: 2}\n"), "in the undeformed state 'block_bottom' and 'slab_top' (contact 'faces') are only 0 m apart");
  expect_named({"distance: 0.004, ", "", "'block_bottom' and 'slab_top' touch in the undeformed state, so that 'distance' has no default"}, block_over_slab("0", "", "time: {steps: 2}\n"));
}

// A search for the place at which the block begins so that it is 0.2 m lower, where the slab is: trials that begin within the slab are rejected,
// and it ends on top of it, 0.05 m lower. A search that begins there ends with the reason.
TEST(ContactStart, TrialsThatBeginWithinABodyAreRejected) {
  const std::string search = fast + std::string(R"(initial: {block: {u_y: 0, v_y: 0}}
design:
  - {variable: initial.block.u_y, lower: -0.1, upper: 0.1}
objective:
  - {type: point, point: [0.5, 0.3], component: u_y, target: -0.2}
optimizer: {method: quasi_newton, max_iterations: 4}
)");
  const Workplace here;
  here.write("spec.yaml", block_over_slab("0.05", "", search));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 5) << end.said();
  auto history = columns_of(content(here.run_folder() / "history.csv"));
  EXPECT_GE(history["rejected"].back(), 3);
  EXPECT_GT(history["initial.block.u_y"].back(), -0.05);
  EXPECT_LT(history["initial.block.u_y"].back(), -0.045);
  here.write("spec.yaml", block_over_slab("0.05", "", std::string(search).insert(search.find("lower"), "start: -0.1, ")));
  const Ended at_once = here.invar({"run", "spec.yaml", "--out", "other"});
  EXPECT_EQ(at_once.code, 4) << at_once.said();
  EXPECT_NE(at_once.said().find("bodies overlap where the process begins: 'block_bottom' and 'slab_top' (contact 'faces') intersect at ("), std::string::npos) << at_once.said();
}

/// With a disc as an obstacle for the block's bottom.
std::string disc_at(const std::string& y) {
  return block_over_slab("0.003", "", "time: {steps: 1}\nloads:\n  disc: {type: obstacle, region: block_bottom, obstacle: sphere, x: 0.5, y: " + y + ", radius: 0.03, stiffness: 3, distance: 4e-3}\n");
}

/// What `validate` says of a spec that is accepted.
std::string said_of_valid(const std::string& spec, const std::vector<std::pair<std::string, std::string>>& files = {}) {
  const Workplace here;
  for (const auto& [name, text] : files) here.write(name, text);
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  return end.said();
}

// No point of the bottom is within the disc. The slab, in which it may be, has not to do with it.
TEST(ContactStart, AnObstacleInsideTheBodyIsFound) {
  expect_named({"0.003", "0.003", "in the undeformed state 'block_bottom' and the obstacle 'disc' intersect, at (0.5, 0.15)"}, disc_at("0.15"));
  said_of_valid(disc_at("-0.05"));
}

// A wall rises at the end of a surface: of the same body, or of another one that is tied to it.
TEST(ContactStart, SurfacesMayEndAtWalls) {
  const std::string ell = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"ledge\"\n2 2 \"body\"\n$EndPhysicalNames\n$Nodes\n8\n"
                          "1 0 0 0\n2 .5 0 0\n3 1 0 0\n4 0 .5 0\n5 .5 .5 0\n6 1 .5 0\n7 0 1 0\n8 .5 1 0\n$EndNodes\n$Elements\n4\n"
                          "1 1 2 1 1 5 6\n2 3 2 2 2 1 2 5 4\n3 3 2 2 2 2 3 6 5\n4 3 2 2 2 4 5 8 7\n$EndElements\n";
  std::string tied = block_over_slab("0.003", "", std::string("time: {steps: 2}\nties: {seam: {type: surfaces, follows: slab_left, to: wall_right}}\n")), cornered = tied;
  const auto change = [](std::string& text, const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
  change(tied, "    block:", "    wall: {rectangle: {from: [-0.3, -0.3], to: [0, 0.3], cells: [2, 4]}}\n    block:");
  said_of_valid(tied);
  change(cornered, "{rectangle: {from: [0, -0.3], to: [1, 0], cells: [8, 2]}}", "{file: ell.msh, at: [-0.45, -0.5]}");  // its ledge is at y = 0 from x = 0.05 on
  change(cornered, "slab_bottom: {u_x: 0, u_y: 0}", "slab: {u_x: 0, u_y: 0}");
  change(cornered, "slab_top", "slab_ledge");
  change(cornered, "ties: {seam: {type: surfaces, follows: slab_left, to: wall_right}}\n", "");
  said_of_valid(cornered, {{"ell.msh", ell}});
}

TEST(ContactStart, BodiesWithoutContactAreReportedWhereTheyOverlap) {
  std::string spec = block_over_slab("0.003", "", "time: {steps: 2}\n");
  EXPECT_EQ(said_of_valid(spec).find("within each other"), std::string::npos);
  spec.insert(spec.find("    block:"), "    other: {rectangle: {from: [0.6, 0.2], to: [0.9, 0.5], cells: [2, 2]}}\n");
  EXPECT_NE(said_of_valid(spec).find("the bodies 'other' and 'block' are drawn within each other, at (0."), std::string::npos);
}

// A shape that is to press harder than the gap allows for: trials whose undeformed side is within the slab are rejected, and said to be.
TEST(ContactStart, ShapesThatOverlapUndeformedAreNamedAsThat) {
  const Workplace here;
  here.write("spec.yaml", block_over_slab("0.003", "  block_top: {u_x: 0, u_y: -0.03*t}\n", std::string(R"(time: {steps: 1}
design:
  - {kind: ffd, region: block_bottom, from: [0.1, -0.1], to: [0.9, 0.1], points: [4, 2], degree: 2, moves: [y], scale: 0.01, largest: 0.05}
objective:
  - {type: contact_force, contact: faces, direction: [0, 1], target: 6}
optimizer: {method: quasi_newton, max_iterations: 30, step_tolerance: 1e-3}
)")));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 5) << end.said();
  EXPECT_NE(end.said().find("every shorter step is rejected because its evaluation fails: in the undeformed state the boundary crosses itself near (0."), std::string::npos) << end.said();
}

// A flat surface never faces itself.
TEST(ContactStart, TheGapOfAFlatSurfaceIsBoundedByItsSize) {
  const Workplace here;
  std::string spec = block_over_slab("0.003", "  block_top: {u_x: 0, u_y: 0}\n", "time: {steps: 1}\n");
  for (const auto& [from, to] : {std::pair("between: [block_bottom, slab_top]", "self: slab_top"), {"{fields: none}", "{fields: none, quantities: {gap: {type: smallest_gap, contact: faces}}}"}})
    spec.replace(spec.find(from), std::string(from).size(), to);
  EXPECT_NEAR(results_when_solved(here, spec)["quantities"]["gap"].get<double>(), 1, 1e-12);
}

}  // namespace
}  // namespace invar::test
