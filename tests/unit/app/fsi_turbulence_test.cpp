// Turbulent flow beside bodies: against turbulent flow without them, derivatives, ranks, messages.
#include <gtest/gtest.h>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test::fsi_turbulence {
namespace {

/// Air over a block on the floor of a channel, at a Reynolds number of 2e4 by its height of 1 m. Lengths along x and y are multiplied by `by`.
struct Channel {
  double by[2] = {1, 1};
  std::string mesh(const std::string& block) const {
    const auto at = [this](int i, double length) { return std::to_string(by[i] * length); };
    const std::string inside = "x > " + at(0, 1) + " && x < " + at(0, 2) + " && y < " + at(1, 1);
    return "mesh:\n  grid:\n    columns: [{to: " + at(0, 1) + ", cells: 4}, {to: " + at(0, 2) + ", cells: 4}, {to: " + at(0, 6) + ", cells: 10}]\n    rows: [{to: " + at(1, 1) +
           ", cells: 5}, {to: " + at(1, 3) + ", cells: 6}]\n    shape: triangle\n" +
           (block == "hole" ? "  holes: {block: {from: [" + at(0, 1) + ", 0], to: [" + at(0, 2) + ", " + at(1, 1) + "]}}\n" : "  parts: {block: \"" + inside + " ? 1 : -1\", duct: \"" + inside + " ? -1 : 1\"}\n");
  }
};
const char* const options = "elements: equal_order, turbulence: spalart_allmaras";
const char* const air = "  air: {model: newtonian, density: 1, viscosity: 5e-5";

nlohmann::json without_body(const Workplace& here, const Channel& channel) {
  return results_when_solved(here, "title: a block\n" + channel.mesh("hole") + "physics: {type: flow, kind: planar, " + options + "}\nmaterials:\n" + air +
                                       "}\nboundary:\n  left: {u_x: 1, u_y: 0, chi: 3}\n  top: {no_slip: true}\n  bottom: {no_slip: true}\n  block: {no_slip: true}\n"
                                       "output:\n  fields: none\n  quantities:\n    drag: {type: force, region: block, direction: [1, 0]}\n    lift: {type: force, region: block, direction: [0, 1]}\n"
                                       "    power: {type: dissipation}\n    most: {type: extremum, component: chi, region: all, kind: max}\n")["quantities"];
}
nlohmann::json with_body(const Workplace& here, const std::string& boundary, const std::string& young, const std::string& physics = "") {
  return results_when_solved(here, "title: a block\n" + Channel().mesh("part") + "physics: {type: fsi, " + options + physics + "}\nmaterials:\n" + air +
                                       ", region: duct}\n  steel: {model: neo_hookean, region: block, young: " + young + ", poisson: 0.3, density: 2}\nboundary:\n" + boundary +
                                       "output:\n  fields: none\n  quantities:\n    drag: {type: force, region: block, direction: [1, 0]}\n    lift: {type: force, region: block, direction: [0, 1]}\n"
                                       "    power: {type: dissipation}\n    most: {type: extremum, component: chi, region: duct, kind: max}\n")["quantities"];
}
void expect_equal(const nlohmann::json& a, const nlohmann::json& b, double tolerance) {
  for (const char* q : {"drag", "lift", "power", "most"}) EXPECT_NEAR(a[q].get<double>(), b[q].get<double>(), tolerance * std::abs(b[q].get<double>())) << q;
}

// A stiff block is like a hole, and at a Reynolds number at which its wake is turbulent.
TEST(FsiTurbulence, AStiffBodyIsLikeAWall) {
  const Workplace here;
  const nlohmann::json hole = without_body(here, {});
  EXPECT_GT(hole["most"], 100);
  expect_equal(with_body(here, "  left: {v_x: 1, v_y: 0, chi: 3}\n  top: {no_slip: true}\n  bottom: {no_slip: true, clamped: true}\n", "1e9"), hole, 1e-6);  // it gives way by 1e-9
}

const GateEdits turbulent{{"{type: fsi}", "{type: fsi, elements: equal_order, turbulence: spalart_allmaras, discontinuity_capturing: 0.5}"},
                          {"viscosity: 0.1}", "viscosity: 2e-3}"},
                          {"v_y: 0}\n  right", "v_y: 0, chi: 5}\n  right"}};

// Also of the body's surface, from the side of the fluid and where it is in the flow.
TEST(FsiTurbulence, WallsThatAreNotResolvedAreTold) {
  const Workplace here;
  here.write("spec.yaml", small_gate("", turbulent));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  for (const char* wall : {"top", "bottom", "interface of water"}) EXPECT_NE(end.said().find(std::string("wall '") + wall + "': y+ reaches"), std::string::npos) << end.said();
}

// All nodes are moved as by a stretch of the plane, and the flow is that on a stretched mesh. Distances to walls follow.
TEST(FsiTurbulence, FlowOnAMovedMeshIsThatOnAMeshDrawnThere) {
  const Workplace here;
  const std::string stretched = "v_x: 0, v_y: 0, d_x: \"0.2*x\", d_y: \"-0.1*y\"";
  const nlohmann::json q = with_body(here, "  left: {v_x: 1, v_y: 0, d_x: \"0.2*x\", d_y: \"-0.1*y\", chi: 3}\n  right: {d_x: \"0.2*x\", d_y: \"-0.1*y\"}\n  top: {" + stretched +
                                               ", chi: 0}\n  bottom: {" + stretched + ", chi: 0}\n  block: {" + stretched + "}\n",
                                     "10", ", stiffening: 0, wall_distance: [top, bottom]");
  expect_equal(q, without_body(here, {{1.2, 0.9}}), 1e-8);  // what a solve leaves
}

const char* const by_numbers =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: materials.oil.density, scale: log}\n"
    "  - {variable: materials.oil.cb1}\n"
    "  - {variable: boundary.left.factor}\n";
