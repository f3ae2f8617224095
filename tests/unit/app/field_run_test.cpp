// Materials whose constants are designed as fields, from the spec to the results.
#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test::field_runs {
namespace {

constexpr const char* number_design = "  - {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}";

/// The beam, its modulus a field; `entry` and `objective` add keys and terms.
std::string field_beam(const std::string& entry, const std::string& objective = "", const Edits& edits = {}) {
  Edits all = {{number_design, "  - {kind: field, variable: materials.rubber.young, radius: 0.5" + entry + "}"},
               {"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, noise: 1e-3}" + objective}};
  all.insert(all.end(), edits.begin(), edits.end());
  return beam(all);
}

constexpr const char* smooth = "\n  - {type: roughness, variable: materials.rubber.young, weight: 0.1}";

Ended run_of(const Workplace& here, const std::string& verb, const std::string& spec, int ranks = 1) {
  here.write("spec.yaml", spec);
  here.write("markers.csv", beam_markers);
  return here.invar({verb, "spec.yaml"}, ranks);
}

void expect_refused(const std::string& spec, const std::vector<std::string>& words) {
  const Workplace here;
  const Ended end = run_of(here, "run", spec);
  SCOPED_TRACE(end.said());
  EXPECT_EQ(end.code, 3);
  EXPECT_TRUE(end.err.ends_with("\n1 mistake\n"));
  for (const std::string& word : words) EXPECT_NE(end.err.find(word), std::string::npos) << "no '" << word << "'";
}

TEST(FieldRun, CertificatesOfBothPhysicsPass) {
  const Workplace solid, flow;
  const Ended a = run_of(solid, "check", field_beam("", smooth));
  EXPECT_EQ(a.code, 0) << a.said();
  flow.write("taps.csv", "x,y,u_x,p\n0.5,0.3,0.8,5\n1.2,0.6,0.9,3\n1.7,0.2,0.5,1\n");
  const Ended b = run_of(flow, "check", channel() + R"(design:
  - {kind: field, variable: materials.water.viscosity, radius: 0.6, start: 0.4}
  - {kind: field, variable: materials.water.density, radius: 0.6, scale: linear}
objective:
  - {type: markers, file: taps.csv, noise: 0.1}
  - {type: roughness, name: of viscosity, variable: materials.water.viscosity, weight: 0.1}
  - {type: roughness, name: of density, variable: materials.water.density, weight: 0.1}
)");
  EXPECT_EQ(b.code, 0) << b.said();
}

/// A field that its roughness term makes constant equals the fitted number.
TEST(FieldRun, AStiffFieldIsANumber) {
  const Workplace one, other;
  ASSERT_EQ(run_of(one, "run", beam()).code, 0);
  const std::string heavy = "\n  - {type: roughness, variable: materials.rubber.young, weight: 1e7}";
  const Ended end = run_of(other, "run", field_beam(", start: 80", heavy, {{"output:", "output:\n  quantities:\n"
      "    near: {type: field_value, variable: materials.rubber.young, point: [0.1, 0.1]}\n"
      "    far: {type: field_value, variable: materials.rubber.young, point: [0.9, 0.1]}\n"
      "    rough: {type: roughness, variable: materials.rubber.young}"}}));
  ASSERT_EQ(end.code, 0) << end.said();
  const double young = json_of(one.run_folder() / "results.json")["fit"]["materials.rubber.young"]["value"];
  const nlohmann::json q = json_of(other.run_folder() / "results.json")["quantities"];
  EXPECT_NEAR(q["near"], young, 1e-2 * young);
  EXPECT_NEAR(q["far"], young, 1e-2 * young);
  EXPECT_LT(q["rough"], 1e-5);
  const std::string file = content(other.run_folder() / "fields/case_1.vtu");
  for (const char* name : {"material_young", "dJ_d_rubber.young"})
    EXPECT_NE(file.find("Name=\"" + std::string(name) + "\""), std::string::npos) << name;
}

TEST(FieldRun, TwoProcessesAgreeWithOne) {
  const std::string spec = field_beam(", start: 80", smooth, {{"output:", "output:\n  quantities:\n"
      "    near: {type: field_value, variable: materials.rubber.young, point: [0.1, 0.1]}\n"
      "    far: {type: field_value, variable: materials.rubber.young, point: [0.9, 0.1]}"}});
  const Workplace one, two;
  ASSERT_EQ(run_of(one, "run", spec).code, 0);
  ASSERT_EQ(run_of(two, "run", spec, 2).code, 0);
  const nlohmann::json a = json_of(one.run_folder() / "results.json"), b = json_of(two.run_folder() / "results.json");
  EXPECT_NEAR(a["objective"], b["objective"], 1e-5 * a["objective"].get<double>());
  for (const char* name : {"near", "far"})
    EXPECT_NEAR(a["quantities"][name], b["quantities"][name], 1e-2 * a["quantities"][name].get<double>()) << name;
}

TEST(FieldRun, MistakesAreToldWithTheirPlace) {
  expect_refused(field_beam("", "", {{"materials.rubber.young", "materials.rubber.yuong"}}),
                 {"spec.yaml:11:29: error: there is no constant of a material under 'materials.rubber.yuong'; did you mean 'materials.rubber.young'?",
                  "what can be a field: materials.rubber.young, materials.rubber.poisson"});
  expect_refused(field_beam("", "", {{"materials.rubber.young", "loads.tip.y"}}), {"there is no constant of a material under 'loads.tip.y'"});
  expect_refused(field_beam(", region: left"), {"the mesh has no cell region 'left'", "its cell regions: body"});
  expect_refused(field_beam(", start: 80, lower: 90"), {"the start 80 is outside the bounds [90, .inf]"});
  expect_refused(field_beam(", start: -3"), {"spec.yaml:11:73: error: the start -3 is outside the admissible range of the model: a number > 0"});
  expect_refused(field_beam("", "", {{"radius: 0.5", "radius: 0"}}), {"expected a number > 0"});
  expect_refused(field_beam("", "", {{"radius: 0.5", "radius: 0.1"}}),
                 {"spec.yaml:11:", "the filter's radius of 0.1 m is smaller than every cell: the smallest is 0.25 m wide", "at least two cells"});
  expect_refused(beam({{"{type: markers, file: markers.csv}", "{type: roughness, variable: materials.rubber.young}"}}),
                 {"spec.yaml:13:33: error: 'materials.rubber.young' is not designed as a field", "kind: field, variable: materials.rubber.young"});
  expect_refused(field_beam("}\n  - {kind: field, variable: materials.rubber.young, radius: 1"), {"'materials.rubber.young' is listed twice"});
  expect_refused(channel({{"p: 0}", "p: 0}\n  back: {type: backflow, region: right}"}}) +
                     "design:\n  - {kind: field, variable: materials.water.density, radius: 1}\nobjective:\n  - {type: dissipation}\n",
                 {"the density cannot be a field where a load on facets (backflow) reads it"});
}

}  // namespace
}  // namespace invar::test::field_runs
