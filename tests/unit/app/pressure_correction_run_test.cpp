// Flow by pressure correction, from the spec to the results.
#include <gtest/gtest.h>

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
