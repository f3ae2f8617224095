// Fluid-structure interaction with other forms of flow than those of Taylor–Hood elements alone: stabilised elements of equal order, and a
// passive scalar.
#include <gtest/gtest.h>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

const std::pair<std::string, std::string> on_linear_elements{"{type: fsi}", "{type: fsi, elements: equal_order}"}, with_a_scalar{"{type: fsi}", "{type: fsi, scalar: true}"},
    diffuses{"viscosity: 0.1}", "viscosity: 0.1, diffusivity: 0.05}"};
const char* const in_three_steps = "time: {scheme: bdf2, end: 0.3, steps: 3}\n";
const char* const by_numbers =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: materials.oil.density, scale: log}\n"
    "  - {variable: boundary.left.factor}\n";
const char* const by_its_wall = "  - {kind: ffd, region: top, from: [-0.1, 0.6], to: [2.5, 1.1], points: [3, 2], moves: [y], largest: 0.1}\n";
const char* const of_the_gate =
    "objective:\n"
    "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
    "  - {type: force, region: gate, direction: [1, 0], target: 1}\n"
    "  - {type: flow_rate, region: right, weight: 0.3}\n"
    "  - {type: dissipation}\n";

const char* const of_the_scalar =
    "  - {type: mean_scalar, weight: 2}\n"
    "  - {type: scalar_flow, region: right}\n"
    "  - {type: point, point: [1.2, 0.25], component: c, target: 0.3}\n";

TEST(FsiEqualOrder, DerivativesByNumbersAndShapeAreExact) { expect_certified(small_gate("", {on_linear_elements}) + by_numbers + by_its_wall + of_the_gate); }
TEST(FsiEqualOrder, DerivativesInTimeAreExact) { expect_certified(small_gate(in_three_steps, {on_linear_elements}) + by_numbers + of_the_gate); }
// The same block as in FsiSpace, and around an axis.
TEST(FsiEqualOrder, DerivativesAreExactInSpaceAndAroundAnAxis) {
  for (const bool deep : {true, false}) expect_certified(block_in_a_channel(deep, "elements: equal_order", "0.1", "", by_numbers));
}

TEST(FsiEqualOrder, RanksAgreeAtRest) { expect_ranks_agree(small_gate("", {on_linear_elements}) + by_numbers + by_its_wall + of_the_gate, {2, 3}); }
TEST(FsiEqualOrder, RanksAgreeInTime) { expect_ranks_agree(gate(in_three_steps, {on_linear_elements}) + by_numbers + by_its_wall + of_the_gate, {2, 3}); }

