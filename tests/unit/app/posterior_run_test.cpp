// Fields with a prior, from the spec to the posterior in results.json and in the files of fields.
#include <gtest/gtest.h>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test::posterior_runs {
namespace {

/// The beam on 8 × 2 cells, its modulus a field with a prior; `entry` adds keys.
std::string prior_beam(const std::string& entry = "", const Edits& edits = {}) {
  Edits all = {{"  - {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                "  - {kind: gaussian_field, variable: materials.rubber.young, deviation: 0.5, correlation_length: 1" + entry + "}"},
               {"cells: [4, 1]", "cells: [8, 2]"},
               {"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, noise: 2e-3}"},
               {"output:", "output:\n  quantities:\n    near: {type: field_value, variable: materials.rubber.young, point: [0.1, 0.1]}\n"
                           "    area: {type: volume}"}};
  all.insert(all.end(), edits.begin(), edits.end());
  return beam(all);
}

nlohmann::json results_of(const Workplace& here, const std::string& spec, const std::string& markers, int ranks = 1, std::string* said = nullptr) {
  here.write("spec.yaml", spec);
  here.write("markers.csv", markers);
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  if (said) *said = end.said();
  return json_of(here.run_folder() / "results.json");
}

constexpr const char* likely = "x,y,u_x,u_y\n1,0.25,-0.004,0.030\n0.5,0.25,-0.003,0.010\n";

TEST(PosteriorRun, SaysWhatTheDataResolve) {
  const Workplace here;
  std::string said;
  const nlohmann::json r = results_of(here, prior_beam(), likely, 1, &said);
  EXPECT_EQ(r["optimizer"]["method"], "gauss_newton");
  const nlohmann::json& p = r["posterior"];
  EXPECT_GT(p["resolved_directions"], 0.3);
  EXPECT_LE(p["resolved_directions"], 4);  // as many as data
  EXPECT_NEAR(p["chi_squared"].get<double>() / p["degrees_of_freedom"].get<double>(), p["chi_squared_per_degree"], 1e-12);
  EXPECT_NEAR(p["degrees_of_freedom"], 4 - p["resolved_directions"].get<double>(), 1e-12);
  const nlohmann::json& field = p["fields"]["materials.rubber.young"];
  EXPECT_LT(field["mean_deviation"], field["mean_prior_deviation"]);
  EXPECT_GT(r["intervals"]["near"]["standard_error"], 0);
  EXPECT_EQ(r["intervals"]["area"]["standard_error"], 0);
  EXPECT_NE(said.find("directions of the fields"), std::string::npos) << said;
  const std::string file = content(here.run_folder() / "fields/case_1.vtu");
  for (const char* name : {"rubber.young_deviation", "rubber.young_prior_deviation", "rubber.young_lower_95", "rubber.young_upper_95"})
    EXPECT_NE(file.find("Name=\"" + std::string(name) + "\""), std::string::npos) << name;
}

// The deviations found have the unit of the one given: of the modulus, for a linear scale.
TEST(PosteriorRun, OfALinearScaleDeviationsAreInTheUnitOfTheConstant) {
  const Workplace here;
  const nlohmann::json r = results_of(here, prior_beam(", scale: linear, mean: 80", {{"deviation: 0.5", "deviation: 8"}}), likely);
  const nlohmann::json& field = r["posterior"]["fields"]["materials.rubber.young"];
  EXPECT_NEAR(field["mean_prior_deviation"], 8, 1);
  EXPECT_LE(field["mean_deviation"], field["mean_prior_deviation"]);
  // A quantity that is the field's value in a cell is known no better than the best cell.
  EXPECT_GE(r["intervals"]["near"]["standard_error"].get<double>(), field["least_deviation"].get<double>() * (1 - 1e-6));
}

// A number that is designed besides the field has the interval that a quantity has which is that number.
TEST(PosteriorRun, NumbersBesideTheFieldHaveIntervals) {
  const Workplace here;
  const nlohmann::json r = results_of(here, prior_beam("}\n  - {variable: loads.tip.y, start: 0.09, lower: 0.01, upper: 1", {{"    area: {type: volume}", "    pull: {type: number, variable: loads.tip.y}"}}), likely);
  const nlohmann::json &number = r["fit"]["loads.tip.y"], &quantity = r["intervals"]["pull"];
  EXPECT_GT(number["standard_error"], 0);
  for (const char* key : {"standard_error", "lower_95", "upper_95"}) EXPECT_NEAR(number[key], quantity[key], 1e-6 * number["standard_error"].get<double>()) << key;
}

TEST(PosteriorRun, TwoProcessesAgreeWithOne) {
  const Workplace one, two;
  const nlohmann::json a = results_of(one, prior_beam(", truth: 90"), likely), b = results_of(two, prior_beam(", truth: 90"), likely, 2);
  EXPECT_NEAR(a["objective"], b["objective"], 1e-6 * a["objective"].get<double>());
  for (const char* name : {"resolved_directions", "information_gain", "chi_squared", "negative_log_evidence"})
    EXPECT_NEAR(a["posterior"][name], b["posterior"][name], 1e-4) << name;
  for (const char* name : {"mean_deviation", "least_deviation", "mean_prior_deviation", "share_covered"})
    EXPECT_NEAR(a["posterior"]["fields"]["materials.rubber.young"][name], b["posterior"]["fields"]["materials.rubber.young"][name], 1e-4) << name;
  EXPECT_NEAR(a["intervals"]["near"]["standard_error"], b["intervals"]["near"]["standard_error"],
              1e-3 * a["intervals"]["near"]["standard_error"].get<double>());
}

// Markers that move against the load cannot be explained by any modulus.
TEST(PosteriorRun, AWrongModelIsSaidPlainly) {
  const Workplace here;
  std::string said;
  const nlohmann::json r = results_of(here, prior_beam(), "x,y,u_x,u_y\n1,0.25,0.05,0.030\n0.5,0.25,-0.08,0.010\n", 1, &said);
  EXPECT_GT(r["posterior"]["noise_inflation"], 2);
  EXPECT_NE(said.find("the model does not describe the data or the noise is larger"), std::string::npos) << said;
}

// Other terms would count as knowledge of the field, and a constraint cuts the distribution off.
TEST(PosteriorRun, WithOtherTermsOrConstraintsItSaysWhyThereIsNone) {
  const std::string variation = "\n  - {type: total_variation, variable: materials.rubber.young, width: 0.3, weight: 0.1}",
                    limit = "\nconstraints:\n  - {name: smooth, type: roughness, variable: materials.rubber.young, upper: 1}";
  for (const auto& [more, why] : {std::pair{variation, "the term 'total_variation' is neither a measurement nor the prior"}, {limit, "the optimum is that under constraints ('smooth')"}}) {
    const Workplace here;
    here.write("spec.yaml", prior_beam("", {{"noise: 2e-3}", "noise: 2e-3}" + more}}));
    here.write("markers.csv", likely);
    const Ended end = here.invar({"run", "spec.yaml", "--set", "optimizer.max_iterations=0"});
    EXPECT_NE(end.said().find("the posterior cannot be computed: " + std::string(why)), std::string::npos) << end.said();
    const nlohmann::json results = json_of(here.run_folder() / "results.json");
    EXPECT_EQ(results["posterior"]["failure"].get<std::string>().find(why), 0u) << results["posterior"];
    EXPECT_FALSE(results.contains("intervals")) << results["intervals"];
  }
}

TEST(PosteriorRun, MistakesAreToldWithTheirPlace) {
  expect_refused(prior_beam("", {{", noise: 2e-3", ""}}),
                 {"a 'gaussian_field' needs the noise of all data, and a term has none", "as 'noise'"});
  expect_refused(prior_beam("", {{"deviation: 0.5", "deviation: 0"}}), {"deviation", "expected a number > 0"});
  expect_refused(prior_beam("", {{"correlation_length: 1", "correlation_length: -1"}}), {"expected a number > 0"});
  expect_refused(prior_beam("", {{"correlation_length: 1", "correlation_length: 0.1"}}),
                 {"the correlation length of 0.1 m is smaller than every cell: the smallest is 0.125 m wide", "at least ten cells"});
  expect_refused(prior_beam(", mean: -4"), {"the model allows a number > 0"});
  expect_refused(prior_beam(", mean: '80 * (1 + q)'"), {"q"});
  expect_refused(prior_beam(", region: left"), {"the mesh has no cell region 'left'"});
}

}  // namespace
}  // namespace invar::test::posterior_runs
