#include <gtest/gtest.h>

#include <cmath>

#include "apps/invar/page/run_files.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

std::string body(const std::string& more = "") {
  return R"(
mesh: {rectangle: {to: [1, 0.2], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: linear_elastic, young: 1e4, poisson: 0.3)" +
         more + R"(}
boundary:
  left: {u_x: 0, u_y: 0}
)";
}

json results_of_run(const Workplace& here, const std::string& spec) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  return json_of(here.run_folder() / "results.json");
}

/// Standard error relative to the value.
double relative_error(const json& results, const std::string& quantity) {
  return results["intervals"][quantity]["standard_error"].get<double>() / std::abs(results["quantities"][quantity].get<double>());
}
double relative_error_of_fit(const json& results, const std::string& number) {
  const json fit = results["fit"][number];
  return fit["standard_error"].get<double>() / std::abs(fit["value"].get<double>());
}

/// Under a given load a linear body's displacements and energy go as 1/E, on a frame that it does not move as E⁰.
TEST(Prediction, OfALinearBodyGoesAsItsModulus) {
  const Workplace here;
  const json results = results_of_run(here, std::string("title: a beam\n") + body() + R"(
loads:
  tip: {type: traction, region: right, y: 1}
design:
  - {variable: materials.rubber.young, scale: log, start: 7e3}
objective:
  - {type: point, point: [0.5, 0.1], component: u_y, target: 0.04, noise: 0.002}
output:
  fields: none
  quantities:
    tip: {type: point, point: [1, 0.1], component: u_y}
    energy: {type: stored_energy}
    most: {type: extremum, component: u_y, from: [0, 0.1], to: [1, 0.1], kind: max}
    area: {type: volume}
)");
  const double of_modulus = relative_error_of_fit(results, "materials.rubber.young");
  EXPECT_NEAR(of_modulus, 0.002 / 0.04, 1e-6);  // the datum goes as 1/E, too
  for (const char* quantity : {"tip", "energy", "most"})
    EXPECT_NEAR(relative_error(results, quantity), of_modulus, 1e-6 * of_modulus) << quantity;
  EXPECT_NEAR(relative_error(results, "area"), 0, 1e-12);
  const json tip = results["intervals"]["tip"];
  const double width = tip["upper_95"].get<double>() - tip["lower_95"].get<double>();
  EXPECT_NEAR(width / tip["standard_error"].get<double>(), 2 * 1.959964, 1e-5);
}

/// A linear body's displacement goes as t/E: the band of the curve is that of the slope, which opens with t, and a new
/// measurement adds its noise. The data scatter by 0.00127: as is stated, by three times what is stated, so that the bands
/// are corrected, or nothing is stated.
TEST(Prediction, BandsAlongALineAreThoseOfItsSlope) {
  const Workplace here;
  here.write("tip.csv", "t,u\n1,0.0421\n0.25,0.0089\n0.5,0.0205\n0.75,0.0294\n");
  for (const char* stated : {"0.0012", "0.0004", ""}) {
    const std::string noise = stated;
    const json results = results_of_run(here, std::string("title: a beam\n") + body() + R"(
loads:
  tip: {type: traction, region: right, y: 1}
design:
  - {variable: materials.rubber.young, scale: log, start: 7e3}
objective:
  - {type: point, point: [0.5, 0.1], component: u_y, file: tip.csv, t: t, value: u)" + (noise.empty() ? "}" : ", noise: " + noise + "}") + R"(
output: {fields: none, report: true}
)");
    const NumberTable curve = numbers_in(here.run_folder() / "curves/point.csv");
    ASSERT_EQ(curve.rows(), 4u);
    const auto at = [&](const char* column, std::size_t i) { return (*curve.find(column))[i]; };
    double squares = 0, moments = 0;  // Σ (y − m)², Σ y²
    for (std::size_t i = 0; i < 4; ++i) {
      squares += std::pow(at("model", i) - at("measured", i), 2);
      moments += std::pow(at("model", i), 2);
    }
    const bool as_stated = noise == "0.0012";
    const double sigma = as_stated ? 0.0012 : std::sqrt(squares / 3), quantile = as_stated ? 1.9599640 : 3.1824463;
    for (std::size_t i = 0; i < 4; ++i) {
      const double y = at("model", i), of_slope = sigma * y / std::sqrt(moments);
      EXPECT_NEAR(at("upper_95", i) - y, quantile * of_slope, 1e-6 * y) << i;
      EXPECT_NEAR(y - at("lower_95", i), quantile * of_slope, 1e-6 * y) << i;
      EXPECT_NEAR(at("measured_upper_95", i) - y, quantile * std::hypot(sigma, of_slope), 1e-6 * y) << i;
      EXPECT_NEAR(y - at("measured_lower_95", i), quantile * std::hypot(sigma, of_slope), 1e-6 * y) << i;
    }
    EXPECT_NEAR(at("model", 0) / at("model", 1), 4, 1e-9);
    // The same drawing in the folder and on the page, on which colours follow the reader's.
    const std::string chart = content(here.run_folder() / "curves/point.svg"), page = content(here.run_folder() / "report.html");
    const std::string band = chart.substr(chart.find("class=\"band-0\""), 120);
    EXPECT_NE(page.find(band), std::string::npos) << band;
    EXPECT_EQ(chart.find("var("), std::string::npos);
    EXPECT_EQ(results["fit"].size(), 1u);
  }
}