/// The channel with the gate of `gate`, of triangles left of the gate and quadrilaterals elsewhere, as a Gmsh file.
std::string mesh_of_both_shapes() {
  constexpr int columns = 12, rows = 6;
  const auto node = [](int i, int j) { return std::to_string(1 + i + j * (columns + 1)); };
  std::string nodes, elements;
  int count = 0;
  const auto element = [&](int type, int part, const std::vector<std::string>& of) {
    elements += std::to_string(++count) + " " + std::to_string(type) + " 2 " + std::to_string(part) + " " + std::to_string(part);
    for (const std::string& n : of) elements += " " + n;
    elements += "\n";
  };
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) nodes += node(i, j) + " " + std::to_string(0.2 * i) + " " + std::to_string(1.0 * j / rows) + " 0\n";
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const int part = i == 4 && j < 3 ? 2 : 1;
      if (i < 4) element(2, part, {node(i, j), node(i + 1, j), node(i + 1, j + 1)}), element(2, part, {node(i, j), node(i + 1, j + 1), node(i, j + 1)});
      else element(3, part, {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  for (int j = 0; j < rows; ++j) element(1, 3, {node(0, j + 1), node(0, j)}), element(1, 4, {node(columns, j), node(columns, j + 1)});
  for (int i = 0; i < columns; ++i) element(1, 5, {node(i, 0), node(i + 1, 0)}), element(1, 6, {node(i + 1, rows), node(i, rows)});
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"water\"\n2 2 \"gate\"\n1 3 \"left\"\n1 4 \"right\"\n1 5 \"bottom\"\n1 6 \"top\"\n$EndPhysicalNames\n$Nodes\n" +
         std::to_string((columns + 1) * (rows + 1)) + "\n" + nodes + "$EndNodes\n$Elements\n" + std::to_string(count) + "\n" + elements + "$EndElements\n";
}

// Stabilised forms and those of the scalar are divided by shape, on ranks that may have one of the shapes only. The second mesh is of first order
// in the file and of second order in the run.
TEST(FsiForms, RanksAgreeOnTrianglesBesideQuadrilaterals) {
  for (const bool of_equal_order : {true, false}) {
    std::string spec = of_equal_order ? gate(in_three_steps, {on_linear_elements}) + by_numbers + of_the_gate
                                      : gate(in_three_steps, {with_a_scalar, diffuses, {"v_y: 0}\n  right", "v_y: 0, c: \"y\"}\n  right"}}) + by_numbers + of_the_gate + of_the_scalar;
    const std::size_t mesh = spec.find("mesh:"), physics = spec.find("physics:");
    spec.replace(mesh, physics - mesh, "mesh: {file: both.msh}\n");
    expect_ranks_agree(spec, {2, 3}, {{"both.msh", mesh_of_both_shapes()}});
  }
}

// A mesh file with curved cells of second order: they become straight, and the numbers of the benchmark are met by 10 %.
TEST(FsiEqualOrder, ReadsMeshesOfSecondOrder) {
  const Workplace here;
  const Ended end = here.invar({"run", INVAR_SOURCE_DIR "/configs/61_fsi1.yaml", "-q", "--out", "fsi1", "--set", "physics.elements=equal_order"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json q = json_of(here.folder() / "fsi1/results.json")["quantities"];
  EXPECT_NEAR(q["drag"].get<double>(), 14.295, 0.1 * 14.295);
}

// c = s t for any motion of fluid and mesh, which steps of second order hold exactly.
TEST(FsiScalar, AnEvenSourceFillsTheFluidEvenly) {
  for (const std::string scheme : {"bdf2", "generalised_alpha", "sdirk2"}) {
    SCOPED_TRACE(scheme);
    const Workplace here;
    const nlohmann::json q = results_when_solved(here, gate("loads: {fill: {type: source, region: all, rate: 0.7}, push: {type: body_force, region: gate, x: \"60*t\"}}\n"
                                         "time: {scheme: " + scheme + ", end: 0.4, steps: 4}\n"
                                         "output:\n"
                                         "  fields: none\n"
                                         "  quantities:\n"
                                         "    mean: {type: mean_scalar}\n"
                                         "    out: {type: scalar_flow, region: right}\n"
                                         "    flow: {type: flow_rate, region: right}\n"
                                         "    behind: {type: point, point: [1.05, 0.25], component: c}\n"
                                         "    tip: {type: point, point: [0.9, 0.5], component: d_x}\n",
                                         {with_a_scalar, diffuses, {"v_y: 0}\n  right", "v_y: 0, c: \"0.7*t\"}\n  right"}}))["quantities"];
    EXPECT_GT(q["tip"].get<double>(), 0.02);
    for (const char* of : {"mean", "behind"}) EXPECT_NEAR(q[of].get<double>(), 0.28, 1e-10) << of;
    EXPECT_NEAR(q["out"].get<double>(), 0.28 * q["flow"].get<double>(), 1e-10);
  }
}

const char* const by_the_scalar =
    "  - {variable: materials.oil.diffusivity, scale: log}\n"
    "  - {variable: loads.fill.factor}\n";

std::string with_scalar(const std::string& more) {
  return small_gate("loads: {fill: {type: source, region: water, rate: \"x*(1-y)\"}}\n" + more, {with_a_scalar, diffuses, {"v_y: 0}\n  right", "v_y: 0, c: \"y\"}\n  right"}});
}
TEST(FsiScalar, DerivativesAtRestAreExact) { expect_certified(with_scalar("") + by_numbers + by_the_scalar + by_its_wall + of_the_gate + of_the_scalar); }
TEST(FsiScalar, DerivativesInTimeAreExact) {
  expect_certified(with_scalar("initial: {all: {c: \"0.2*x\"}}\n" + std::string(in_three_steps)) + by_numbers + by_the_scalar + "  - {variable: initial.all.factor}\n" + of_the_gate + of_the_scalar);
}

// A slip wall of 2.4 m that comes down at 0.1 m/s pushes the fluid out, but for what the gate gives way.
TEST(FsiForms, ASlipWallMovesWithTheMesh) {
  const Workplace here;
  const nlohmann::json q = results_when_solved(here, small_gate("loads: {wall: {type: slip, region: top, penalty: 1e6}}\ntime: {scheme: bdf2, end: 0.3, steps: 3}\n"
                                                                "output: {fields: none, quantities: {out: {type: flow_rate, region: right}}}\n",
                                                                {{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {v_x: 0, v_y: \"-0.1*y\", d_x: 0, d_y: \"-0.1*t*y\"}"},
                                                                 {"right: {v_y: 0}", "right: {v_y: \"-0.1*y\", d_x: 0, d_y: \"-0.1*t*y\"}"},
                                                                 {"top: {no_slip: true}", "top: {d_y: \"-0.1*t\"}"},
                                                                 {"young: 200,", "young: 2000,"}}))["quantities"];
  EXPECT_NEAR(q["out"].get<double>(), 0.24, 0.002);
}

TEST(FsiForms, BodiesThatLockAreNamed) {
  const Workplace here;
  here.write("spec.yaml", small_gate("", {on_linear_elements, {"poisson: 0.4,", "poisson: 0.499,"}}));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("material 'gel' is nearly incompressible"), std::string::npos) << end.said();
}

TEST(FsiForms, MistakesAreNamed) {
  const auto edited = [](const char* options, const std::string& more = "") { return gate(more, {{"{type: fsi}", std::string("{type: fsi, ") + options + "}"}}); };
  expect_refused(edited("elements: equal_order, scalar: true"), {"spec.yaml:8:53: error: a passive scalar is available in Taylor-Hood flow only", "use 'elements: taylor_hood'"});
  expect_refused(edited("elements: equal_order, formulation: mixed"), {"error: the mixed formulation needs elements of second order"});
  expect_refused(edited("scalar: true"), {"spec.yaml:10:", "diffusivity"});
  expect_refused(gate("", {diffuses}), {"'diffusivity' is for a passive scalar, and this flow has none", "set 'scalar: true'"});
  expect_refused(gate("loads: {fill: {type: source, region: all, rate: 1}}\n"), {"the load 'source' is for a passive scalar"});
  expect_refused(gate("loads: {fill: {type: source, region: gate, rate: 1}}\n", {with_a_scalar, diffuses}), {"the load 'source' acts on the whole fluid: name its region, or 'all'"});
  expect_refused(gate("output: {quantities: {q: {type: mean_scalar}}}\n"), {"this flow has no passive scalar"});
  expect_refused(gate("output: {quantities: {q: {type: mean_scalar, region: gate}}}\n", {with_a_scalar, diffuses}), {"'gate' reaches beyond the fluid, which carries the scalar"});
  // All vertices of a gate that is one cell wide are those of the fluid, too.
  expect_refused(small_gate("output: {quantities: {q: {type: mean_scalar, region: gate}}}\n", {with_a_scalar, diffuses}), {"'gate' reaches beyond the fluid"});
  expect_refused(gate("output: {quantities: {q: {type: scalar_flow, region: bottom}}}\n", {with_a_scalar, diffuses}), {"'bottom' reaches beyond the fluid", "name a part of the fluid or of its boundary"});
}

}  // namespace
}  // namespace invar::test
