#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

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
    fastest_at: {type: extremum, component: u_x, from: [1, 0.1], to: [1, 0.93], kind: max, samples: 30, give: y}
)";

/// In pseudo-time: the flow of Newton's method, and the iterates on the way to it.
TEST(FlowRun, PseudoTimeTellsItsIterates) {
  const Workplace here;
  const auto of = [&](const std::string& way) {
    return flow_results(here, channel({{"4*y*(1 - y)", "80*y*y*(1 - y)"}, {"output:", "solver: {continuation: " + way + "}\noutput:"}}));
  };
  const double middle = of("none")["probes"]["middle"];
  const nlohmann::json results = of("pseudo_time");
  EXPECT_NEAR(results["probes"]["middle"], middle, 1e-9 * std::abs(middle));
  const nlohmann::json solve = results["cases"]["case"]["solve"];
  EXPECT_GT(solve["pseudo_time_steps"], 0);
  EXPECT_LE(solve["residual"], 1e-12);
  EXPECT_LE(solve["cfl"][0], solve["cfl"][1]);
  std::istringstream steps(content(here.run_folder() / "steps/case.csv"));
  std::string line, last;
  std::getline(steps, line);
  EXPECT_EQ(line, "t,iterate,residual,step,cfl,refused,limited");
  while (std::getline(steps, line)) last = line;
  EXPECT_NE(last.find(",inf,0,0"), std::string::npos) << last;  // the end is Newton's
}

/// A steady wake at Re 300, which is unstable in time: pseudo-time with small CFL numbers diverges from it, limited steps with
/// large CFL numbers converge to it. Drag on four times as many cells, by continuation in the viscosity: 2.3233.
TEST(FlowRun, PseudoTimeFindsASteadyWakeThatIsUnstable) {
  const Workplace here;
  const nlohmann::json results = flow_results(here, "title: a wake\nmesh: {file: " INVAR_SOURCE_DIR R"(/meshes/cylinder_1.msh.gz}
physics: {type: flow, kind: planar}
materials:
  fluid: {model: newtonian, density: 1, viscosity: 3.3333e-4}
boundary:
  inlet: {u_x: "4*1.5*y*(0.41 - y)/0.41^2", u_y: 0}
  walls: {no_slip: true}
  cylinder: {no_slip: true}
solver: {continuation: pseudo_time}
output:
  quantities:
    drag: {type: force, region: cylinder, direction: [1, 0], coefficient: 20}
)");
  EXPECT_NEAR(results["quantities"]["drag"], 2.3233, 0.02 * 2.3233);
  EXPECT_LE(results["cases"]["case"]["solve"]["residual"], 1e-12);
}

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
  EXPECT_NEAR(q["fastest_at"], 0.5, 1e-9);
  EXPECT_NEAR(q["drag"], 10 * 4, 1e-8);           // 4 N/m
  EXPECT_NEAR(q["moment"], 16.0 / 3 - 4, 1e-9);  // ∫ p x dx, less the drag at y = 1
}

/// Forces of each side, including inlet and outlet; their sum is zero, as the momentum fluxes ρ ∫ u² dy of inlet and outlet are equal.
TEST(FlowRun, ForcesBalance) {
  const Workplace here;
  const nlohmann::json results = flow_results(
      here, channel({{"p: 0}", "p: 3}"}}) + "  quantities:\n    left: {type: force, region: left, direction: [1, 0]}\n"
                                            "    bottom: {type: force, region: bottom, direction: [1, 0]}\n"
                                            "    top: {type: force, region: top, direction: [1, 0]}\n"
                                            "    right: {type: force, region: right, direction: [1, 0]}\n");
  const nlohmann::json q = results["quantities"];
  EXPECT_NEAR(q["left"], -(8 + 3), 1e-9);
  EXPECT_NEAR(q["bottom"], 4, 1e-9);
  EXPECT_NEAR(q["top"], 4, 1e-9);
  EXPECT_NEAR(q["right"], 3, 1e-9);
}

