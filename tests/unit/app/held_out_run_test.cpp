// Data of weight 0: what a fit predicts of them, in terminal, results and curves.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/app/program.hpp"

namespace invar::test::held_out_runs {
namespace {

/// Nominal stress of incompressible rubber in uniaxial tension: neo-Hookean, and with a term c₂ (I₁ − 3)² of the energy.
double stress_at(double stretch, double c2) {
  const double i1 = stretch * stretch + 2 / stretch;
  return 2 * (0.25 + 2 * c2 * (i1 - 3)) * (stretch - 1 / (stretch * stretch));
}

/// Values from `from` to `to` with the errors of a table: normal numbers times 0.002.
std::string csv(double from, double to, double c2, int shift) {
  constexpr double errors[] = {0.41, -1.13, 0.27, 1.52, -0.66, -0.19, 0.88, -1.37, 0.05, 0.73};
  std::string text = "stretch,stress\n";
  for (int k = 0; k < 10; ++k) {
    const double stretch = from + (to - from) * k / 9;
    char line[80];
    std::snprintf(line, sizeof line, "%.10g,%.10g\n", stretch, stress_at(stretch, c2) + 0.002 * errors[(k + shift) % 10]);
    text += line;
  }
  return text;
}

/// A neo-Hookean law fitted to stretches up to 1.5, and what it predicts of those up to 3.
nlohmann::json fit(const Workplace& here, double c2, const std::string& noise, int ranks = 1) {
  here.write("spec.yaml",
             "title: held out\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: solid, kind: plane_stress, order: 1}\n"
             "materials:\n  rubber: {model: neo_hookean_isochoric, incompressible: true, mu: 0.4}\n"
             "time: {start: 1}\nboundary:\n  left: {u_x: 0}\n  bottom: {u_y: 0}\n  right: {u_x: t - 1}\n"
             "design:\n  - {variable: materials.rubber.mu, scale: log}\n"
             "objective:\n  - {type: reaction, name: seen, region: right, direction: [1, 0], file: seen.csv, t: stretch, value: stress" + noise + "}\n"
             "  - {type: reaction, name: unseen, region: right, direction: [1, 0], weight: 0, file: unseen.csv, t: stretch, value: stress" + noise + "}\n"
             "output: {fields: none}\nexpect:\n  held_out.unseen.r_squared: {at_least: -1e9}\n");
  here.write("seen.csv", csv(1.05, 1.5, c2, 0));
  here.write("unseen.csv", csv(1.6, 3, c2, 3));
  const Ended end = here.invar({"run", "spec.yaml", "--expect"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("values that the fit was not shown"), std::string::npos) << end.said();
  const bool warned = end.said().find("the model is not exact there") != std::string::npos;
  EXPECT_EQ(warned, c2 > 0) << end.said();
  return json_of(here.run_folder() / "results.json");
}

// The numbers against their definitions, from the file of the curve and the closed form of the law.
TEST(HeldOutRun, TellsHowWellACorrectLawPredicts) {
  for (const std::string noise : {"", ", noise: 0.002"}) {
    const Workplace here;
    const nlohmann::json r = fit(here, 0, noise), of = r["held_out"]["unseen"];
    const double mu = r["fit"]["materials.rubber.mu"]["value"];
    EXPECT_NEAR(mu, 0.5, 0.01);
    double squares = 0, scatter = 0, mean = 0;
    std::vector<double> measured, model;
    std::istringstream rows(csv(1.6, 3, 0, 3));
    std::string row;
    std::getline(rows, row);
    while (std::getline(rows, row)) {
      const double stretch = std::stod(row);
      measured.push_back(std::stod(row.substr(row.find(',') + 1)));
      model.push_back(mu * (stretch - 1 / (stretch * stretch)));
      mean += measured.back() / 10;
    }
    for (std::size_t i = 0; i < 10; ++i) squares += std::pow(model[i] - measured[i], 2), scatter += std::pow(measured[i] - mean, 2);
    EXPECT_EQ(of["data"], 10);
    EXPECT_EQ(of["banded"], 10);
    EXPECT_LE(of["outside"], 2);
    EXPECT_EQ(of["widening"], 1);
    EXPECT_NEAR(of["r_squared"].get<double>(), 1 - squares / scatter, 1e-6);
    EXPECT_NEAR(of["root_mean_square"].get<double>(), std::sqrt(squares / 10), 1e-5 * std::sqrt(squares / 10));
    EXPECT_EQ(r["inference"]["data"], 10);  // the others are no part of the fit
    EXPECT_NE(content(here.run_folder() / "curves/unseen.svg").find("Both bands assume that the model is correct"), std::string::npos);
  }
}

// Data of a stiffer law: most lie outside of the band that noise and parameters explain. The bands of the file are as many times wider as the
// differences are larger, and contain them; on two processes the same.
TEST(HeldOutRun, WidensTheBandsOfAWrongLaw) {
  const Workplace here, other;
  const nlohmann::json of = fit(here, 0.01, ", noise: 0.002")["held_out"]["unseen"];
  EXPECT_GE(of["outside"], 8);
  EXPECT_LT(of["chance"], 1e-6);
  EXPECT_NEAR(of["widening"].get<double>(), std::sqrt(of["ratio"].get<double>()), 1e-12);
  EXPECT_GT(of["widening"], 3);
  std::istringstream rows(content(here.run_folder() / "curves/unseen.csv"));
  std::string row;
  std::getline(rows, row);
  int inside = 0;
  while (std::getline(rows, row)) {  // t, measured, model, difference, lower, upper, measured lower, measured upper
    std::vector<double> v;
    std::istringstream columns(row);
    for (std::string one; std::getline(columns, one, ',');) v.push_back(std::stod(one));
    ASSERT_EQ(v.size(), 8u);
    inside += v[6] < v[1] && v[1] < v[7];
    // About the noise and the error of one parameter: both bands scale alike.
    EXPECT_GT(v[7] - v[6], of["widening"].get<double>() * 2 * 1.95 * 0.002);
  }
  EXPECT_GE(inside, 9);
  EXPECT_NE(content(here.run_folder() / "curves/unseen.svg").find("for the error of the model both bands are"), std::string::npos);
  const nlohmann::json two = fit(other, 0.01, ", noise: 0.002", 2)["held_out"]["unseen"];
  EXPECT_NEAR(two["ratio"].get<double>(), of["ratio"].get<double>(), 1e-5 * of["ratio"].get<double>());
}

}  // namespace
}  // namespace invar::test::held_out_runs
