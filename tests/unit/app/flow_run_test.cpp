#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

nlohmann::json flow_results(const Workplace& here, const std::string& spec, int ranks = 1, const std::vector<std::string>& more = {}) {
  here.write("spec.yaml", spec);
  std::vector<std::string> arguments = {"run", "spec.yaml"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ended end = here.invar(arguments, ranks);
  EXPECT_EQ(end.code, 0) << end.said();
  return end.code == 0 ? json_of(here.run_folder() / "results.json") : nlohmann::json();
}

const char* quantities = R"(  quantities:
    drag: {type: force, region: bottom, direction: [1, 0], coefficient: 10}
    moment: {type: moment, region: top, point: [0, 0, 0]}
    drop: {type: pressure_drop, from: [0.5, 0.3], to: [1.5, 0.7]}
    mean: {type: mean_pressure, region: left}
    heat: {type: dissipation}
    energy: {type: kinetic_energy}
    through: {type: flow_rate, region: right}
    area: {type: volume}
    fastest: {type: extremum, component: u_x, from: [1, 0.1], to: [1, 0.93], kind: max, samples: 30}
)";

/// Everything by hand from u = 4 y (1 − y), p = 4 (2 − x) and μ = 0.5: walls are dragged by μ u' = 2 Pa, heat is
/// μ ∫ u'² = 0.5 · 16/3 · 2 W/m.
TEST(FlowRun, QuantitiesOfAChannelAreThoseOfTheParabola) {
  const Workplace here;
  const nlohmann::json results = flow_results(here, channel() + quantities);
  EXPECT_NEAR(results["probes"]["middle"], 1, 1e-10);
  EXPECT_NEAR(results["probes"]["inlet"], 8, 1e-9);
  const nlohmann::json q = results["quantities"];
  EXPECT_NEAR(q["drop"], 4, 1e-9);
  EXPECT_NEAR(q["mean"], 8, 1e-9);
  EXPECT_NEAR(q["heat"], 16.0 / 3, 1e-9);
  EXPECT_NEAR(q["energy"], 2 * 8.0 / 15, 1e-10);
  EXPECT_NEAR(q["through"], 2.0 / 3, 1e-11);
  EXPECT_NEAR(q["area"], 2, 1e-12);
  EXPECT_NEAR(q["fastest"], 1, 1e-10);  // between two samples
  // Each wall is dragged with 4 N/m. The consistent force also holds what the inlet's pressure of 8 Pa does to the
  // corner's shape function: ∫ N = h/6 on the inlet's last side of h = 0.5 m.
  const double shear = 4 - 8 * 0.5 / 6;
  EXPECT_NEAR(q["drag"], 10 * shear, 1e-8);
  EXPECT_NEAR(q["moment"], 16.0 / 3 - shear, 1e-9);  // ∫ p x dx, less the drag at y = 1
}

/// What is done to all that holds the fluid is what flows out and what pushes at the outlet.
TEST(FlowRun, ForcesBalance) {
  const Workplace here;
  const nlohmann::json results = flow_results(
      here, channel() + "  quantities:\n    left: {type: force, region: left, direction: [1, 0]}\n"
                        "    bottom: {type: force, region: bottom, direction: [1, 0]}\n"
                        "    top: {type: force, region: top, direction: [1, 0]}\n"
                        "    corner_below: {type: force, region: left_bottom, direction: [1, 0]}\n"
                        "    corner_above: {type: force, region: left_top, direction: [1, 0]}\n");
  const nlohmann::json q = results["quantities"];
  const double total = q["left"].get<double>() + q["bottom"].get<double>() + q["top"].get<double>() -
                       q["corner_below"].get<double>() - q["corner_above"].get<double>();
  // ρ ∫ u² dy leaves as much as enters; the outlet's pressure is zero: nothing is left.
  EXPECT_NEAR(total, 0, 1e-10);
}

