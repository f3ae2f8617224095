// Specs of bodies whose material is distributed: loads at points, passive regions, what is refused, and the same design on any
// number of ranks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/unit/app/interrupted.hpp"

namespace invar::test {
namespace {

const char* radius = "radius: 0.5";

/// A cantilever of 8 × 4 cells, loaded at a corner.
std::string cantilever(const std::vector<std::pair<std::string, std::string>>& edits = {}) {
  std::string text =
      "title: a cantilever\n"
      "mesh: {rectangle: {to: [2, 1], cells: [8, 4]}, parts: {rim: \"y > 0.75\", core: \"x > 0.5 && x < 1 && y < 0.5\"}}\n"
      "physics: {type: solid, kind: plane_stress, order: 1}\n"
      "materials:\n  steel: {model: linear_elastic, young: 5, poisson: 0.3}\n"
      "boundary:\n  left: {u_x: 0, u_y: 0}\n"
      "loads:\n  tip: {type: point_force, region: right_bottom, y: -0.1}\n"
      "design:\n  - {kind: solid_density, variable: materials.steel.young, radius: 0.5, start: 0.5, void_share: 1e-4, stages: [{iterations: 5}]}\n"
      "objective:\n  - {type: compliance}\n"
      "constraints:\n  - {name: volume, type: material_volume, upper: 1, scale: 1}\n"
      "optimizer: {gradient_tolerance: 1e-9}\noutput: {fields: none}\n";
  for (const auto& [from, to] : edits) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no '" + from + "'");
    text.replace(at, from.size(), to);
  }
  return text;
}

nlohmann::json design_results(const std::string& spec, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_TRUE(fs::exists(here.run_folder() / "results.json")) << end.said();
  return json_of(here.run_folder() / "results.json");
}

void expect_body_refused(const std::vector<std::pair<std::string, std::string>>& edits, const std::vector<std::string>& words) {
  const Workplace here;
  here.write("spec.yaml", cantilever(edits));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_TRUE(end.err.ends_with("\n1 mistake\n")) << end.err;
  for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "' in\n" << end.err;
}

TEST(SolidTopology, RefusesWhatCannotBe) {
  expect_body_refused({{radius, "radius: 0.1"}}, {"spec.yaml:11:", "the filter's radius of 0.1 m is smaller than every cell: the smallest is 0.25 m wide"});
  expect_body_refused({{radius, "radius: 0.5, filter: cone, mass: consistent"}}, {"spec.yaml:11:", "a cone filter has no mass matrix"});
  expect_body_refused({{radius, "filter: cone"}}, {"spec.yaml:11:", "there is no filter, as its radius is 0"});
  expect_body_refused({{radius, "radius: 0.25, filter: cone"}}, {"spec.yaml:11:", "is smaller than every cell"});
  expect_body_refused({{radius, "radius: 0.5, solid: rim"}, {"upper: 1,", "upper: 0.4,"}},
                 {"spec.yaml:15:", "have a volume of 0.5 m^3 already, and 0.4 are allowed"});
  expect_body_refused({{radius, "radius: 0.5, solid: body"}}, {"no cell can be designed"});
  expect_body_refused({{radius, "radius: 0.5, void: hole"}}, {"the mesh has no cell region 'hole'", "body, rim, core"});
  expect_body_refused({{"x > 0.5", "x > 5"}}, {"spec.yaml:2:", "no cell has its middle in 'core'"});
  expect_body_refused({{"{iterations: 5}", "{penalty: 0.5}"}}, {"SIMP with a penalty of 0.5 would favour intermediate densities"});
  expect_body_refused({{"region: right_bottom", "region: right"}}, {"the mesh has no point region 'right'", "right_bottom"});
  expect_body_refused({{"start: 0.5", "start: 0.5, thresholds: [{case: thin, threshold: 0.7}]"}}, {"no case 'thin'"});
}

/// A bar of uniform density in tension, of which a quantity of its stress is the objective.
std::string uniform_bar(const std::string& objective, const std::string& rounds = "3", const std::string& kind = "solid_density, start: 0.25") {
  return "title: a bar\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}}\nphysics: {type: solid, kind: plane_stress, order: 1}\n"
         "materials:\n  steel: {model: linear_elastic, young: 5, poisson: 0.3}\nboundary:\n  left: {u_x: 0}\n  left_bottom: {u_y: 0}\n"
         "loads:\n  pull: {type: traction, region: right, x: 0.7}\ndesign:\n  - {kind: " + kind + ", variable: materials.steel.young, stages: [{iterations: 2, rounds: " + rounds +
         "}]}\nobjective:\n  - " + objective + "\noptimizer: {method: mma}\noutput: {fields: none, quantities: {peak: {type: peak_stress}}}\n";
}

// Under a traction s the strain of cells of density ρ is s/(ρ³ E): full material would have the stress s ρ⁻³ there, times ρ^q.
TEST(SolidTopology, StressIsThatOfFullMaterialRelaxed) {
  const auto value = [](const std::string& objective) {
    const Workplace here;
    here.write("spec.yaml", uniform_bar(objective));
    const Ended end = here.invar({"gradient", "spec.yaml", "--out", "here"});
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / "here/gradient.json")["objective"].get<double>();
  };
  EXPECT_NEAR(value("{type: stress_norm, exponent: 4, scaled: true}"), 0.7 * 32, 1e-6 * 0.7 * 32);
  EXPECT_NEAR(value("{type: stress_norm, exponent: 4, relaxation: 1, scaled: true, points: centres}"), 0.7 * 16, 1e-6 * 0.7 * 16);
  const double g = 0.5 * 0.0625 * (std::pow(0.7 * 64 / 20, 2) - 1);
  EXPECT_NEAR(value("{type: stress_limit, limit: 20, relaxation: 2, penalty: 6}"), 3 * g * g, 1e-6);
  EXPECT_NEAR(value("{type: stress_limit, limit: 20, relaxation: 2, penalty: 6, region: top, points: all}"), 3 * g * g, 1e-6);
}