/// u = ((x − 1) y, −y²/2), p = −μ y is creeping flow towards a wall: it divides at x = 1, where the shear μ (x − 1) of
/// the wall is zero.
TEST(FlowRun, ShearAlongAWallAndWhereFieldsAreExtreme) {
  const Workplace here;
  for (const char* shape : {"triangle", "quadrilateral"})
    for (const int ranks : {1, 3}) {
      const nlohmann::json q = flow_results(here, std::string(R"(title: a flow that divides
mesh: {rectangle: {to: [3, 1], cells: [6, 3], shape: )") + shape + R"(}}
physics: {type: flow, kind: planar, equations: stokes}
materials:
  oil: {model: newtonian, density: 1, viscosity: 0.4}
boundary:
  left: {u_x: "(x - 1)*y", u_y: "-0.5*y^2"}
  right: {u_x: "(x - 1)*y", u_y: "-0.5*y^2"}
  top: {u_x: "(x - 1)*y", u_y: "-0.5*y^2"}
  bottom: {no_slip: true}
  left_top: {p: 0}
output:
  fields: none
  quantities:
    divides: {type: wall_shear, region: bottom, kind: zero, give: x}
    divides_too: {type: shear_zero, region: bottom}
    none: {type: shear_zero, region: bottom, number: 2}
    there: {type: wall_shear, region: bottom, kind: zero, give: distance}
    sign: {type: wall_shear, region: bottom, kind: zero}
    most: {type: wall_shear, region: bottom, kind: max}
    least_at: {type: wall_shear, region: bottom, kind: min, give: x}
    second: {type: wall_shear, region: bottom, kind: zero, number: 2}
    last: {type: wall_shear, region: bottom, kind: last_zero, give: x}
    at: {type: wall_shear, region: bottom, kind: point, point: [1.7, 0.1]}
    at_x: {type: wall_shear, region: bottom, kind: point, point: [1.7, 0.1], give: x}
    fastest: {type: extremum, component: u_x, region: all, kind: max}
    fastest_x: {type: extremum, component: u_x, region: all, kind: max, give: x}
    fastest_y: {type: extremum, component: u_x, region: right, kind: max, give: y}
    drag: {type: force, region: bottom, direction: [1, 0]}
)", ranks)["quantities"];
      EXPECT_NEAR(q["divides"], 1, 1e-9);
      EXPECT_NEAR(q["divides_too"], q["divides"].get<double>(), 1e-13);
      EXPECT_TRUE(q["none"].is_null());
      EXPECT_NEAR(q["there"], 1, 1e-9);
      EXPECT_EQ(q["sign"], 1);
      const double last = 3 - 0.25 * (1 - 1 / std::sqrt(3.0));  // Gauss point
      EXPECT_NEAR(q["most"], 0.4 * (last - 1), 1e-9);
      EXPECT_NEAR(q["least_at"], 3 - last, 1e-9);
      EXPECT_TRUE(q["second"].is_null());
      EXPECT_NEAR(q["last"], 1, 1e-9);
      EXPECT_NEAR(q["at"], 0.4 * 0.7, 1e-9);
      EXPECT_NEAR(q["at_x"], 1.7, 1e-12);
      EXPECT_NEAR(q["fastest"], 2, 1e-9);
      EXPECT_NEAR(q["fastest_x"], 3, 1e-12);
      EXPECT_NEAR(q["fastest_y"], 1, 1e-12);
      EXPECT_NEAR(q["drag"], 0.4 * 1.5, 1e-9);  // ∫ μ (x − 1) dx
      std::istringstream wall(content(here.run_folder() / "walls/most.csv"));
      std::string line;
      std::getline(wall, line);
      EXPECT_EQ(line, "piece,distance,x,y,area,pressure,shear,shear_x,shear_y,y_plus");
      double before = 0, sum = 0;
      int rows = 0;
      for (; std::getline(wall, line); ++rows) {
        std::vector<double> row;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
        ASSERT_EQ(row.size(), 10u);
        EXPECT_GT(row[1], before);
        before = row[1];
        EXPECT_NEAR(row[1], row[2], 1e-12);
        EXPECT_NEAR(row[6], 0.4 * (row[2] - 1), 1e-9);
        EXPECT_NEAR(row[7], row[6], 1e-12);
        sum += row[4] * row[7];
      }
      EXPECT_EQ(rows, 12);
      EXPECT_NEAR(sum, 0.6, 1e-9);
    }
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

/// If pictures cannot be drawn, a run reports the reason and continues.
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

/// Where r is x, nothing comes in through the side on the axis: the flow rate of the outlet and its derivatives by the
/// shape are zero, as an objective and as a constraint, and what is left of the terms that cancel is called so.
TEST(FlowRun, TheCertificateOfAFlowRateThatIsZeroPasses) {
  const Workplace here;
  here.write("spec.yaml", R"(title: stirred from its axis
mesh: {rectangle: {to: [1.5, 1], cells: [4, 2], shape: triangle}}
physics: {type: flow, kind: axisymmetric}
materials: {fluid: {model: newtonian, density: 1.4, viscosity: 0.08}}
boundary:
  left: {u_x: 4*y*(1 - y), u_y: 0}
  top: {no_slip: true}
  bottom: {no_slip: true}
design:
  - {kind: rigid, region: bottom, centre: [-0.9, 1], rotates: true, translates: []}
objective:
  - {type: flow_rate, region: right}
constraints:
  - {type: flow_rate, region: right, name: rate, upper: 1}
)");
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.out.find("zero but for round-off"), std::string::npos) << end.said();
}

}  // namespace
}  // namespace invar::test