TEST(FlowRun, ErrorsAgainstTheExactSolutionVanish) {
  const Workplace here;
  const nlohmann::json e =
      flow_results(here, channel() + "  errors: {u_x: \"4*y*(1 - y)\", u_y: 0, p: \"17 - 4*x\"}\n")["errors"]["case"];
  EXPECT_LT(e["velocity_l2"], 1e-10);
  EXPECT_LT(e["pressure_l2"], 1e-9);  // up to a constant
}

/// ∫ (4y(1−y) − 0)² over the channel is 2 · 8/15; p − 4 has the mean square 16/3 about its mean.
TEST(FlowRun, ErrorsAreL2Norms) {
  const Workplace here;
  const nlohmann::json e = flow_results(here, channel() + "  errors: {u_x: 0, u_y: 0, p: 100}\n")["errors"]["case"];
  EXPECT_NEAR(e["velocity_l2"], std::sqrt(16.0 / 15), 1e-10);
  EXPECT_NEAR(e["pressure_l2"], std::sqrt(2 * 16.0 / 3), 1e-9);
}

TEST(FlowRun, EveryKindOfFlowRuns) {
  for (const ChannelEdits& edits :
       {ChannelEdits{{"kind: planar", "kind: planar, equations: stokes"}},
        ChannelEdits{{"kind: planar", "kind: planar, elements: equal_order"}},
        ChannelEdits{{"kind: planar", "kind: planar, elements: equal_order"}, {"cells: [4, 2]", "cells: [4, 2], shape: triangle"}},
        ChannelEdits{{"kind: planar", "kind: planar, equations: stokes, viscous_term: stress"}},
        ChannelEdits{{"kind: planar", "kind: axisymmetric"}, {"left: {", "right: {"}, {"region: right", "region: top"}, {"  top: {no_slip: true}\n", ""}},
        ChannelEdits{{"newtonian, density: 2, viscosity: 0.5", "carreau, density: 2, viscosity_zero: 0.5, viscosity_inf: 0.1, relaxation_time: 1, exponent: 0.5"}},
        ChannelEdits{{"newtonian, density: 2, viscosity: 0.5", "power_law, density: 2, consistency: 0.5, exponent: 0.7, rate_floor: 0.01"}},
        ChannelEdits{{"  top: {no_slip: true}\n", ""}, {"p: 0}", "p: 0}\n  wall: {type: slip, region: top, penalty: 1000, friction: 0.1}\n  back: {type: backflow, region: right}"}},
        ChannelEdits{{"p: 0}", "p: 0}\n  wind: {type: body_force, y: -1}"}},
        ChannelEdits{{"cells: [4, 2]", "cells: [4, 2], shape: triangle"}, {"fields: none", "fields: last"}}}) {
    const Workplace here;
    SCOPED_TRACE(edits[0].second);
    const nlohmann::json results = flow_results(here, channel(edits));
    if (!results.is_null()) {
      EXPECT_TRUE(std::isfinite(results["probes"]["middle"].get<double>()));
    }
  }
}

TEST(FlowRun, ANumberOfFlowIsNotRamped) {
  const Workplace here;
  const nlohmann::json results =
      flow_results(here, channel({{"u_x: \"4*y*(1 - y)\"", "u_x: 3"}, {"title: a channel", "title: a channel\ntime: {steps: 2}"}}) +
                           "  quantities:\n    early: {type: flow_rate, region: right, at: 0.5}\n    late: {type: flow_rate, region: right}\n");
  EXPECT_DOUBLE_EQ(results["quantities"]["early"], results["quantities"]["late"]);
}

const char* inverse = R"spec(  errors: {u_x: "4*y*(1 - y)"}
design:
  - {variable: materials.water.viscosity, start: 0.2, lower: 0.01, upper: 10, scale: log}
  - {variable: boundary.left.factor, start: 0.5, lower: 0.1, upper: 10}
objective:
  - {type: pressure_drop, from: [0, 0.5], to: [2, 0.5], target: 8, noise: 0.1}
  - {type: flow_rate, region: right, target: 0.6666666666666667, noise: 0.01}
)spec";

