// A strip that is held by a load and let go: marches that begin in equilibrium, and what is measured of a swing as
// data.
#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar {
namespace {

const std::string body = R"spec(title: a strip that is let go
mesh: {rectangle: {to: [4, 0.5], cells: [16, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1000, poisson: 0.3, density: 1, mass_damping: 0.02}
boundary:
  left: {u_x: 0, u_y: 0}
)spec";
const std::string released = R"spec(
loads:
  tip: {type: traction, region: right, y: 't <= 0 ? 1 : 0', factor: -0.5}
time: {scheme: newmark, begin_with: equilibrium, end: 24, steps: 240}
output:
  quantities:
    start: {type: point, point: [4, 0.25], component: u_y, at: 0}
    first: {type: point, point: [4, 0.25], component: u_y, at: 0.1}
    frequency: {type: point, point: [4, 0.25], component: u_y, statistic: frequency}
    decay: {type: point, point: [4, 0.25], component: u_y, statistic: decay}
)spec";

double number_of(const test::Workplace& here, const char* name) {
  return test::json_of(here.run_folder() / "results.json")["quantities"][name].get<double>();
}

TEST(Release, BeginsWithTheEquilibriumOfItsLoads) {
  const test::Workplace here, still;
  here.write("spec.yaml", body + released);
  std::string without_damping = body;
  without_damping.replace(without_damping.find(", density"), without_damping.find("}\nboundary") - without_damping.find(", density"), "");
  still.write("spec.yaml", without_damping + R"spec(
loads:
  tip: {type: traction, region: right, y: -0.5}
output:
  quantities:
    start: {type: point, point: [4, 0.25], component: u_y}
)spec");
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  ASSERT_EQ(still.invar({"run", "spec.yaml"}).code, 0);
  const double start = number_of(here, "start");
  EXPECT_NEAR(start, number_of(still, "start"), 1e-9);
  EXPECT_GT(number_of(here, "first"), start);  // it swings back
  // ω = 3.516 √(E I / ((1 − ν²) ρ A)) / L²; shear and rotation of the sections slow it down by some percent.
  const double slender = 3.516 * std::sqrt(1000 * 0.25 / 12 / (1 - 0.09)) / 16 / (2 * M_PI);
  EXPECT_LT(number_of(here, "frequency"), slender);
  EXPECT_GT(number_of(here, "frequency"), 0.95 * slender);
  // ζ = α / 2ω of a mode by itself; the sag is not the first mode alone, and what it has of others shows in the
  // extrema.
  const double damping = 0.02 / (2 * 2 * M_PI * number_of(here, "frequency"));
  EXPECT_NEAR(number_of(here, "decay"), damping, 0.2 * damping);
}

// Load, stiffness and damping from the sag, the frequency and the decay alone.
TEST(Release, FrequencyAndDecayAreData) {
  const test::Workplace here;
  here.write("spec.yaml", body + released);
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  const auto measured = [&](const char* name) { return std::to_string(number_of(here, name) * 1e6) + "e-6"; };
  here.write("fit.yaml", body + released + R"spec(
design:
  - {kind: number, variable: loads.tip.factor, start: -0.35}
  - {kind: number, variable: materials.rubber.young, start: 1300, scale: log}
  - {kind: number, variable: materials.rubber.mass_damping, start: 0.03}
objective:
  - {type: point, point: [4, 0.25], component: u_y, at: 0, target: )spec" + measured("start") + R"spec(, noise: 1e-3}
  - {type: point, point: [4, 0.25], component: u_y, statistic: frequency, target: )spec" + measured("frequency") + R"spec(, noise: 1e-3}
  - {type: point, point: [4, 0.25], component: u_y, statistic: decay, target: )spec" + measured("decay") + R"spec(, noise: 1e-3}
)spec");
  const test::Ended end = here.invar({"run", "fit.yaml", "--out", "fit"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json fit = test::json_of(here.folder() / "fit/results.json")["fit"];
  EXPECT_NEAR(fit["loads.tip.factor"]["value"].get<double>(), -0.5, 1e-4) << fit;
  EXPECT_NEAR(fit["materials.rubber.young"]["value"].get<double>(), 1000, 0.1);
  EXPECT_NEAR(fit["materials.rubber.mass_damping"]["value"].get<double>(), 0.02, 1e-4);
}

TEST(Release, SaysWhatHasNoFrequency) {
  const test::Workplace here;
  here.write("spec.yaml", body + released + R"spec(
design:
  - {kind: number, variable: materials.rubber.young}
objective:
  - {type: point, name: swing, point: [4, 0.25], component: u_y, statistic: frequency, target: 0.2}
)spec");
  const test::Ended end = here.invar({"run", "spec.yaml", "--set", "time.end=2"});
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("'swing': there is no frequency: the signal crosses its mean upwards less than twice"), std::string::npos)
      << end.said();
}

TEST(Release, RefusesWhatAnEquilibriumCannotBe) {
  const test::Workplace here;
  here.write("spec.yaml", body + released + "initial:\n  all: {u_y: 0.1}\n");
  const test::Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  EXPECT_NE(end.said().find("'u_y' is part of its solution"), std::string::npos) << end.said();
}

}  // namespace
}  // namespace invar
