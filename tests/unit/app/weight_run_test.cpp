// Weights of priors and penalties that are found, and samples of the posterior, from the spec to the files.
#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/interrupted.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test::weight_runs {
namespace {

constexpr const char* number_design = "  - {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}";
/// Of a beam on fine cells with the modulus 100 exp(0.6 sin(5x)), with an error of 2e-4.
constexpr const char* wavy_markers = R"(x,y,u_x,u_y
0.125,0,0.00213,0.00195
0.125,0.25,-0.00230,0.00184
0.25,0,0.00341,0.00465
0.25,0.25,-0.00315,0.00462
0.375,0,0.00444,0.00906
0.375,0.25,-0.00441,0.00874
0.5,0,0.00541,0.01398
0.5,0.25,-0.00577,0.01384
0.625,0,0.00588,0.02019
0.625,0.25,-0.00717,0.02010
0.75,0,0.00692,0.02788
0.75,0.25,-0.00807,0.02721
0.875,0,0.00750,0.03648
0.875,0.25,-0.00902,0.03569
1,0,0.00750,0.04525
1,0.25,-0.00999,0.04459
)";

/// The beam on 8 × 2 cells, its modulus a field with a prior with the key `weight`.
std::string prior_beam(const std::string& weight, const Edits& edits = {}) {
  Edits all = {{number_design, "  - {kind: gaussian_field, variable: materials.rubber.young, deviation: 0.5, correlation_length: 1, weight: " + weight + "}"},
               {"cells: [4, 1]", "cells: [8, 2]"},
               {"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, noise: 2e-4}"},
               {"output:", "output:\n  quantities:\n    near: {type: field_value, variable: materials.rubber.young, point: [0.1, 0.1]}"}};
  all.insert(all.end(), edits.begin(), edits.end());
  return beam(all);
}

/// The same, a filtered field with a term that regularises it.
std::string penalty_beam(const std::string& term) {
  return beam({{number_design, "  - {kind: field, variable: materials.rubber.young, radius: 0.3, start: 80, lower: 1, upper: 10000}"},
               {"cells: [4, 1]", "cells: [8, 2]"},
               {"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, noise: 2e-4}\n  - {type: " + term + ", variable: materials.rubber.young}"},
               {"output:", "optimizer: {method: newton_cg, gradient_tolerance: 1e-5}\noutput:"}});
}

Ended run_in(const Workplace& here, const std::string& spec, std::vector<std::string> more = {}, int ranks = 1) {
  here.write("spec.yaml", spec);
  here.write("markers.csv", wavy_markers);
  more.insert(more.begin(), {"run", "spec.yaml"});
  return here.invar(more, ranks);
}

nlohmann::json found_in(const Workplace& here) { return json_of(here.run_folder() / "results.json"); }

