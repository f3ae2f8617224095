// Material constants as fields that are symmetric, extruded, projected to two values or partly given, from the spec to the results.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/unit/app/program.hpp"

namespace invar::test::designed_fields {
namespace {

std::string field(const std::string& more) { return "{kind: field, variable: materials.steel.young, filter: cone" + more; }

/// A bar of length 1 pulled by the stress 1, without lateral contraction, so that a column of modulus E and width h grows by h/E.
std::string bar(const std::string& cells, const std::string& entry, const std::string& quantities = "") {
  return "title: a bar\n"
         "mesh: {rectangle: {to: [1, 0.2], cells: " + cells + "}, parts: {core: \"x > 0.375 && x < 0.625\", all_of_it: \"x > -1\"}}\n"
         "physics: {type: solid, kind: plane_stress, order: 1}\n"
         "materials:\n  steel: {model: linear_elastic, young: 20, poisson: 0}\n"
         "boundary:\n  left: {u_x: 0}\n  left_bottom: {u_y: 0}\n"
         "loads:\n  pull: {type: traction, region: right, x: 1}\n"
         "design:\n  - " + entry + "}\n"
         "objective:\n  - {type: markers, file: markers.csv, noise: 1e-4}\n"
         "output:\n  fields: none\n  quantities: {longer: {type: mean_displacement, region: right, component: x}" + quantities + "}\n";
}

nlohmann::json results_of(const std::string& spec, const std::string& markers, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", markers);
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json") : nlohmann::json();
}

std::string at(const std::string& name, double x, double y) {
  return name + ": {type: field_value, variable: materials.steel.young, point: [" + std::to_string(x) + ", " + std::to_string(y) + "]}";
}

// Eight columns: two in the middle, whose modulus of 7 is known, and three on each side that mirror each other. The values of a column are alike.
TEST(DesignedField, SymmetricAroundAPassiveCore) {
  const std::array<double, 8> moduli{40, 15, 30, 7, 7, 30, 15, 40};
  std::string markers = "x,y,u_x\n";
  double u = 0;
  for (int k = 0; k < 8; ++k) markers += std::to_string((k + 1) / 8.0) + ",0.1," + std::to_string((u += 0.125 / moduli[k])) + "\n";
  std::string wanted;
  for (int k = 0; k < 8; ++k) wanted += ", " + at("low" + std::to_string(k), (k + 0.5) / 8, 0.05) + ", " + at("high" + std::to_string(k), (k + 0.5) / 8, 0.15);
  const std::string spec = bar("[8, 2]", field(", radius: 0.15, passive: [{region: core, value: 7}], symmetry: [{normal: x, at: 0.5}], extrude: y"), wanted);
  for (const int ranks : {1, 2}) {
    const nlohmann::json q = results_of(spec, markers, ranks)["quantities"];
    for (int k = 0; k < 8; ++k)
      for (const char* row : {"low", "high"})
        EXPECT_NEAR(q[row + std::to_string(k)].get<double>(), moduli[k], 0.02 * moduli[k]) << row << k;
    EXPECT_EQ(q["low3"], 7);
  }
}

// Twelve columns of modulus 10 or 40, and markers with an error. The projection leaves two values, at the right places.
TEST(DesignedField, ProjectedToTwoValues) {
  const std::array<double, 12> moduli{40, 40, 10, 10, 10, 40, 40, 40, 10, 10, 40, 40};
  std::string markers = "x,y,u_x\n", wanted;
  double u = 0;
  for (int k = 0; k < 12; ++k) {
    u += 1 / 12.0 / moduli[k];
    markers += std::to_string((k + 1) / 12.0) + ",0.1," + std::to_string(u + 2e-4 * std::sin(5.0 * k)) + "\n";
    wanted += ", " + at("q" + std::to_string(k), (k + 0.5) / 12, 0.05);
  }
  const std::string entry = field(", radius: 0.1, start: 20, lower: 10, upper: 40, extrude: y");
  const auto worst = [&](const nlohmann::json& r) {
    double most = 0;
    for (int k = 0; k < 12; ++k) most = std::max(most, std::abs(std::log(r["quantities"]["q" + std::to_string(k)].get<double>() / moduli[k])));
    return most;
  };
  const nlohmann::json grey = results_of(bar("[12, 2]", entry, wanted), markers);
  const nlohmann::json sharp = results_of(bar("[12, 2]", entry + ", stages: [{iterations: 20}, {steepness: 4, iterations: 20}, {steepness: 16, iterations: 20}, {steepness: 64, iterations: 20}]", wanted), markers);
  EXPECT_GT(worst(grey), 0.05);
  EXPECT_LT(worst(sharp), 0.01);
}

TEST(DesignedField, MistakesAreToldWithTheirPlace) {
  const auto refused = [](const std::string& more, const std::vector<std::string>& words) {
    const Workplace here;
    here.write("spec.yaml", bar("[8, 2]", "{kind: field, variable: materials.steel.young, radius: 0.15" + more));
    here.write("markers.csv", "x,y,u_x\n1,0.1,0.05\n");
    const Ended end = here.invar({"validate", "spec.yaml"});
    SCOPED_TRACE(end.said());
    EXPECT_EQ(end.code, 3);
    EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
    for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
  };
  refused(", symmetry: [{normal: x, at: 0.4}]", {"has no image in the plane x = 0.4 among the designed cells"});
  refused(", symmetry: [{normal: z}]", {"the mesh has no z"});
  refused(", extrude: x, symmetry: [{normal: x, at: 0.5}]", {"an extrusion along x is symmetric in that direction already"});
  refused(", passive: [{region: all_of_it, value: 7}]", {"no cell can be designed: the whole region is passive"});
  refused(", passive: [{region: coer, value: 7}]", {"spec.yaml:12:", "the mesh has no cell region 'coer'; did you mean 'core'?"});
  refused(", passive: [{region: core, value: -7}]", {"the model allows a number > 0, and this is -7"});
  refused(", stages: [{steepness: 4}]", {"a projection pulls the values to two bounds, and the field has none", "give 'lower' and 'upper'"});
  refused(", lower: 1, stages: [{steepness: 4}]", {"and the field has one"});
  refused(", threshold: 0.3", {"the field is not projected", "give it 'stages'"});
  refused(", lower: 1, upper: 90, stages: [{}]}\n  - {kind: field, variable: materials.steel.poisson, radius: 0.15, scale: linear, lower: 0, upper: 0.4, start: 0.1, stages: [{}]",
          {"spec.yaml:13:", "the search runs in the stages of another entry of 'design' already"});
}

}  // namespace
}  // namespace invar::test::designed_fields