const char* const by_its_wall = "  - {kind: ffd, region: top, from: [-0.1, 0.6], to: [2.5, 1.1], points: [3, 2], moves: [y], largest: 0.1}\n";
const char* const of_the_gate =
    "objective:\n"
    "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
    "  - {type: force, region: gate, direction: [1, 0], target: 1}\n"
    "  - {type: flow_rate, region: right, weight: 0.3}\n"
    "  - {type: point, point: [1.4, 0.5], component: chi, target: 10, weight: 0.01}\n"
    "  - {type: dissipation}\n";
const char* const in_three_steps = "initial: {all: {chi: 3}}\ntime: {scheme: bdf2, end: 0.3, steps: 3}\n";

TEST(FsiTurbulence, DerivativesAtRestAreExact) { expect_certified(small_gate("", turbulent) + by_numbers + by_its_wall + of_the_gate); }
TEST(FsiTurbulence, DerivativesInTimeAreExact) { expect_certified(small_gate(in_three_steps, turbulent) + by_numbers + "  - {variable: initial.all.chi}\n" + by_its_wall + of_the_gate); }
TEST(FsiTurbulence, RanksAgreeAtRest) { expect_ranks_agree(small_gate("", turbulent) + by_numbers + by_its_wall + of_the_gate, {2, 3}); }
// Nodes under the middle of a wide body share no cell with the fluid, and some ranks do not hold them.
TEST(FsiTurbulence, RanksAgreeBesideAWideBody) {
  expect_ranks_agree("title: a block\n" + Channel().mesh("part") + "physics: {type: fsi, " + options + "}\nmaterials:\n" + air +
                         ", region: duct}\n  gel: {model: neo_hookean, region: block, young: 200, poisson: 0.3}\n"
                         "boundary:\n  left: {v_x: 1, v_y: 0, chi: 3}\n  top: {no_slip: true}\n  bottom: {no_slip: true, clamped: true}\n"
                         "design: [{variable: materials.gel.young}, {variable: materials.air.viscosity, scale: log}]\n"
                         "objective: [{type: force, region: block, direction: [1, 0], target: 1}, {type: dissipation}]\n",
                     {2, 3});
}
// A wall that the user names, and whose nodes are free to slide along it.
TEST(FsiTurbulence, DerivativesBesideAWallThatSlidesAreExact) {
  GateEdits edits = turbulent;
  edits[0].second.replace(edits[0].second.rfind('}'), 1, ", wall_distance: [top]}");
  edits.push_back({"top: {no_slip: true}", "top: {v_x: 0, v_y: 0, d_y: \"0.06*sin(3*x)*x*(2.4-x)\", chi: 0}"});
  expect_certified(small_gate("", edits) + by_numbers + of_the_gate);
}
TEST(FsiTurbulence, RanksAgreeInTime) { expect_ranks_agree(gate(in_three_steps, turbulent) + by_numbers + by_its_wall + of_the_gate, {2, 3}); }

