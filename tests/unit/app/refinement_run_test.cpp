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

}  // namespace
}  // namespace invar::test::refinement_runs