const std::vector<std::pair<std::string, std::string>> rubber{{"linear_elastic, young: 5, poisson: 0.3", "neo_hookean, young: 5, poisson: 0.3, material_share: 1"},
                                                              {"variable: materials.steel.young", "variable: materials.steel.material_share"}};

// A block is moved through the void before another one, farther than the void is wide. Linear void lets it pass, with the force of a bar of its
// stiffness; void of the law itself cannot be turned inside out, and presses the blocks together.
TEST(SolidTopology, VoidAtFiniteStrainMayBeTurnedInsideOut) {
  const auto reaction = [](const std::string& more) {
    const Workplace here;
    here.write("spec.yaml",
               "title: two blocks, and void between them\nmesh: {rectangle: {to: [1, 1], cells: [4, 4]}}\nphysics: {type: solid, kind: plane_strain, order: 1}\n"
               "materials:\n  rubber: {model: neo_hookean, young: 5, poisson: 0, material_share: 1}\nboundary:\n  bottom: {u_x: 0, u_y: 0}\n  top: {u_x: 0, u_y: -0.6}\n"
               "design:\n  - {kind: solid_density, variable: materials.rubber.material_share, start: \"y > 0.75 || y < 0.25 ? 1 : 0\", void_share: 1e-7, " + more +
               "stages: [{iterations: 1}]}\nobjective:\n  - {type: reaction, region: bottom, direction: [0, 1]}\ntime: {steps: 2}\n");
    const Ended end = here.invar({"gradient", "spec.yaml", "--out", "here"});
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / "here/gradient.json")["objective"].get<double>();
  };
  EXPECT_NEAR(reaction(""), 5 * 1e-7 * 0.6 / 0.5, 1e-12);
  EXPECT_GT(reaction("linear_below: 0, "), 0.1);
}

TEST(SolidTopology, ChecksWhatIsDistributed) {
  auto edits = rubber;
  edits.emplace_back("kind: plane_stress, order: 1", "kind: plane_strain, formulation: mixed, order: 2");
  expect_body_refused(edits, {"spec.yaml:5:", "'material_share' is not available in the mixed formulation"});
  edits = rubber;
  edits.emplace_back("material_share: 1", "material_share: 1, finite_share: 0.5");
  expect_body_refused(edits, {"'finite_share' of the material is determined by the density"});
  expect_body_refused({{"start: 0.5", "start: 0.5, linear_below: 0.02"}}, {"only a law with the variable 'material_share' can be linear in void"});
  expect_body_refused({{"poisson: 0.3", "poisson: 0.3, finite_share: 0.5"}}, {"'finite_share' is not a constant of 'linear_elastic'"});
}

std::string with_rounds(std::string spec, const std::string& rounds) {
  const std::size_t at = spec.find("{method: mma");
  return spec.insert(at + 12, ", rounds: " + rounds);
}