void expect_block_certified(bool deep) {
  expect_certified(block_in_a_channel(deep, options, "2e-3", ", chi: 5", "initial: {all: {chi: 3}}\n" + std::string(by_numbers)));
}
TEST(FsiTurbulence, DerivativesAroundAnAxisAreExact) { expect_block_certified(false); }
TEST(FsiTurbulence, DerivativesInSpaceAreExact) { expect_block_certified(true); }

// The surface of the gate is a region of the mesh that the cases share, so that one shape may be designed in both.
TEST(FsiTurbulence, ACaseWithoutItSharesItsMesh) {
  std::string spec = small_gate(by_numbers + std::string(by_its_wall) + "objective:\n  - {type: dissipation, case: fast}\n  - {type: dissipation, case: slow}\n", {{"physics: {type: fsi}\n", ""}});
  spec += "cases:\n  fast: {physics: {type: fsi, elements: equal_order, turbulence: spalart_allmaras}}\n  slow: {physics: {type: fsi, elements: equal_order}}\n";
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(FsiTurbulence, MistakesAreNamed) {
  const auto edited = [](const std::string& options, const std::string& more = "") { return gate(more, {{"{type: fsi}", "{type: fsi, " + options + "}"}}); };
  expect_refused(edited("turbulence: spalart_allmaras"), {"turbulent flow needs stabilised elements of first order", "use 'elements: equal_order'"});
  expect_refused(edited("turbulence: spalart_allmaras, elements: equal_order, scalar: true"), {"turbulent flow needs to be without a passive scalar"});
  expect_refused(edited("turbulence: spalart_allmaras, elements: equal_order, wall_distance: [tip]"), {"'tip'"});
  expect_refused(edited("wall_distance: [top]"), {"'wall_distance' is for turbulent flow, and this flow is laminar"});
  expect_refused(gate("", {{"viscosity: 0.1}", "viscosity: 0.1, cb1: 0.2}"}}), {"'cb1' is for turbulent flow, and this flow is laminar"});
  expect_refused(gate("", {{"v_y: 0}\n  right", "v_y: 0, chi: 5}\n  right"}}), {"'chi' is for turbulent flow, and this flow is laminar"});
  expect_refused(gate("initial: {all: {chi: 3}}\ntime: {scheme: bdf2, end: 0.3, steps: 3}\n"), {"'chi' is for turbulent flow"});
  expect_refused(gate("", {turbulent[0], {"bottom: {no_slip: true", "bottom: {chi: 2, no_slip: true"}}), {"chi is 0 at walls", "leave it out"});
  for (const char* word : {"stiffness", "viscosity"})
    expect_refused(small_gate("solver: {continuation: " + std::string(word) + "}\n", turbulent), {"'" + std::string(word) + "' is for laminar flow (turbulent flow is always solved in pseudo-time)"});
  expect_refused(gate("", {turbulent[0], {"model: newtonian, region", "model: newtonain, region"}}), {"did you mean 'newtonian'?"});
  expect_refused(gate("", {turbulent[0], {"region: water", "region: left"}}), {"the mesh has no cell region 'left'"});
  expect_refused(gate("", {turbulent[0], {"  top: {no_slip: true}", "  top: {no_slip: true}\n  gate: {v_x: 0, v_y: 0, d_x: 0, d_y: 0, chi: 5}"}}), {"'gate' lies on the surface of a body or rigid part, which is a wall: chi is 0 there"});
  expect_refused(gate("", {turbulent[0], {"model: newtonian", "model: carreau"}, {"viscosity: 0.1}", "viscosity_zero: 1, viscosity_inf: 0.1, relaxation_time: 1, exponent: 0.5}"}}), {"turbulence is modelled for newtonian fluids only"});
}

}  // namespace
}  // namespace invar::test::fsi_turbulence