TEST(WeightRun, EvidenceEndsWhereMacKaysStepStandsStill) {
  const Workplace here, pinned;
  const Ended end = run_in(here, prior_beam("{by: evidence, tolerance: 1e-3, curve: 5}"));
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json r = found_in(here), &w = r["weight"];
  EXPECT_EQ(w["by"], "evidence");
  EXPECT_EQ(w["found"], 1);
  EXPECT_EQ(w["of"], "materials.rubber.young");
  EXPECT_GE(w["trials"].size(), 7u);
  EXPECT_EQ(w["by_evidence"], w["value"]);
  EXPECT_NEAR(r["posterior"]["deviation_factor_by_evidence"], 1, 1e-3);
  EXPECT_NEAR(w["deviation"].get<double>() * std::sqrt(w["value"].get<double>()), 0.5, 1e-12);
  for (const nlohmann::json& t : w["trials"]) EXPECT_GE(t["negative_log_evidence"].get<double>(), r["posterior"]["negative_log_evidence"].get<double>() - 0.01) << t;
  EXPECT_NE(end.out.find("<- chosen"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("weights that each rule would choose: evidence"), std::string::npos) << end.out;
  for (const char* file : {"l_curve.csv", "l_curve.svg"}) EXPECT_GT(content(here.run_folder() / file).size(), 50u) << file;
  const Ended report = here.invar({"report", here.run_folder().string()});
  EXPECT_EQ(report.code, 0) << report.said();
  const std::string page = content(here.run_folder() / "report.html");
  for (const char* text : {"Weight of the regularisation", "L-curve: misfit and penalty", "chosen, weight"}) EXPECT_NE(page.find(text), std::string::npos) << text;
  // A run that is given the weight ends alike.
  ASSERT_EQ(run_in(pinned, prior_beam(w["value"].dump())).code, 0);
  const nlohmann::json p = found_in(pinned);
  EXPECT_FALSE(p.contains("weight"));
  EXPECT_NEAR(p["objective"], r["objective"], 1e-6 * r["objective"].get<double>());
  EXPECT_NEAR(p["quantities"]["near"], r["quantities"]["near"], 1e-4 * r["quantities"]["near"].get<double>());
  EXPECT_NEAR(p["posterior"]["resolved_directions"], r["posterior"]["resolved_directions"], 1e-3);
}

TEST(WeightRun, AWeightIsAnotherDeviation) {
  const Workplace weighted, narrow;
  ASSERT_EQ(run_in(weighted, prior_beam("4")).code, 0);
  ASSERT_EQ(run_in(narrow, prior_beam("1", {{"deviation: 0.5", "deviation: 0.25"}})).code, 0);
  const nlohmann::json a = found_in(weighted), b = found_in(narrow);
  EXPECT_NEAR(a["objective"], b["objective"], 1e-8 * b["objective"].get<double>());
  EXPECT_NEAR(a["posterior"]["fields"]["materials.rubber.young"]["mean_prior_deviation"], b["posterior"]["fields"]["materials.rubber.young"]["mean_prior_deviation"], 1e-9);
  EXPECT_NEAR(a["intervals"]["near"]["standard_error"], b["intervals"]["near"]["standard_error"], 1e-5 * b["intervals"]["near"]["standard_error"].get<double>());
}

TEST(WeightRun, DiscrepancyLeavesTheMisfitOfTheNoise) {
  for (const char* term : {"roughness, weight: discrepancy", "total_variation, width: 0.5, weight: {by: discrepancy, start: 3}"}) {
    SCOPED_TRACE(term);
    const Workplace here;
    const Ended end = run_in(here, penalty_beam(term));
    EXPECT_TRUE(end.code == 0) << end.said();
    const nlohmann::json w = found_in(here)["weight"];
    EXPECT_EQ(w["found"], 1) << w;
    EXPECT_EQ(w["data"], 32);
    for (const nlohmann::json& t : w["trials"])
      if (t["weight"] == w["value"]) {
        EXPECT_NEAR(t["chi_squared"], 32, 0.5) << w;
        EXPECT_FALSE(t.contains("negative_log_evidence"));
      }
  }
}

// Noise that is stated ten times too large: even the mean of the prior explains the data.
TEST(WeightRun, WhatNoWeightMeetsIsSaid) {
  const Workplace here;
  const Ended end = run_in(here, prior_beam("discrepancy", {{"noise: 2e-4", "noise: 0.5"}}));
  EXPECT_EQ(end.code, 5) << end.said();
  EXPECT_NE(end.said().find("no weight is found: even at the weight"), std::string::npos) << end.said();
  EXPECT_NE(end.said().find("no weight leaves as much misfit as the stated noise"), std::string::npos) << end.said();
  EXPECT_EQ(found_in(here)["weight"]["found"], 0);
}

// Samples and eigenvectors are those of any number of processes: the number that is designed besides depends on the field of each sample.
TEST(WeightRun, SamplesAreTheSameOnAnyNumberOfProcesses) {
  const std::string spec = prior_beam("2}\n  - {variable: loads.tip.y, start: 0.09, lower: 0.01, upper: 1", {{"output:", "output:\n  posterior: {samples: 3, seed: 5, modes: 2}"}});
  nlohmann::json first;
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    const Workplace here;
    const Ended end = run_in(here, spec, {}, ranks);
    ASSERT_EQ(end.code, 0) << end.said();
    const nlohmann::json p = found_in(here)["posterior"];
    ASSERT_EQ(p["samples"].size(), 3u);
    const std::string ending = ranks > 1 ? ".pvtu" : ".vtu";
    for (const std::string file : {"case_sample_1", "case_sample_3", "case_mode_1", "case_mode_2"})
      EXPECT_NE(content(here.run_folder() / "fields" / (file + ending)).find(file.find("mode") != std::string::npos ? "rubber.young_mode" : "rubber.young_sample"), std::string::npos) << file;
    for (const char* series : {"case_samples.pvd", "case_modes.pvd"}) EXPECT_TRUE(fs::exists(here.run_folder() / "fields" / series)) << series;
    if (ranks == 1) first = p;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(p["samples"][k]["loads.tip.y"], first["samples"][k]["loads.tip.y"], 1e-5 * first["samples"][k]["loads.tip.y"].get<double>());
  }
  EXPECT_NE(first["samples"][0], first["samples"][1]);
}

