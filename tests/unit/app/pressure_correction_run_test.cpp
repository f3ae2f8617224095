// Flow by pressure correction, from the spec to the results.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/channel.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"

namespace invar::test {
namespace {

std::string corrected(const std::string& time, const std::string& more = "", const ChannelEdits& edits = {}) {
  return channel(edits) + "time: {scheme: pressure_correction, " + time + "}\n" + more;
}

// A steady flow that is exact in the discrete space and needs no correction is preserved by every solver.
TEST(PressureCorrectionRun, KeepsAFlowThatIsSteadyFromTheStart) {
  const std::string begin = "initial: {all: {u_x: \"4*y*(1 - y)\", p: \"4*(2 - x)\"}}\n";
  for (const std::string method : {"auto", "mumps", "block_triangular"})
    for (const int ranks : {1, 2}) {
      SCOPED_TRACE(method + " on " + std::to_string(ranks));
      const Workplace here;
      here.write("spec.yaml", corrected("end: 1, steps: 5", begin + "solver: {linear: " + method + "}\n"));
      const Ended end = here.invar({"run", "spec.yaml"}, ranks);
      ASSERT_EQ(end.code, 0) << end.said();
      const nlohmann::json probes = json_of(here.run_folder() / "results.json")["probes"];
      EXPECT_NEAR(probes["middle"].get<double>(), 1, 1e-9) << probes.dump();
      EXPECT_NEAR(probes["inlet"].get<double>(), 8, 1e-8);
    }
}

// The certificate of a start from rest, by the inflow, the viscosity, the initial pressure's place in time and a
// signal.
TEST(PressureCorrectionRun, HasACertificate) {
  const Workplace here;
  here.write("spec.yaml",
             corrected("end: 0.6, steps: 6",
                       "design:\n  - {variable: materials.water.viscosity, scale: log, lower: 0.01}\n  - {variable: boundary.left.factor}\n"
                       "  - {kind: signal, variable: loads.out.p, basis: cubic, functions: 4}\n"
                       "objective:\n  - {type: force, region: bottom, direction: [1, 0], statistic: mean}\n  - {type: kinetic_energy, weight: 0.3}\n"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// A liquid at rest between slip walls, which are no open boundary: the pressure is that of its weight.
TEST(PressureCorrectionRun, SlipWallsAreClosed) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a tank
mesh: {rectangle: {to: [1, 1], cells: [3, 3]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.1}
boundary:
  bottom: {u_y: 0}
loads:
  one: {type: slip, region: left, penalty: 1e4}
  other: {type: slip, region: right, penalty: 1e4}
  weight: {type: body_force, y: -10}
  open: {type: pressure, region: top, p: 0}
time: {scheme: pressure_correction, end: 1, steps: 20}
output:
  fields: none
  probes:
    middle: {point: [0.5, 0], component: p}
    corner: {point: [0, 0], component: p}
)");
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json probes = json_of(here.run_folder() / "results.json")["probes"];
  for (const char* name : {"middle", "corner"}) EXPECT_NEAR(probes[name].get<double>(), 10, 0.01) << name;
}

// A plug flow that pressures at its ends accelerate: ρ ∂u/∂t = −∂p/∂x with p linear between them. Loads on regions that share facets add up.
TEST(PressureCorrectionRun, PressuresOnTheSameFacetsAddUp) {
  const auto probes = [](const std::string& loads, int ranks) {
    const Workplace here;
    here.write("spec.yaml", R"(title: a plug
mesh:
  rectangle: {to: [2, 1], cells: [4, 4]}
  regions: {ends: [left, right]}
physics: {type: flow, kind: planar}
materials: {water: {model: newtonian, density: 3, viscosity: 0.1}}
boundary:
  bottom: {u_y: 0}
  top: {u_y: 0}
loads:
)" + loads + R"(time: {scheme: pressure_correction, end: 1, steps: 64}
output:
  fields: none
  probes:
    speed: {point: [1, 0.5], component: u_x}
    inlet: {point: [0, 0.5], component: p}
    middle: {point: [1, 1], component: p}
    outlet: {point: [2, 1], component: p}
)");
    const Ended end = here.invar({"run", "spec.yaml"}, ranks);
    EXPECT_EQ(end.code, 0) << end.said();
    return json_of(here.run_folder() / "results.json")["probes"];
  };
  const nlohmann::json one = probes("  in: {type: pressure, region: left, p: 23*t}\n  out: {type: pressure, region: right, p: 5*t}\n", 1);
  const std::map<std::string, double> exact{{"speed", 0.5 * (23 - 5) / 2 / 3}, {"inlet", 23}, {"middle", 14}, {"outlet", 5}};
  for (const auto& [name, value] : exact) EXPECT_NEAR(one[name], value, 5e-3 * value) << name;
  for (const int ranks : {1, 2}) {
    const nlohmann::json several = probes("  first: {type: pressure, region: left, p: 6*t}\n  both: {type: pressure, region: ends, p: 5*t}\n  other: {type: pressure, region: left, p: 12*t}\n", ranks);
    for (const auto& [name, value] : exact) EXPECT_NEAR(several[name], one[name].get<double>(), 1e-8 * value) << name << " on " << ranks;
  }
}

// A potential follows pressures only.
TEST(PressureCorrectionRun, TractionsThatVaryInTimeAreReported) {
  const auto said = [](const std::string& load) {
    const Workplace here;
    here.write("spec.yaml", "title: a channel\nmesh: {rectangle: {to: [1, 1], cells: [2, 2]}}\nphysics: {type: flow, kind: planar}\n"
                            "materials: {oil: {model: newtonian, density: 1, viscosity: 1}}\nboundary: {bottom: {no_slip: true}, top: {no_slip: true}}\n"
                            "loads: {in: {region: left, " + load + "}}\ntime: {scheme: pressure_correction, end: 0.2, steps: 2}\noutput: {fields: none}\n");
    const Ended end = here.invar({"run", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.said();
  };
  EXPECT_NE(said("type: traction, x: sin(t)").find("load 'in': with 'pressure_correction' flow and forces follow a normal traction that varies in time with first order only"), std::string::npos);
  for (const std::string load : {"type: traction, x: 1", "type: pressure, p: sin(t)"}) EXPECT_EQ(said(load).find("with first order only"), std::string::npos) << load;
}

// Water that an inflow sets in motion, between pressures that add 5 Pa everywhere: with a pressure of 0 at the start they would accelerate it.
TEST(PressureCorrectionRun, PressuresThatTheStartDoesNotKnowAreReported) {
  const auto said = [](const std::string& load, const std::string& initial) {
    const Workplace here;
    here.write("spec.yaml", channel({{"p: 0}", load + "}"}}) + "time: {scheme: pressure_correction, end: 1, steps: 2}\n" + initial);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 0) << end.said();
    return end.err;
  };
  EXPECT_NE(said("p: 5", "").find("warning: spec.yaml:17:16: loads prescribe pressures of up to 5 Pa at the start, and the initial pressure is 0"), std::string::npos);
  EXPECT_NE(said("p: 2 + y + t", "initial: {all: {u_x: 1}}\n").find("up to 3 Pa"), std::string::npos);
  EXPECT_EQ(said("p: 5", "initial: {all: {p: 5}}\n"), "");
  EXPECT_EQ(said("p: 5*t", ""), "");
}

TEST(PressureCorrectionRun, FlowsBetweenPeriodicSides) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a periodic channel
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: flow, kind: planar}
materials:
  oil: {model: newtonian, density: 1, viscosity: 1}
boundary:
  bottom: {no_slip: true}
  top: {no_slip: true}
ties:
  cell: {type: periodic, sides: [[left, right]]}
loads:
  fan: {type: body_force, x: 8}
time: {scheme: pressure_correction, end: 3, steps: 30}
output:
  fields: none
  probes:
    middle: {point: [0.5, 0.5], component: u_x}
)");
  const Ended end = here.invar({"run", "spec.yaml"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["probes"]["middle"].get<double>(), 1, 1e-6);  // Poiseuille
}

TEST(PressureCorrectionRun, SaysWhatItIsNotFor) {
  expect_refused(corrected("end: 1, steps: 2, begin_with: equilibrium"),
                 {"pressure_correction has no steady equation: its steady limit depends slightly on the time step"});
  expect_refused(corrected("end: 1, steps: 2", "", {{"kind: planar", "kind: planar, elements: equal_order"}}), {"pressure_correction needs Taylor-Hood elements", "use 'elements: taylor_hood'"});
  expect_refused(corrected("end: 1, steps: 2", "solver: {linear: field_split}\n"), {"'field_split' is for flow of one fluid with Taylor-Hood elements"});
  expect_refused(channel() + "time: {scheme: bdf2, end: 1, steps: 2}\ninitial: {all: {p: 1}}\n", {"the pressure at the start follows from the velocity"});
  expect_refused(channel() + "time: {scheme: bdf2, end: 1, steps: 2}\nsolver: {linear: block_triangular}\n", {"'block_triangular' is for flow by pressure correction"});
  const std::string walls = "  right: {no_slip: true}\n  left_bottom: {p: 1}\n";
  expect_refused(corrected("end: 1, steps: 2", "", {{"loads:\n  out: {type: pressure, region: right, p: 0}\n", walls}}),
                 {"pressure_correction keeps the pressure of a point at its initial value: give 0 here"});
  expect_refused(corrected("end: 1, steps: 2", "", {{"loads:\n  out: {type: pressure, region: right, p: 0}\n", "  right: {no_slip: true}\n"}}),
                 {"the flow of case 'case' is enclosed"});
  expect_refused(beam({{"output:", "time: {scheme: pressure_correction, end: 1, steps: 2}\noutput:"}}), {"pressure_correction is for incompressible flow"});
  expect_refused(beam({{"output:", "time: {scheme: pressure_correction, end: 1, steps: 2, inertia: false}\noutput:"}}), {"pressure_correction is for incompressible flow"});
}

}  // namespace
}  // namespace invar::test
