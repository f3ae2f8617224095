#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

nlohmann::json gradient_of(const std::string& spec, int ranks = 1) {
  const Workplace here;
  here.write("spec.yaml", spec);
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"gradient", "spec.yaml", "--out", "here"}, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  nlohmann::json j = json_of(here.folder() / "here/gradient.json");
  if (j.contains("fields")) {
    for (const auto& [name, field] : j["fields"].items())
      EXPECT_TRUE(fs::exists(here.folder() / "here" / field["file"].get<std::string>())) << field;
  }
  return j;
}

const std::string two_numbers = beam({{"{variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                                       "{variable: materials.rubber.young, scale: log, start: 80, upper: 1000}\n  - {variable: loads.tip.y, start: 0.2}"},
                                      {"output:\n", "constraints:\n  - {name: effort, type: compliance, upper: 1}\noutput:\n  fields: none\n"}});

/// Against central differences of the values that the same verb writes.
TEST(GradientVerb, DerivativesByNameAreThoseOfTheValues) {
  const nlohmann::json j = gradient_of(two_numbers);
  const auto at = [](const std::string& from, const std::string& to) {
    std::string spec = two_numbers;
    spec.replace(spec.find(from), from.size(), to);
    return gradient_of(spec);
  };
  const auto check = [&](const std::string& name, double value, const nlohmann::json& up, const nlohmann::json& down, double h) {
    const nlohmann::json v = j["variables"][name];
    EXPECT_EQ(v["value"], value);
    const auto quotient = [&](const nlohmann::json::json_pointer& of) { return (up[of].get<double>() - down[of].get<double>()) / (2 * h); };
    const double dj = quotient("/objective"_json_pointer), dc = quotient("/constraints/effort/value"_json_pointer);
    EXPECT_NEAR(v["derivative"].get<double>(), dj, 1e-6 * std::abs(dj));
    EXPECT_NEAR(v["constraints"]["effort"]["derivative"].get<double>(), dc, 1e-6 * std::abs(dc));
    const double slope = v["scale"] == "log" ? value : 0.2;  // dp/dθ
    EXPECT_NEAR(v["scaled_derivative"].get<double>(), slope * v["derivative"].get<double>(), 1e-12 * std::abs(slope * dj));
  };
  check("materials.rubber.young", 80, at("start: 80", "start: 80.02"), at("start: 80", "start: 79.98"), 0.02);
  check("loads.tip.y", 0.2, at("start: 0.2", "start: 0.2001"), at("start: 0.2", "start: 0.1999"), 1e-4);
  EXPECT_EQ(j["variables"]["materials.rubber.young"]["upper"], 1000);
  EXPECT_TRUE(j["variables"]["loads.tip.y"]["lower"].is_null());
  EXPECT_EQ(j["constraints"]["effort"]["upper"], 1);
  EXPECT_TRUE(j["certificate"]["passed"]);
}

/// A field of one cell is a number; the filter keeps what is constant. On two ranks the same.
TEST(GradientVerb, OfAField) {
  const std::string one_cell = beam({{"cells: [4, 1]", "cells: [1, 1]"}, {"young, start: 80, lower: 10, upper: 1000", "young, scale: log"}});
  std::string field = one_cell;
  field.replace(field.find("{variable: materials.rubber.young, scale: log}"), 46, "{kind: field, variable: materials.rubber.young, radius: 0.6}");
  const double by_number = gradient_of(one_cell)["variables"]["materials.rubber.young"]["scaled_derivative"];
  const nlohmann::json of_field = gradient_of(field)["fields"]["materials.rubber.young"];
  EXPECT_EQ(of_field["entries"], 1);
  EXPECT_EQ(of_field["of"], "cells");
  EXPECT_NEAR(of_field["gradient_norm"].get<double>(), std::abs(by_number), 1e-9 * std::abs(by_number));
  const std::string many = beam({{"{variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}",
                                  "{kind: field, variable: materials.rubber.young, radius: 0.6}"}});
  const nlohmann::json alone = gradient_of(many), together = gradient_of(many, 2);
  EXPECT_EQ(together["fields"]["materials.rubber.young"]["entries"], 4);
  EXPECT_NEAR(together["gradient_norm"].get<double>(), alone["gradient_norm"].get<double>(), 1e-9 * alone["gradient_norm"].get<double>());
}

/// Drag of a channel's floor by the places of its free nodes.
TEST(GradientVerb, OfFreeNodes) {
  const nlohmann::json j = gradient_of(channel({{"  fields: none\n", ""}}) +
                                       "design:\n  - {kind: free_boundary, region: bottom, smoothing: 0.5, largest: 0.1}\n"
                                       "objective:\n  - {type: dissipation}\n");
  EXPECT_EQ(j["fields"]["free_boundary"]["of"], "nodes");
  EXPECT_EQ(j["fields"]["free_boundary"]["entries"], 9);
  EXPECT_GT(j["gradient_norm"], 0);
  EXPECT_TRUE(j["variables"].empty());
}

TEST(GradientVerb, ExitCodes) {
  const Workplace here;
  here.write("markers.csv", beam_markers);
  here.write("spec.yaml", channel());
  Ended end = here.invar({"gradient", "spec.yaml"});
  EXPECT_EQ(end.code, 3) << end.said();
  EXPECT_NE(end.err.find("there is no gradient: section 'design' is missing"), std::string::npos);
  here.write("spec.yaml", beam({{"  left: {u_x: 0, u_y: 0}\n", "  left: {u_x: 0}\n"}}));  // slides away
  end = here.invar({"gradient", "spec.yaml"});
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_FALSE(fs::exists(here.folder() / "results"));
}

/// `run` without a search: the same gradient, and the results of the start.
TEST(GradientVerb, NoIterationsEvaluateOnce) {
  const Workplace here;
  here.write("spec.yaml", two_numbers);
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"run", "spec.yaml", "--set", "optimizer.max_iterations=0"});
  EXPECT_EQ(end.code, 0) << end.said();
  nlohmann::json j = json_of(here.run_folder() / "gradient.json"), by_verb = gradient_of(two_numbers);
  by_verb.erase("certificate");
  EXPECT_EQ(j, by_verb);
  const nlohmann::json results = json_of(here.run_folder() / "results.json");
  EXPECT_EQ(results["objective"], j["objective"]);
  EXPECT_EQ(results["optimizer"]["iterations"], 0);
  EXPECT_EQ(results["fit"]["loads.tip.y"]["value"], 0.2);
}

TEST(GradientVerb, CheckWritesItsCertificate) {
  const Workplace here;
  here.write("spec.yaml", beam());
  here.write("markers.csv", beam_markers);
  const Ended end = here.invar({"check", "spec.yaml", "--out", "deep/er"});
  EXPECT_EQ(end.code, 0) << end.said();
  const nlohmann::json j = json_of(here.folder() / "deep/er/certificate.json");
  EXPECT_TRUE(j["passed"]);
  EXPECT_GT(j["entries"].size(), 5u);
}

}  // namespace
}  // namespace invar::test