TEST(SolidTopology, RoundsAndWhatTheyRenewBelongTogether) {
  const auto refused = [](const std::string& spec, const std::string& words) {
    const Workplace here;
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 3) << end.said();
    EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
  };
  refused(uniform_bar("{type: stress_limit, limit: 2}", "1"), "spec.yaml:11:1: error: multipliers of limits");
  refused(uniform_bar("{type: compliance}"), "nothing changes between rounds");
  refused(with_rounds(uniform_bar("{type: stress_limit, limit: 2}"), "4"), "spec.yaml:15:34: error: the search runs in the stages of the design already");
  std::string field = uniform_bar("{type: stress_norm, relaxation: 1}");
  const std::size_t at = field.find(", stages");
  field.replace(at, field.find("}]}") + 2 - at, ", radius: 0.5");
  field.replace(field.find("solid_density, start: 0.25"), 26, "field");
  refused(field, "there is no density, so the stress cannot be relaxed");
}

// An interrupted search continues with its multipliers, to the same last digits.
TEST(SolidTopology, RoundsAreResumed) {
  const Workplace here;
  here.write("spec.yaml", uniform_bar("{type: stress_limit, limit: 5}\n  - {type: material_volume}", "6"));
  ASSERT_EQ(here.invar({"run", "spec.yaml", "--out", "whole"}).code, 0);
  ASSERT_EQ(signalled(here, "broken", 8, SIGINT).code, 75);
  ASSERT_LT(rows_in(here.folder() / "broken"), rows_in(here.folder() / "whole"));
  ASSERT_EQ(here.invar({"resume", "broken"}).code, 0);
  expect_same(here.folder() / "whole", here.folder() / "broken");
}

// Two loads at the two corners, the weaker one of which counts less until it is the larger part.
std::string two_loads(const std::string& combine, const std::string& more = "") {
  return cantilever({{"loads:\n  tip: {type: point_force, region: right_bottom, y: -0.1}\n",
                      "cases:\n  down: {loads: {tip: {type: point_force, region: right_bottom, y: -0.1}}}\n"
                      "  aside: {loads: {tip: {type: point_force, region: right_top, x: -0.3}}}\n"},
                     {"objective:\n  - {type: compliance}\n", "combine: " + combine +
                      "\nobjective:\n  - {type: compliance, case: down, weight: 0.5}\n  - {type: compliance, case: aside, weight: 2" + more + "}\n"},
                     {"type: material_volume", "case: down, type: material_volume"},
                     {"iterations: 5", "iterations: 40"}});
}

TEST(SolidTopology, WorstOfTwoLoads) {
  const nlohmann::json sum = design_results(two_loads("sum")), worst = design_results(two_loads("worst"));
  double largest = 0;
  for (const auto& [name, value] : worst["worst_of"].items()) largest = std::max(largest, value.get<double>());
  EXPECT_EQ(worst["objective"].get<double>(), largest);
  // Both parts are the largest at the optimum, and neither optimum beats the other at what it is the optimum of.
  for (const auto& [name, value] : worst["worst_of"].items()) EXPECT_NEAR(value.get<double>(), largest, 1e-3 * largest) << name;
  double total = 0;
  for (const auto& [name, value] : worst["worst_of"].items()) total += value.get<double>();
  EXPECT_LT(sum["objective"].get<double>(), total);
  EXPECT_LT(worst["optimizer"]["relative_gradient"].get<double>(), 0.02);
}

TEST(SolidTopology, RefusesWhatCannotCompete) {
  const Workplace here;
  for (const auto& [spec, words] : {std::pair{two_loads("worst", ", target: 1"), "'compliance' is compared with data, and such terms are summed"},
                                    {two_loads("worst\noptimizer: {method: quasi_newton}\n#"), "quasi_newton does not minimise the largest of several terms; use sqp or mma"}}) {
    std::string text = spec;
    if (const std::size_t twice = text.find("optimizer: {gradient_tolerance: 1e-9}\n"); text.find("quasi_newton") != std::string::npos) text.erase(twice, 38);
    here.write("spec.yaml", text);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 3) << end.said();
    EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
  }
}

TEST(SolidTopology, PassiveRegionsStay) {
  const nlohmann::json r = design_results(cantilever({{radius, "radius: 0.5, solid: rim, void: core"}, {"output: {fields: none}",
      "output:\n  fields: none\n  quantities:\n    rim: {type: field_value, variable: materials.steel.young, point: [1, 0.9]}\n"
      "    core: {type: field_value, variable: materials.steel.young, point: [0.6, 0.1]}"}}));
  EXPECT_NEAR(r["quantities"]["rim"].get<double>(), 5, 1e-12);
  EXPECT_NEAR(r["quantities"]["core"].get<double>(), 5e-4, 1e-12);
}

