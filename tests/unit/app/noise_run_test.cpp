// Errors of data that depend on each other, from the spec to results.json, the terminal and the report: 3 s.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/app/program.hpp"

namespace invar::test::noise_runs {
namespace {

constexpr int columns = 16, rows = 10;

/// Two frames of a strip of 0.1 m × 0.05 m with E = 100 kPa and ν = 0.3 that is pulled by 2 kPa, in m, with errors of 2 μm: independent, or means of
/// 3 × 3 neighbouring points as a filter makes them.
std::string filtered_points(bool filtered) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 2e-6);
  std::ostringstream csv;
  csv.precision(12);
  csv << "t,x,y,u_x,u_y\n";
  for (int frame = 1; frame <= 2; ++frame) {
    std::vector<double> e(2 * (columns + 2) * (rows + 2));
    for (double& x : e) x = normal(random);
    const auto error = [&](int i, int j, int c) {
      const auto at = [&](int a, int b) { return e[2 * (a * (rows + 2) + b) + c]; };
      if (!filtered) return at(i, j);
      double sum = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += at(i + a, j + b) / 3;
      return sum;
    };
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < rows; ++j) {
        const double x = (i + 0.5) * 0.1 / columns, y = (j + 0.5) * 0.05 / rows, strain = 1000. * frame / 1e5;
        csv << 0.5 * frame << ',' << x << ',' << y << ',' << strain * x + error(i, j, 0) << ',' << -0.3 * strain * y + error(i, j, 1) << '\n';
      }
  }
  return csv.str();
}

constexpr const char* spec = R"(title: a strip
mesh: {rectangle: {to: [0.1, 0.05], cells: [6, 3]}}
physics: {type: solid, kind: plane_stress}
materials: {strip: {model: linear_elastic, young: 5e4, poisson: 0.2}}
boundary: {left: {u_x: 0}, bottom: {u_y: 0}}
loads: {pull: {type: traction, region: right, x: 2000}}
design:
  - {variable: materials.strip.young, scale: log}
  - {variable: materials.strip.poisson}
objective:
  - {type: image_correlation, name: dic, file: points.csv, rigid_motion: RIGID, deviations: [2e-6, 2e-6]}
output:
  quantities:
    stretch: {type: mean_displacement, region: right, component: x}
)";