TEST(WeightRun, AShortPosteriorIsSaid) {
  const Workplace here;
  const Ended end = run_in(here, prior_beam("1", {{"output:", "output:\n  posterior: {rank: 1}"}}));
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("the posterior has more than 1 directions with eigenvalues above"), std::string::npos) << end.said();
  EXPECT_EQ(found_in(here)["posterior"]["rank"], 1);
  EXPECT_EQ(found_in(here)["posterior"]["truncated"], true);
  EXPECT_TRUE(found_in(here)["posterior"]["deviation_factor_by_evidence"].is_null());
}

// The optimum in another setting is solved with the weight that was found.
TEST(WeightRun, IsVerifiedWithTheWeightFound) {
  const Workplace here;
  const Ended end = run_in(here, prior_beam("{by: evidence, start: 10}") + "verify: {refine: tolerance}\n");
  EXPECT_EQ(end.code, 0) << end.said();
  const nlohmann::json r = found_in(here);
  EXPECT_NEAR(r["verification"]["checks"][0]["objective"], r["objective"], 1e-6 * r["objective"].get<double>());
  EXPECT_EQ(here.invar({"verify", here.run_folder().string()}).code, 0);
  EXPECT_EQ(found_in(here)["weight"], r["weight"]);
}

/// results.json without times.
nlohmann::json timeless(const fs::path& run) {
  nlohmann::json r = json_of(run / "results.json");
  r["posterior"].erase("seconds");
  return r;
}

TEST(WeightRun, EndsAsIfNothingHadHappened) {
  const Workplace here;
  const Ended whole = run_in(here, prior_beam("{by: evidence, start: 20, curve: 1}"), {"--out", "whole"});
  ASSERT_EQ(whole.code, 0) << whole.said();
  const int all = rows_in(here.folder() / "whole");
  ASSERT_GT(all, 12);
  int broken_off = 0;
  for (const int rows : {2, all - 3}) {
    SCOPED_TRACE(rows);
    fs::remove_all(here.folder() / "broken");
    const Ended broken = signalled(here, "broken", rows, rows == 2 ? SIGINT : SIGKILL);
    if (broken.code == 0) continue;  // it was faster than the signal
    ++broken_off;
    const Ended end = here.invar({"resume", "broken"});
    EXPECT_EQ(end.code, 0) << end.said();
    EXPECT_EQ(timeless(here.folder() / "whole"), timeless(here.folder() / "broken"));
    EXPECT_EQ(history_without_times(here.folder() / "whole"), history_without_times(here.folder() / "broken"));
  }
  EXPECT_GE(broken_off, 1);
}

TEST(WeightRun, MistakesAreToldWithTheirPlace) {
  expect_refused(penalty_beam("total_variation, width: 0.5, weight: evidence"), {"'evidence' needs a proper Gaussian prior; 'total_variation' is improper", "gaussian_field"});
  expect_refused(prior_beam("plausible"), {"weight", "evidence", "discrepancy"});
  expect_refused(prior_beam("0"), {"weight", "> 0"});
  expect_refused(prior_beam("{by: evidence, range: [2, 5]}"), {"the range does not contain the start"});
  expect_refused(prior_beam("discrepancy", {{", noise: 2e-4", ", noise: 2e-4}\n  - {type: roughness, variable: materials.rubber.young, weight: discrepancy"}}), {"one weight can be found, and that is 'weight' of 'materials.rubber.young'"});
  expect_refused(prior_beam("evidence", {{", noise: 2e-4", ", noise: 2e-4}\n  - {type: roughness, variable: materials.rubber.young, weight: 1"}}), {"the term 'roughness' is neither a measurement nor the prior"});
  expect_refused(prior_beam("evidence") + "constraints:\n  - {name: smooth, type: roughness, variable: materials.rubber.young, upper: 1}\n", {"searches without constraints", "'smooth'"});
  expect_refused(prior_beam("evidence") + "optimizer: {starts: 3}\n", {"'optimizer.starts' is larger"});
  expect_refused(beam({{"{type: markers, file: markers.csv}", "{type: markers, file: markers.csv, weight: discrepancy}"}}), {"weight"});
  expect_refused(beam({{"output:", "output:\n  posterior: {samples: 3}"}}), {"no field with a prior is designed"});
  expect_refused(prior_beam("1", {{"output:", "output:\n  fields: none\n  posterior: {samples: 3}"}}), {"'samples' are fields, and 'output.fields' is none"});
  expect_refused(penalty_beam("roughness, weight: discrepancy, target: 1"), {"the weight of a term that is minimised can be found"});
}

}  // namespace
}  // namespace invar::test::weight_runs
