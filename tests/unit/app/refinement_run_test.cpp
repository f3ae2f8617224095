// Simulations that are solved again with other settings.
#include <gtest/gtest.h>

#include "tests/unit/app/program.hpp"

namespace invar::test::refinement_runs {
namespace {

// A bar under its weight, by linear elements.
TEST(Refinement, OfASimulationComparesItsNumbers) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a bar that hangs
mesh: {rectangle: {to: [1, 1], cells: [1, 4]}}
physics: {type: solid, kind: plane_stress, order: 1}
materials: {rubber: {model: linear_elastic, young: 8, poisson: 0}}
boundary: {bottom: {u_y: 0}, left: {u_x: 0}, right: {u_x: 0}}
loads: {weight: {type: body_force, y: -1}}
output:
  fields: none
  quantities:
    energy: {type: stored_energy}
    top: {type: mean_displacement, region: top, component: y}
verify: {refine: [mesh, order, tolerance], levels: 2}
expect:
  convergence.mesh.quantities.energy.order: {value: 2, abs: 1e-6}
  convergence.mesh.quantities.energy.extrapolated: {value: 0.0208333333, abs: 1e-9}
)");
  const Ended end = here.invar({"run", "spec.yaml", "--expect"});
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json results = json_of(here.run_folder() / "results.json"), c = results["convergence"], &energy = c["mesh"]["quantities"]["energy"];
  // u = −(y − y²/2)/8 and U = 1/48; linear elements are exact at nodes, and n of them have the energy (1 − 1/(4 n²))/48.
  for (int level = 0; level < 3; ++level) {
    const double n = 4 << level;
    EXPECT_NEAR(energy["values"][level].get<double>(), (1 - 1 / (4 * n * n)) / 48, 1e-10);
  }
  EXPECT_EQ(results["quantities"]["energy"], energy["values"][0]);
  EXPECT_GE(energy["gci_of_run"].get<double>(), (1.0 / 48 - energy["values"][0].get<double>()) * 48 * (1 - 1e-9));  // a bound of the error
  EXPECT_NEAR(c["mesh"]["quantities"]["top"]["change"].get<double>(), 0, 1e-9);
  EXPECT_NEAR(c["order"]["quantities"]["energy"]["values"][1].get<double>(), 1.0 / 48, 1e-10);
  EXPECT_FALSE(c["order"]["quantities"]["energy"].contains("gci"));
  EXPECT_EQ(c["tolerance"]["quantities"]["energy"]["values"].size(), 2u);
  for (const char* words : {"the same with another setting, 'mesh', of a method of order 1", "extrapolated", "'tolerance':"}) EXPECT_NE(end.said().find(words), std::string::npos) << words << end.said();
  ASSERT_EQ(here.invar({"report", here.run_folder().string()}).code, 0);
  EXPECT_NE(content(here.run_folder() / "report.html").find("Convergence of the numbers"), std::string::npos);
}

/// The same bar, let go: the first steps of backward Euler, of order 1. Later, for a run that has ended, and on two ranks.
TEST(Refinement, OfStepsMayBeAskedForLater) {
  const Workplace here;
  here.write("spec.yaml", R"(title: a bar that is let go
mesh: {rectangle: {to: [1, 1], cells: [1, 4]}}
physics: {type: solid, kind: plane_stress}
materials: {rubber: {model: linear_elastic, young: 8, poisson: 0, density: 1}}
boundary: {bottom: {u_y: 0}, left: {u_x: 0}, right: {u_x: 0}}
loads: {weight: {type: body_force, y: -1}}
time: {scheme: backward_euler, end: 0.1, steps: 20}
output:
  fields: none
  quantities:
    top: {type: mean_displacement, region: top, component: y}
  probes:
    top: {point: [0.5, 1], component: u_y}
)");
  ASSERT_EQ(here.invar({"run", "spec.yaml"}).code, 0);
  const Ended end = here.invar({"verify", here.run_folder().string(), "--set", "verify.refine=step", "--set", "verify.levels=2"}, 2);
  ASSERT_EQ(end.code, 0) << end.said();
  const nlohmann::json step = json_of(here.run_folder() / "results.json")["convergence"]["step"];
  EXPECT_EQ(step["formal_order"], 1);
  // Until sound returns from the foot, after 0.35 s, all of the top falls freely: −t²/2.
  EXPECT_NEAR(step["quantities"]["top"]["order"].get<double>(), 1, 0.1);
  EXPECT_NEAR(step["quantities"]["top"]["extrapolated"].get<double>(), -0.005, 5e-5);
  for (int level = 0; level < 3; ++level)
    EXPECT_NEAR(step["probes"]["top"]["values"][level].get<double>(), step["quantities"]["top"]["values"][level].get<double>(), 1e-12);
}

TEST(Refinement, OptionsOfOptimaAreRefused) {
  const Workplace here;
  here.write("spec.yaml", "title: a bar\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: solid, kind: plane_stress}\nmaterials: {rubber: {model: linear_elastic, young: 8, poisson: 0}}\n"
                 "boundary: {bottom: {u_x: 0, u_y: 0}}\nverify: {refine: mesh, survive: 0.9, violation: 0.2, body: false}\n");
  const Ended end = here.invar({"validate", "spec.yaml"});
  EXPECT_EQ(end.code, 3);
  for (const char* words : {"'survive' is for the verification of an optimum, and there is no 'design'", "'violation' is for", "'body' is for", "there is no number that could be compared", "4 mistakes"})
    EXPECT_NE(end.err.find(words), std::string::npos) << words << end.err;
}

}  // namespace
}  // namespace invar::test::refinement_runs
