// `time.mass: lumped` from the spec: results beside those of the consistent mass, energies, mistakes, steps that are too long.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/beam.hpp"
#include "tests/unit/app/program.hpp"

namespace invar::test {
namespace {

/// A beam with a mass on its end that is struck.
std::string struck(const std::string& time, const Edits& more = {}) {
  Edits edits{{"poisson: 0.3}", "poisson: 0.3, density: 2}"},
              {"  tip: {type: traction, region: right, y: 0.1}", "  coat: {type: mass, region: right, area_density: 0.1}"},
              {"design:", "initial:\n  right: {v_y: 0.3}\ntime: {" + time + "}\ndesign:"},
              {"objective:\n  - {type: markers, file: markers.csv}", "objective:\n  - {type: point, point: [1, 0.25], component: u_y}\noptimizer: {max_iterations: 0}"},
              {"  probes:", "  quantities:\n    moves: {type: kinetic_energy}\n  probes:"}};
  edits.insert(edits.end(), more.begin(), more.end());
  return beam(edits);
}

Ended run_struck(const Workplace& here, const std::string& spec) {
  here.write("spec.yaml", spec);
  return here.invar({"run", "spec.yaml"});
}

TEST(LumpedMassRuns, ExplicitStepsAreNearThoseOfTheConsistentMass) {
  std::vector<double> places;
  for (const std::string mass : {"lumped", "consistent"}) {
    const Workplace here;
    const Ended end = run_struck(here, struck("scheme: central_differences, mass: " + mass + ", end: 0.2, steps: 100"));
    ASSERT_EQ(end.code, 0) << end.said();
    places.push_back(json_of(here.run_folder() / "results.json")["objective"].get<double>());
  }
  EXPECT_NE(places[0], places[1]);
  EXPECT_NEAR(places[0] / places[1], 1, 0.1);
}

TEST(LumpedMassRuns, GradientsPassTheCertificate) {
  const Workplace here;
  here.write("spec.yaml", struck("scheme: central_differences, mass: lumped, end: 0.2, steps: 100"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(LumpedMassRuns, StepsThatAreTooLongAreRefusedWithTheLengthThatIsNot) {
  const Workplace here;
  const Ended end = run_struck(here, struck("scheme: central_differences, mass: lumped, end: 2, steps: 10"));
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("needs steps below"), std::string::npos) << end.said();
}

TEST(LumpedMassRuns, MistakesAreSaid) {
  const std::string flow = R"yaml(title: a channel
mesh: {rectangle: {to: [2, 1], cells: [4, 3]}}
physics: {type: flow, kind: planar, elements: taylor_hood}
materials:
  water: {model: newtonian, density: 1, viscosity: 0.05}
boundary:
  bottom: {u_x: 0, u_y: 0}
  top: {u_x: 0, u_y: 0}
time: {scheme: bdf2, mass: lumped, end: 1, steps: 4}
)yaml";
  const std::pair<std::string, const char*> refused[] = {
      {flow, "'mass' is for solid, and the physics is 'flow'"},
      {struck("steps: 2, mass: lumped"), "'mass' is for processes in time"},
      {struck("scheme: bdf2, mass: lumped, inertia: false, end: 1, steps: 2"), "without inertia there is no mass"},
      {struck("scheme: bdf2, mass: lumped, end: 1, steps: 2", {{"kind: plane_strain", "kind: axisymmetric"}}), "nodes on the axis without mass"}};
  for (const auto& [spec, message] : refused) {
    const Workplace here;
    here.write("spec.yaml", spec);
    const Ended end = here.invar({"validate", "spec.yaml"});
    EXPECT_EQ(end.code, 3) << end.said();
    EXPECT_NE(end.said().find(message), std::string::npos) << end.said();
  }
}

}  // namespace
}  // namespace invar::test
