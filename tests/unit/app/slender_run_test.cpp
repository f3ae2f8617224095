#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A clamped strip of length 1 m with an end load in plane stress, E I = E h³ / 12. Bending stiffness is (h / L)² of
/// the axial one, so that residuals keep their sign only in as many digits as that leaves.
struct Strip {
  double ratio = 200;  // L / h
  int cells = 100;
  double modulus = 1e9, poisson = 0;
  double load = 1;     // P L² / E I for E = 1e9
  std::string law = "saint_venant_kirchhoff", time = "{steps: 1}", more{};

  double height() const { return 1 / ratio; }
  std::string spec() const {
    const double h = height(), traction = load * 1e9 * h * h / 12;
    char text[1200];
    std::snprintf(text, sizeof text, R"(title: a slender strip
mesh: {rectangle: {to: [1, %.17g], cells: [%d, 1]}}
physics: {type: solid, kind: plane_stress}
materials:
  steel: {model: %s, young: %.17g, poisson: %g%s}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: %.17g}
time: %s
%s
output:
  fields: none
  quantities:
    w: {type: point, point: [1, %.17g], component: u_y}
)", h, cells, law.c_str(), modulus, poisson,
                  time.find("scheme") != std::string::npos ? ", density: 1000" : "", traction, time.c_str(), more.c_str(), h / 2);
    return text;
  }
};

nlohmann::json slender_results(const Workplace& here, const std::string& spec) {
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  return json_of(here.run_folder() / "results.json");
}

double found(const nlohmann::json& results) { return results["fit"]["materials.steel.young"]["value"].get<double>(); }

double deflection(const Strip& strip) {
  const Workplace here;
  return slender_results(here, strip.spec())["quantities"]["w"].get<double>();
}

// The elastica: K. E. Bisshopp, D. C. Drucker, Large deflection of cantilever beams, Quart. Appl. Math. 3 (1945);
// digits by elliptic integrals.
TEST(SlenderStrip, BendsAsTheElastica) {
  constexpr double table[][2] = {{1, 0.30172}, {2, 0.49346}, {5, 0.71379}, {10, 0.81061}};
  for (const auto& [load, w] : table) {
    EXPECT_NEAR(deflection({.load = load, .time = "{steps: 10}"}), w, 1e-4) << load;
    EXPECT_NEAR(deflection({.ratio = 500, .cells = 200, .load = load, .time = "{steps: 10}"}), w, 1e-4) << load;
  }
}

TEST(SlenderStrip, ItsEndIsThatOfOneLoadStepOrAHundred) {
  for (const double ratio : {20.0, 500.0})
    for (const std::string law : {"saint_venant_kirchhoff", "neo_hookean"}) {
      const int cells = 40;
      const double once = deflection({.ratio = ratio, .cells = cells, .load = 10, .law = law});
      EXPECT_NEAR(deflection({.ratio = ratio, .cells = cells, .load = 10, .law = law, .time = "{steps: 10}"}), once, 1e-6);
      EXPECT_NEAR(deflection({.ratio = ratio, .cells = cells, .load = 10, .law = law, .time = "{steps: 100}"}), once, 1e-6);
    }
}

// At 1e-9 of the load that bends it by a third of its length the strains are 1e-12, of which F = I + H keeps four
// digits.
TEST(SlenderStrip, AnswersTheSmallestLoadInProportion) {
  for (const std::string law : {"saint_venant_kirchhoff", "neo_hookean"}) {
    const double w = deflection({.ratio = 500, .load = 1e-6, .law = law});
    EXPECT_NEAR(deflection({.ratio = 500, .load = 1e-9, .law = law}) / w, 1e-3, 1e-11) << law;
  }
}

TEST(SlenderStrip, SaysHowManyDigitsAreLeft) {
  const auto said = [](double ratio) {
    const Workplace here;
    here.write("spec.yaml", Strip{.ratio = ratio, .time = "{steps: 2}"}.spec());
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.said();
  };
  EXPECT_EQ(said(20).find("rounding leaves about"), std::string::npos);
  const std::string slender = said(1200);
  EXPECT_NE(slender.find("rounding leaves about"), std::string::npos) << slender;
}

// Released from rest under a small end load it swings with its first frequency, ω = 1.8751² √(E I / ρ A) / L², about
// the static deflection.
TEST(SlenderStrip, SwingsWithTheFrequencyOfABeam) {
  for (const double ratio : {20.0, 500.0}) {
    const double omega = 1.87510407 * 1.87510407 * std::sqrt(1e9 / (12 * 1000 * ratio * ratio)), period = 2 * M_PI / omega;
    char time[200];
    std::snprintf(time, sizeof time, "{scheme: newmark, end: %.17g, steps: 100}", 2.5 * period);
    Strip strip{.ratio = ratio, .cells = 40, .load = 1e-2, .time = time};
    std::string spec = strip.spec();
    spec += "    f: {type: point, point: [1, " + std::to_string(strip.height() / 2) + "], component: u_y, statistic: frequency}\n";
    const Workplace here;
    const double f = slender_results(here, spec)["quantities"]["f"].get<double>();
    // Steps of T/40 make the period longer by (ω Δt)² / 12 = 0.2 %.
    EXPECT_NEAR(f * period, 1, ratio < 100 ? 1.2e-2 : 5e-3) << ratio;
    const nlohmann::json how = json_of(here.run_folder() / "certificate.json")["processes"]["case"];
    EXPECT_EQ(how["rejected"], 0);
  }
}