TEST(FlowRun, DataAreFittedWithIntervals) {
  const Workplace here;
  const nlohmann::json results = flow_results(here, channel() + inverse), fit = results["fit"];
  EXPECT_NEAR(fit["materials.water.viscosity"]["value"], 0.5, 1e-6);
  EXPECT_NEAR(fit["boundary.left.factor"]["value"], 1, 1e-7);
  // The rate is ⅔ factor, known to 0.01; the drop 16 μ factor, to 0.1.
  EXPECT_NEAR(fit["boundary.left.factor"]["standard_error"], 0.015, 1e-6);
  EXPECT_NEAR(fit["materials.water.viscosity"]["standard_error"], std::hypot(0.1 / 16, 0.5 * 0.015), 1e-6);
}

TEST(FlowRun, TwoProcessesAgreeWithOne) {
  const Workplace one, two;
  const nlohmann::json a = flow_results(one, channel({{"fields: none", "fields: last"}}) + quantities + inverse),
                       b = flow_results(two, channel({{"fields: none", "fields: last"}}) + quantities + inverse, 2);
  for (const char* section : {"probes", "quantities"})
    for (const auto& [name, value] : a[section].items()) EXPECT_NEAR(value, b[section][name], 1e-8) << name;
  for (const auto& [name, value] : a["fit"].items()) EXPECT_NEAR(value["value"], b["fit"][name]["value"], 1e-7) << name;
  EXPECT_TRUE(fs::exists(two.run_folder() / "fields/case_1.pvtu"));
}

/// Least heat at a given rate: all of the freedom goes into the inlet's size, which the rate fixes.
TEST(FlowRun, ConstraintsHold) {
  const Workplace here;
  const nlohmann::json results = flow_results(here, channel() + R"(design:
  - {variable: boundary.left.factor, start: 2, lower: 0.1, upper: 10}
objective:
  - {type: dissipation}
constraints:
  - {type: flow_rate, region: right, name: rate, lower: 0.5}
)");
  EXPECT_NEAR(results["fit"]["boundary.left.factor"]["value"], 0.75, 1e-6);
  EXPECT_NEAR(results["constraints"]["rate"]["value"], 0.5, 1e-6);
  EXPECT_NEAR(results["objective"], 16.0 / 3 * 0.75 * 0.75, 1e-5);
  EXPECT_NE(content(here.run_folder() / "history.csv").find("violation"), std::string::npos);
}

TEST(FlowRun, FieldsOfAFlow) {
  const Workplace here;
  flow_results(here, channel({{"fields: none", "fields: all"}}));
  const std::string file = content(here.run_folder() / "fields/case_1.vtu");
  for (const char* name : {"velocity", "pressure", "vorticity", "viscosity", "wall", "material_density"})
    EXPECT_NE(file.find("Name=\"" + std::string(name) + "\""), std::string::npos) << name;
}

/// Where pictures cannot be made a run says why and goes on.
TEST(FlowRun, PicturesAreDrawnOrMissedWithAWarning) {
  const Workplace here;
  here.write("spec.yaml", channel({{"fields: none", "pictures:\n    stream: {field: velocity, streamlines: true}\n    odd: {field: nothing}"}}));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("no picture 'odd': "), std::string::npos) << end.said();
  EXPECT_FALSE(fs::exists(here.run_folder() / "pictures/odd.png"));
  EXPECT_NE(fs::exists(here.run_folder() / "pictures/stream.png"), end.out.find("no picture 'stream': ") != std::string::npos);
}

TEST(FlowRun, TheCertificatePasses) {
  const Workplace here;
  here.write("spec.yaml", channel({{"p: 0}", "p: 0}\n  wind: {type: body_force, x: 0.3, y: -1}"}, {"u_x: \"4*y*(1 - y)\"", "u_x: \"4*y*(1 - y)*(1 + x)*(2 - y)\""}}) + inverse);
  const Ended end = here.invar({"check", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
}

}  // namespace
}  // namespace invar::test