/// Quantities that nothing was measured on have bands along their whole curve, from the modulus' interval alone: under a given
/// load displacements and energies of a linear body go as 1/E at every load, and its volume does not depend on E. The limits are q
/// y se(log E) to both sides, with the standard error of the fit. The same along time, where a body without inertia follows its
/// load.
TEST(Prediction, CurvesOfQuantitiesHaveTheBandOfTheModulus) {
  const Workplace here;
  for (const std::string time : {"time: {steps: 5}\n", "time: {scheme: backward_euler, end: 1, steps: 5, inertia: false}\n"}) {
    const json results = results_of_run(here, std::string("title: a beam\n") + body() + time + R"(
loads:
  tip: {type: traction, region: right, y: t}
design:
  - {variable: materials.rubber.young, scale: log, start: 7e3}
objective:
  - {type: point, point: [0.5, 0.1], component: u_y, target: 0.04, noise: 0.002}
output:
  fields: none
  report: true
  probes:
    end: {point: [1, 0.1], component: u_y}
  quantities:
    tip: {type: point, point: [1, 0.1], component: u_y}
    energy: {type: stored_energy}
    area: {type: volume}
)");
    const double of_modulus = relative_error_of_fit(results, "materials.rubber.young");
    constexpr double quantile = 1.9599640;
    for (const auto& [name, share] : {std::pair("tip", 1.0), std::pair("energy", 1.0), std::pair("area", 0.0)}) {
      const NumberTable curve = numbers_in(here.run_folder() / "curves" / (name + std::string(".csv")));
      ASSERT_GE(curve.rows(), 5u) << name << time;
      ASSERT_TRUE(curve.find("lower_95") && curve.find("upper_95")) << name << time;
      for (std::size_t i = 0; i < curve.rows(); ++i) {
        const double y = (*curve.find("value"))[i], half = share * quantile * of_modulus * std::abs(y), allowed = 1e-6 * std::abs(y) + 1e-12;
        EXPECT_NEAR((*curve.find("upper_95"))[i] - y, half, allowed) << name << i << time;
        EXPECT_NEAR(y - (*curve.find("lower_95"))[i], half, allowed) << name << i << time;
      }
      // At its end it is the interval of the number.
      const json interval = results["intervals"][name];
      EXPECT_NEAR((*curve.find("upper_95")).back(), interval["upper_95"].get<double>(), 1e-9 * std::abs(interval["upper_95"].get<double>())) << name << time;
    }
    EXPECT_NEAR(results["probe_intervals"]["end"]["upper_95"].get<double>(), results["intervals"]["tip"]["upper_95"].get<double>(), 1e-9);
    const std::string page = content(here.run_folder() / "report.html");
    EXPECT_NE(page.find("Band: 95 % confidence band of the curve"), std::string::npos);
  }
}