nlohmann::json results_of(const Workplace& here, const std::string& motion, bool filtered, int ranks = 1, std::string* said = nullptr) {
  std::string text = spec;
  here.write("spec.yaml", text.replace(text.find("RIGID"), 5, motion));
  here.write("points.csv", filtered_points(filtered));
  const Ended end = here.invar({"run", "spec.yaml"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  if (said) *said = end.said();
  return json_of(here.run_folder() / "results.json");
}

TEST(NoiseRun, OfAFilterIsFoundAndSaid) {
  for (const char* motion : {"none", "fitted"}) {
    const Workplace here;
    std::string said;
    const nlohmann::json r = results_of(here, motion, true, 1, &said);
    const nlohmann::json &inference = r["inference"], &noise = inference["noise_correlation"]["dic"];
    EXPECT_EQ(noise["is_correlated"], 1) << noise;
    EXPECT_EQ(noise["data"], 2 * 2 * columns * rows);
    // N²/Σ R_ij: the correlation of means of three is 2/3, 1/3 and 0 along an axis; of n points in a row the sum over i and j is 3 n − 8/3.
    const double effective = 640 / ((3 - 8. / 3 / columns) * (3 - 8. / 3 / rows));
    EXPECT_NEAR(noise["effective_data"].get<double>(), effective, 0.3 * effective) << noise;
    EXPECT_NEAR(noise["space"]["length"].get<double>(), 1.9 * 0.1 / columns, 0.5 * 0.1 / columns);
    EXPECT_FALSE(noise.contains("time"));
    for (const auto& [name, truth] : {std::pair{"materials.strip.young", 1e5}, {"materials.strip.poisson", 0.3}}) {
      const nlohmann::json& p = r["fit"][name];
      EXPECT_NEAR(p["value"].get<double>(), truth, 3 * p["standard_error"].get<double>()) << name;
      EXPECT_GT(p["widening"], 1.8) << name;
      EXPECT_LT(p["widening"], 4) << name;
    }
    EXPECT_NEAR(inference["chi_squared"].get<double>() / inference["expected_chi_squared"].get<double>(), 1, 0.3);
    EXPECT_EQ(inference["noise_variance"], 1);
    for (const char* words : {"the residuals of 'dic' are correlated over 0.0", "times as wide as with independent noise"}) EXPECT_NE(said.find(words), std::string::npos) << words << "\n" << said;
    EXPECT_EQ(here.invar({"report", here.run_folder().string()}).code, 0);
    EXPECT_NE(content(here.run_folder() / "report.html").find("Correlation of the noise"), std::string::npos);
  }
}

TEST(NoiseRun, IndependentErrorsChangeNothing) {
  const Workplace here;
  std::string said;
  const nlohmann::json r = results_of(here, "fitted", false, 1, &said);
  EXPECT_EQ(r["inference"]["noise_correlation"]["dic"]["is_correlated"], 0);
  EXPECT_EQ(r["inference"]["effective_data"], r["inference"]["data"]);
  EXPECT_EQ(r["inference"]["effective_degrees_of_freedom"], r["inference"]["degrees_of_freedom"]);
  EXPECT_EQ(r["fit"]["materials.strip.young"]["widening"], 1);
  EXPECT_EQ(said.find("correlated"), std::string::npos) << said;
}

/// Poisson's ratio free, and at its true value: of filtered data the two fits are compared as independent values would be, of which there are fewer.
TEST(NoiseRun, LawsAreComparedUnderTheNoiseOfTheClosestFit) {
  const Workplace here;
  here.write("points.csv", filtered_points(true));
  std::string text = spec;
  text.replace(text.find("RIGID"), 5, "fitted");
  text += "sweep:\n  design: list\n  compare_models: true\n  points:\n    - {title: free}\n"
          "    - {title: held, materials.strip.poisson: 0.3, design: [{variable: materials.strip.young, scale: log}]}\n";
  here.write("spec.yaml", text);
  const Ended swept = here.invar({"sweep", "spec.yaml", "--out", "runs"});
  ASSERT_EQ(swept.code, 0) << swept.said();
  const Ended end = here.invar({"collect", "runs"});
  const nlohmann::json c = json_of(here.folder() / "runs/summary.json")["comparison"];
  EXPECT_EQ(c["winner"], "0002") << c;
  ASSERT_TRUE(c.contains("noise")) << c;
  EXPECT_EQ(c["noise"]["of"], "0001");
  EXPECT_NE(end.said().find("errors of the data are correlated, by the residuals of 0001, the closest fit: 634 values count as "), std::string::npos) << end.said();
  const nlohmann::json free = json_of(here.folder() / "runs/runs/0001/results.json")["inference"], held = json_of(here.folder() / "runs/runs/0002/results.json")["inference"];
  const double by = free["variance_inflation"];
  EXPECT_GT(by, 3);  // intervals are about twice as wide
  EXPECT_LT(by, 12);
  const double drop = held["chi_squared"].get<double>() - free["chi_squared"].get<double>();
  EXPECT_NEAR(c["models"][1]["negative_log_evidence"].get<double>() - c["models"][0]["negative_log_evidence"].get<double>(),
              0.5 * (std::log(free["effective_data"].get<double>()) - drop / by), 1e-6);
}

/// A field that is too smooth to follow the noise: its evidence counts every value as independent, which is said, and models are not compared by it.
TEST(NoiseRun, TheEvidenceOfFieldsIsNotTrustedUnderCorrelatedErrors) {
  for (const bool filtered : {true, false}) {
    const Workplace here;
    here.write("points.csv", filtered_points(filtered));
    std::string text = spec;
    text.replace(text.find("RIGID"), 5, "fitted");
    const std::size_t from = text.find("  - {variable: materials.strip.young"), to = text.find("objective:");
    text.replace(from, to - from, "  - {kind: gaussian_field, variable: materials.strip.young, mean: 1e5, deviation: 0.1, correlation_length: 0.3, weight: {by: evidence, start: 1}}\n");
    text.replace(text.find("poisson: 0.2"), 12, "poisson: 0.3");
    text += "sweep:\n  design: list\n  compare_models: true\n  points:\n    - {title: stiff, \"design[0].weight\": 10}\n    - {title: soft, \"design[0].weight\": 1}\n";
    here.write("spec.yaml", text);
    const Ended end = here.invar({"run", "spec.yaml"});
    const nlohmann::json p = json_of(here.run_folder() / "results.json")["posterior"];
    EXPECT_EQ(p.contains("evidence_doubt"), filtered) << p;
    EXPECT_EQ(p["deviation_factor_by_evidence"].is_null(), filtered);
    EXPECT_EQ(end.said().find("the evidence counts every value as independent, although errors are correlated") != std::string::npos, filtered) << end.said();
    EXPECT_EQ(end.said().find("'weight: discrepancy' does not depend on the correlation") != std::string::npos, filtered);
    const Ended swept = here.invar({"sweep", "spec.yaml", "--out", "runs"});
    ASSERT_EQ(swept.code, 0) << swept.said();
    const Ended collected = here.invar({"collect", "runs"});
    const nlohmann::json c = json_of(here.folder() / "runs/summary.json")["comparison"];
    EXPECT_EQ(c.contains("reason"), filtered) << c;
    EXPECT_EQ(collected.said().find("and the evidence of fields counts every value as independent") != std::string::npos, filtered) << collected.said();
  }
}

TEST(NoiseRun, SeveralProcessesFindTheSame) {
  const Workplace one;
  const nlohmann::json a = results_of(one, "fitted", true);
  for (const int ranks : {2, 3}) {
    const Workplace several;
    const nlohmann::json b = results_of(several, "fitted", true, ranks);
    const auto same = [&](const nlohmann::json& x, const nlohmann::json& y) { EXPECT_NEAR(x.get<double>(), y.get<double>(), 1e-5 * std::abs(x.get<double>())); };
    same(a["inference"]["noise_correlation"]["dic"]["effective_data"], b["inference"]["noise_correlation"]["dic"]["effective_data"]);
    same(a["inference"]["noise_correlation"]["dic"]["space"]["length"], b["inference"]["noise_correlation"]["dic"]["space"]["length"]);
    same(a["inference"]["effective_degrees_of_freedom"], b["inference"]["effective_degrees_of_freedom"]);
    same(a["intervals"]["stretch"]["standard_error"], b["intervals"]["stretch"]["standard_error"]);
    same(a["fit"]["materials.strip.young"]["standard_error"], b["fit"]["materials.strip.young"]["standard_error"]);
  }
}

}  // namespace
}  // namespace invar::test::noise_runs