/// Incompressible, in a mixed formulation, whose pressures are as large as the modulus: what rounding leaves must not
/// depend on units. In plane strain E I = 4 μ h³ / 12; at P L²/E I = 4 the elastica's w is 0.66996.
TEST(SlenderStrip, IsTheSameInAllUnitsWherePressuresAreUnknowns) {
  for (const double mu : {1.0, 1e9}) {
    const double h = 0.002, traction = 4 * (4 * mu) * h * h / 12;
    char text[800];
    std::snprintf(text, sizeof text, R"(title: a slender strip
mesh: {rectangle: {to: [1, %.17g], cells: [120, 1]}}
physics: {type: solid, kind: plane_strain, formulation: mixed}
materials:
  rubber: {model: neo_hookean_isochoric, incompressible: true, mu: %.17g}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: %.17g}
time: {steps: 10}
output:
  fields: none
  quantities:
    w: {type: point, point: [1, %.17g], component: u_y}
)", h, mu, traction, h / 2);
    const Workplace here;
    EXPECT_NEAR(slender_results(here, text)["quantities"]["w"].get<double>(), 0.66996, 2e-3) << mu;
  }
}

/// A steel bracket of 10 mm in Pa and m, and in N, mm and MPa.
TEST(SlenderStrip, NeitherAreStoutBodiesSingularInSomeUnits) {
  const auto deflection_of = [](double metre, double pascal) {
    char text[800];
    std::snprintf(text, sizeof text, R"(title: a bracket
mesh: {rectangle: {to: [%.17g, %.17g], cells: [10, 5]}}
physics: {type: solid, kind: plane_strain, formulation: mixed}
materials:
  steel: {model: neo_hookean_isochoric, incompressible: true, mu: %.17g}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: %.17g}
output:
  fields: none
  quantities:
    w: {type: point, point: [%.17g, 0], component: u_y}
)", 0.01 * metre, 0.005 * metre, 8e10 * pascal, 1e7 * pascal, 0.01 * metre);
    const Workplace here;
    return slender_results(here, text)["quantities"]["w"].get<double>() / metre;
  };
  const double w = deflection_of(1, 1);
  EXPECT_NEAR(deflection_of(1e3, 1e-6), w, 1e-7 * w);
}

// The modulus from the elastica's deflections, no option set; the certificate may demand what the conditioning leaves.
TEST(SlenderStrip, GivesItsModulusBack) {
  for (const double ratio : {500.0}) {
    const Workplace here;
    here.write("w.csv", "t,w\n1,0.30172\n2,0.49346\n5,0.71379\n");
    Strip strip{.ratio = ratio, .modulus = 1.5e9, .load = 5, .time = "{values: [1, 2, 5]}"};
    strip.more = "design:\n  - {variable: materials.steel.young, scale: log}\nobjective:\n  - {type: point, point: [1, " +
                 std::to_string(strip.height() / 2) + "], component: u_y, file: w.csv, value: w}";
    const nlohmann::json results = slender_results(here, strip.spec());
    EXPECT_NEAR(found(results), 1e9, 1e6) << ratio;
    const nlohmann::json proof = json_of(here.run_folder() / "certificate.json");
    for (const auto& entry : proof["entries"]) {
      EXPECT_TRUE(entry["passed"].get<bool>()) << entry;
      EXPECT_LT(entry["measured"].get<double>(), 1e-5) << entry;
    }
  }
}

// From a large oscillation in ten steps, for which Newton's method needs auxiliary steps.
TEST(SlenderStrip, GivesItsModulusBackFromASwing) {
  const auto swing = [](double modulus, const std::string& more) {
    return Strip{.modulus = modulus, .load = 1, .time = "{scheme: generalised_alpha, end: 0.6, steps: 10}", .more = more};
  };
  const Workplace here;
  const double w = slender_results(here, swing(1e9, "").spec())["quantities"]["w"].get<double>();
  char target[200];
  std::snprintf(target, sizeof target, "design:\n  - {variable: materials.steel.young, scale: log}\nobjective:\n"
                "  - {type: point, point: [1, 0.0025], component: u_y, target: %.17g, noise: 1e-3}", w);
  const nlohmann::json results = slender_results(here, swing(1.2e9, target).spec());
  EXPECT_NEAR(found(results), 1e9, 1e5);
}

}  // namespace
}  // namespace invar::test