// The load is at one corner; its image in the middle plane comes out alike where it is asked for, and what is extruded along x, also
// by cones, which see less of the neighbours at its ends.
TEST(SolidTopology, SymmetryAndExtrusionAreKept) {
  const auto stiffness = [](const std::string& more) {
    const nlohmann::json r = design_results(cantilever({{radius, "radius: 0.5" + more}, {"output: {fields: none}",
        "output:\n  fields: none\n  quantities:\n    low: {type: field_value, variable: materials.steel.young, point: [0.6, 0.1]}\n"
        "    high: {type: field_value, variable: materials.steel.young, point: [0.6, 0.9]}\n"
        "    far: {type: field_value, variable: materials.steel.young, point: [1.9, 0.9]}"}}));
    return std::array{r["quantities"]["low"].get<double>(), r["quantities"]["high"].get<double>(), r["quantities"]["far"].get<double>()};
  };
  const auto free = stiffness(""), mirrored = stiffness(", symmetry: [{normal: y, at: 0.5}]"), extruded = stiffness(", extrude: x, filter: cone");
  EXPECT_GT(std::abs(free[0] - free[1]), 1e-3);
  EXPECT_NEAR(mirrored[0], mirrored[1], 1e-9);
  EXPECT_GT(std::abs(mirrored[1] - mirrored[2]), 1e-3);
  EXPECT_NEAR(extruded[1], extruded[2], 1e-9);
  EXPECT_GT(std::abs(extruded[0] - extruded[1]), 1e-3);
  expect_body_refused({{radius, "radius: 0.5, symmetry: [{normal: y, at: 0.4}]"}}, {"has no image in the plane y = 0.4 among the designed cells"});
  expect_body_refused({{radius, "radius: 0.5, solid: core, symmetry: [{normal: y, at: 0.5}]"}}, {"has no image in the plane y = 0.5"});
  expect_body_refused({{radius, "radius: 0.5, symmetry: [{normal: z}]"}}, {"the mesh has no z"});
  expect_body_refused({{radius, "radius: 0.5, extrude: x, symmetry: [{normal: x, at: 1}]"}}, {"an extrusion along x is symmetric in that direction already"});
}

// Multigrid on cells whose matrix is not assembled finds the design that sparse factors find, and its gradient is certified; in
// the plane and in space, on one rank and on three.
TEST(SolidTopology, IsTheSameWithoutAMatrix) {
  const auto with = [](const std::string& method, bool space) {
    auto edits = std::vector<std::pair<std::string, std::string>>{{"output: {fields: none}", "solver: {linear: " + method + "}\noutput: {fields: none}"}};
    if (space)
      for (const auto& [from, to] : {std::pair{"rectangle: {to: [2, 1], cells: [8, 4]}, parts: {rim: \"y > 0.75\", core: \"x > 0.5 && x < 1 && y < 0.5\"}",
                                               "box: {to: [2, 1, 1], cells: [6, 3, 4]}"},
                                     {"plane_stress", "spatial"}, {"u_y: 0}", "u_y: 0, u_z: 0}"}, {"right_bottom", "right_bottom_back"}})
        edits.emplace_back(from, to);
    return cantilever(edits);
  };
  for (const bool space : {false, true}) {
    const double exact = design_results(with("mumps_cholesky", space))["objective"].get<double>();
    for (const int ranks : {1, 3})
      EXPECT_NEAR(design_results(with("cg_lattice", space), ranks)["objective"].get<double>(), exact, 1e-8 * exact) << space << ", " << ranks;
  }
  const Workplace here;
  here.write("spec.yaml", with("cg_lattice", true));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// One design on one and on three ranks, here of cones (IsTheSameWithoutAMatrix has the other filter).
TEST(SolidTopology, IsTheSameOnAllRanks) {
  const std::string spec = cantilever({{radius, "radius: 0.5, filter: cone"}});
  const nlohmann::json one = design_results(spec), three = design_results(spec, 3);
  EXPECT_NEAR(one["objective"].get<double>(), three["objective"].get<double>(), 1e-8 * one["objective"].get<double>());
}

}  // namespace
}  // namespace invar::test
