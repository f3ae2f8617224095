// Fluid-structure interaction as a user has it: derivatives by constants of both parts and by the inflow, the same on several ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

const char* const designed_numbers =
    "design:\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.gel.poisson, upper: 0.45}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "  - {variable: boundary.left.factor}\n";
const char* const designed_shape =
    "  - {kind: ffd, region: top, from: [-0.1, 0.6], to: [2.5, 1.1], points: [3, 2], moves: [y], largest: 0.1}\n";
const char* const goals =
    "objective:\n"
    "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
    "  - {type: force, region: gate, direction: [1, 0], target: 1}\n"
    "  - {type: flow_rate, region: right, weight: 0.3}\n";

const char* const energies =
    "  - {type: kinetic_energy}\n"
    "  - {type: stored_energy, weight: 10}\n"
    "  - {type: dissipation}\n";

// The whole certificate: Taylor orders, adjoint against tangent, differences of solved problems and the Hessian.
TEST(FsiRun, DerivativesByNumbersAndShapeAreExact) {
  expect_certified(small_gate("") + designed_numbers + designed_shape + goals + energies);
}

TEST(FsiRun, DerivativesInTimeAreExact) {
  expect_certified(small_gate("time: {scheme: bdf2, end: 0.3, steps: 3}\n") + designed_numbers + goals + energies);
}

// An inflow that is a signal in time, and the velocity and the displacement with which time begins.
TEST(FsiRun, DerivativesByASignalAndTheInitialStateAreExact) {
  expect_certified(small_gate("time: {scheme: bdf2, end: 0.2, steps: 2}\n"
                               "initial: {all: {v_x: \"0.3*y*(1-y)*x*(2.4-x)\", d_x: \"0.01*y*(1-y)*x*(2.4-x)\"}}\n"
                               "design:\n"
                               "  - {kind: signal, variable: boundary.left.factor, basis: linear, functions: 3, start: 1}\n"
                               "  - {variable: initial.all.factor}\n") + goals);
}

// Muscles of the body and its viscosity, in the midst of a flow.
TEST(FsiRun, DerivativesByMusclesAndViscosityAreExact) {
  expect_certified(small_gate("loads: {pull: {type: muscle, region: gate, tension: \"20*x*sin(9*t)\", n_x: 0.3, n_y: 1}}\n"
                               "time: {scheme: sdirk2, end: 0.2, steps: 2}\n"
                               "design:\n"
                               "  - {variable: loads.pull.factor}\n"
                               "  - {variable: materials.gel.shear_viscosity, scale: log}\n"
                               "  - {variable: materials.gel.density, scale: log}\n",
                               {{"density: 2}", "density: 2, shear_viscosity: 2, bulk_viscosity: 1}"}}) + goals + energies);
}

// Loads stand before the equations of the parts.
TEST(FsiRun, FieldsAreThoseOfTheFluidBesideLoads) {
  const Workplace here;
  here.write("spec.yaml", gate("loads: {out: {type: pressure, region: right, p: 0}}\noutput: {quantities: {out: {type: flow_rate, region: right}}}\n"));
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NEAR(json_of(here.run_folder() / "results.json")["quantities"]["out"].get<double>(), 2.0 / 3, 1e-9);  // what flows in
}

// For a flap that is folded by the flow Newton's method fails from rest; continuation from stiffer flaps succeeds. Rounding limits
// the linear solves of this problem to 5e-12 of the load.
TEST(FsiRun, ContinuationReachesAFlapThatFoldsOver) {
  const Workplace here;
  ASSERT_EQ(here.invar({"init", "flap"}).code, 0);
  const Ended end = here.invar({"run", "flap/flap.yaml", "-q", "--out", "soft", "--set", "materials.rubber.young=100", "--set",
                                "design=[{variable: materials.rubber.young, scale: log}]", "--set", "optimizer.max_iterations=0"});
  ASSERT_EQ(end.code, 0) << end.said();
  EXPECT_GT(json_of(here.folder() / "soft/results.json")["quantities"]["downstream"], 0.3);  // of a length of 0.5
}

// The displacement has nodes in the middle of edges: cells can fold at a vertex while det F is positive at every Gauss point.
TEST(FsiRun, AMeshThatWouldFoldIsReportedWithItsPlace) {
  const Workplace here;
  here.write("spec.yaml", gate("loads: {push: {type: body_force, region: gate, x: \"2000*t\"}}\n"
                               "time: {scheme: bdf2, end: 0.4, steps: 2}\nsolver: {max_cuts: 0, max_iterations: 15}\n"));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 4) << end.said();
  EXPECT_NE(end.said().find("the mesh of the fluid 'oil' has a cell of quality 0.0"), std::string::npos) << end.said();
}

// Shorter steps reach a state that is too far for one; the quality of the mesh is written for every step, and the fields of both parts in one file.
TEST(FsiRun, AStepThatWouldFoldTheMeshIsCut) {
  const Workplace here;
  here.write("spec.yaml", gate("loads: {push: {type: body_force, region: gate, x: \"2000*t\"}}\ntime: {scheme: bdf2, end: 0.4, steps: 2}\noutput: {fields: all}\n"));
  const Ended end = here.invar({"run", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
  EXPECT_NE(end.said().find("the step from t = 0.2 s of 0.2 s was computed by shorter steps"), std::string::npos) << end.said();
  std::istringstream steps(content(here.run_folder() / "steps/case.csv"));
  std::string line;
  std::getline(steps, line);
  EXPECT_EQ(line, "t,residual,divided,mesh_quality");
  double before = 1;
  int count = 0;
  for (; std::getline(steps, line); ++count) {
    const double quality = std::stod(line.substr(line.rfind(',') + 1));
    EXPECT_GT(quality, 0);
    EXPECT_LT(quality, before);
    before = quality;
  }
  EXPECT_EQ(count, 3);
  const std::string series = content(here.run_folder() / "fields/case.pvd");
  std::size_t files = 0;
  for (std::size_t at = 0; (at = series.find("file=\"", at)) != std::string::npos; ++files) {
    at += 6;
    const std::string fields = content(here.run_folder() / "fields" / series.substr(at, series.find('"', at) - at));
    for (const char* name : {"velocity", "pressure", "displacement", "cauchy_stress"}) EXPECT_NE(fields.find('"' + std::string(name) + '"'), std::string::npos) << name;
  }
  EXPECT_EQ(files, 3u);
}

TEST(FsiRun, RanksAgreeAtRest) { expect_ranks_agree(gate("") + designed_numbers + designed_shape + goals, {2, 3}); }

// On two ranks: forces and rigid parts.
TEST(FsiRun, RanksAgreeInTime) {
  expect_ranks_agree(gate("time: {scheme: bdf2, end: 0.3, steps: 3}\n") + designed_numbers + designed_shape + goals, {3});
}

}  // namespace
}  // namespace invar::test