/// Predictions for one experiment from the data of another: frequencies go as √E, displacements as 1/E.
TEST(Prediction, OfAFrequencyIsThatOfAPerturbedRun) {
  const Workplace here;
  const auto spec = [&](const std::string& rest) {
    return std::string("title: a swing\n") + body(", density: 1") + R"(
cases:
  rest:
    loads:
      tip: {type: traction, region: right, y: 1}
  swing:
    initial:
      all: {v_y: "0.1*x"}
    time: {scheme: newmark, end: 1.5, steps: 150}
output:
  fields: none
  quantities:
    frequency: {case: swing, type: point, point: [1, 0.1], component: u_y, statistic: frequency}
    highest: {case: swing, type: point, point: [1, 0.1], component: u_y, statistic: max}
)" + rest;
  };
  const json results = results_of_run(here, spec(R"(
design:
  - {variable: materials.rubber.young, scale: log, start: 9e3}
objective:
  - {case: rest, type: point, point: [0.5, 0.1], component: u_y, target: 0.04, noise: 0.002}
)"));
  const double young = results["fit"]["materials.rubber.young"]["value"].get<double>();
  const double of_modulus = relative_error_of_fit(results, "materials.rubber.young");
  EXPECT_NEAR(relative_error(results, "frequency"), 0.5 * of_modulus, 0.02 * of_modulus);
  here.write("spec.yaml", spec(""));
  const auto simulated = [&](double change) {
    char set[80];
    std::snprintf(set, sizeof set, "materials.rubber.young=%.17g", young * std::exp(change));
    const Ended end = here.invar({"run", "spec.yaml", "-q", "--set", set, "--out", "moved"});
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.folder() / "moved/results.json")["quantities"];
  };
  // By differences near by, and roughly over the interval itself.
  for (const auto& [change, tolerance] : {std::pair{1e-5, 1e-3}, std::pair{of_modulus, 0.1}}) {
    const json up = simulated(change), down = simulated(-change);
    for (const char* quantity : {"frequency", "highest"}) {
      const double slope = (up[quantity].get<double>() - down[quantity].get<double>()) / (2 * change);
      const double error = results["intervals"][quantity]["standard_error"].get<double>();
      EXPECT_NEAR(error, std::abs(slope) * of_modulus, tolerance * error) << quantity << ", changed by " << change;
    }
  }
}

/// Data that see only the ratio of load and stiffness determine displacements, but no energy.
TEST(Prediction, SaysWhatTheDataDoNotDetermine) {
  const Workplace here;
  const json results = results_of_run(here, std::string("title: a beam\n") + body() + R"(
loads:
  tip: {type: traction, region: right, y: 1}
design:
  - {variable: materials.rubber.young, scale: log}
  - {variable: loads.tip.y, lower: 0.1, upper: 10}
objective:
  - {name: near, type: point, point: [0.5, 0.1], component: u_y, target: 0.04, noise: 0.002}
  - {name: far, type: point, point: [1, 0.1], component: u_y, target: 0.12, noise: 0.002}
output:
  fields: none
  quantities:
    middle: {type: point, point: [0.75, 0.1], component: u_y}
    energy: {type: stored_energy}
)");
  EXPECT_EQ(results["inference"]["all_identifiable"], 0);
  EXPECT_EQ(results["intervals"]["energy"]["reason"], "the data do not determine it");
  EXPECT_FALSE(results["intervals"]["middle"].contains("reason")) << results["intervals"];
  EXPECT_NEAR(relative_error(results, "middle"), 1 / std::hypot(0.04 / 0.002, 0.12 / 0.002), 2e-3);
}

TEST(Prediction, HasNoIntervalWhereABoundDecides) {
  const Workplace here;
  const json results = results_of_run(here, std::string("title: a beam\n") + body() + R"(
loads:
  tip: {type: traction, region: right, y: 1}
design:
  - {variable: materials.rubber.young, start: 9e3, lower: 8e3, upper: 1e4}
objective:
  - {type: point, point: [0.5, 0.1], component: u_y, target: 0.04, noise: 0.002}
output:
  fields: none
  quantities:
    tip: {type: point, point: [1, 0.1], component: u_y}
)");
  EXPECT_EQ(results["intervals"]["tip"]["reason"], "it depends on parameters at their bounds");
  EXPECT_TRUE(results["intervals"]["tip"]["standard_error"].is_null());
}

}  // namespace
}  // namespace invar::test
