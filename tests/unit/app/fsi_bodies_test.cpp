// Bodies of fluid-structure interaction: several of them, their formulations, history variables and loads.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/app/program.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/soft_gate.hpp"

namespace invar::test {
namespace {

nlohmann::json outcome(const std::string& spec) {
  const Workplace here;
  here.write("spec.yaml", spec);
  const Ended end = here.invar({"run", "spec.yaml", "-q"});
  EXPECT_EQ(end.code, 0) << end.said();
  return json_of(here.run_folder() / "results.json");
}

const char* const tips = "output: {fields: none, probes: {x: {point: [0.9, 0.5], component: d_x}, y: {point: [1, 0.5], component: d_y}}}\n";
const char* const three_steps = "time: {scheme: bdf2, end: 0.3, steps: 3}\n";
const GateEdits halves{{"parts: {gate: \"x > 0.8 && x < 1 && y < 0.5 ? 1 : -1\"",
                        "parts: {gate: \"x > 0.8 && x < 0.9 && y < 0.5 ? 1 : -1\", lee: \"x > 0.9 && x < 1 && y < 0.5 ? 1 : -1\""},
                       {"  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4, density: 2}\n",
                        "  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4, density: 2}\n"
                        "  jelly: {model: neo_hookean, region: lee, young: 200, poisson: 0.4, density: 2}\n"}};

// Two bodies of the same material that are bonded are one.
TEST(FsiBodies, TwoHalvesAreOneBody) {
  for (const std::string& more : {std::string(), std::string(three_steps)}) {
    const nlohmann::json one = outcome(gate(more + tips))["probes"], two = outcome(gate(more + tips, halves))["probes"];
    for (const char* axis : {"x", "y"}) EXPECT_NEAR(two[axis].get<double>(), one[axis].get<double>(), 1e-11) << axis;
  }
}

// Two halves with different laws: energies, and the power between the fluid and one of them.
TEST(FsiBodies, DerivativesByTwoLawsAreExact) {
  GateEdits edits = halves;
  edits.push_back({"jelly: {model: neo_hookean, region: lee, young: 200", "jelly: {model: saint_venant_kirchhoff, region: lee, young: 90"});
  const Workplace here;
  here.write("spec.yaml", gate(std::string(three_steps) +
                               "design:\n"
                               "  - {variable: materials.gel.young, scale: log}\n"
                               "  - {variable: materials.jelly.young, scale: log}\n"
                               "  - {variable: materials.jelly.density, scale: log}\n"
                               "objective:\n"
                               "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
                               "  - {type: part_energy, region: lee, energy: stored, weight: 10}\n"
                               "  - {type: part_energy, region: gate}\n"
                               "  - {type: power, region: lee}\n"
                               "  - {type: moment, region: gate, point: [0.9, 0, 0]}\n", edits));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

// The signal of a muscle, from the steady flow on: thrust and what the water takes for it.
TEST(FsiBodies, DerivativesByASignalFromAnEquilibriumAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate("loads: {bend: {type: muscle, region: gate, tension: \"30*(x > 0.9 ? 1 : -1)*sin(8*t)\", n_y: 1}}\n"
                               "time: {scheme: bdf2, end: 0.2, steps: 2, begin_with: equilibrium}\n"
                               "design:\n"
                               "  - {kind: signal, variable: loads.bend.factor, basis: linear, functions: 2, start: [0.5, 0.2]}\n"
                               "objective:\n"
                               "  - {type: force, region: gate, direction: [1, 0], statistic: mean}\n"
                               "  - {type: power, region: gate, statistic: mean, weight: 0.5}\n"
                               "  - {type: stress_norm, region: gate, exponent: 4, statistic: mean, weight: 0.01}\n"
                               "verify: {directions: 1}\n",
                               {{"cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}", "cells: 2}, {to: 1, cells: 1}, {to: 2.4, cells: 2}"},
                                {"cells: 3}, {to: 1, cells: 3}", "cells: 2}, {to: 1, cells: 1}"}}));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// The gate in thin air, and the same body alone, which 'physics: solid' solves for by an equation of second order: backward
/// Euler's steps are the same. body: the material without its density; loads: in both; formulation, model: of both.
void expect_as_alone(const std::string& body, const std::string& loads, const std::string& formulation, const std::string& model = "neo_hookean") {
  // Quantities read no history variables, on which the stress of Maxwell elements depends.
  const bool has_history = body.find("relaxation") != std::string::npos || body.find("plasticity") != std::string::npos;
  const std::string stresses = has_history ? "" : "quantities: {norm: {type: stress_norm, at: 0.2}, clamp: {type: stress_norm, region: bottom, exponent: 4, statistic: mean, begin: 0.1}, peak: {type: peak_stress, region: bottom, at: 0.3}}, ";
  const std::string rest = "time: {scheme: backward_euler, end: 0.3, steps: 6}\noutput: {fields: none, " + stresses + "probes: ";
  const auto probes = [](const char* letter) {
    return "{x: {point: [0.9, 0.5], component: " + std::string(letter) + "_x}, y: {point: [0.9, 0.5], component: " + letter + "_y}}}\n";
  };
  const nlohmann::json in_air = outcome(gate("loads:\n" + loads + "  wind: {type: body_force, region: gate, x: \"9*t\"}\n" + rest + probes("d"),
                                             {{"shape: triangle", "shape: quadrilateral"},
                                              {"physics: {type: fsi}", "physics: {type: fsi" + formulation + "}"},
                                              {"density: 1, viscosity: 0.1", "density: 1e-6, viscosity: 1e-6"},
                                              {"model: neo_hookean", "model: " + model},
                                              {"young: 200, poisson: 0.4, density: 2}\n", "density: 2, " + body + "}\n"},
                                              {"v_x: \"4*y*(1 - y)\"", "v_x: 0"}}));
  const nlohmann::json alone = outcome("title: alone\nmesh: {rectangle: {from: [0.8, 0], to: [1, 0.5], cells: [2, 3]}}\n"
                                       "physics: {type: solid, kind: plane_strain" + formulation + "}\n"
                                       "materials:\n  gel: {model: " + model + ", density: 2, " + body + "}\n"
                                       "boundary: {bottom: {u_x: 0, u_y: 0}}\nloads:\n" + loads + "  wind: {type: body_force, x: \"9*t\"}\n" + rest + probes("u"));
  for (const char* kind : {"probes", "quantities"}) {
    if (has_history && kind == std::string("quantities")) continue;
    for (const auto& [name, value] : alone[kind].items()) {
      const double expected = value;
      EXPECT_GT(std::abs(expected), 1e-3);
      EXPECT_NEAR(in_air[kind][name].get<double>(), expected, 1e-4 * std::abs(expected)) << name;
    }
  }
}

const char* const muscle = "  muscle: {type: muscle, tension: \"60*sin(8*t)*(x > 0.9 ? 1 : 0)\", n_y: 1}\n";

TEST(FsiBodies, MaxwellElementsRelaxInThinAirAsAlone) {
  expect_as_alone("young: 100, poisson: 0.4, mass_damping: 0.5, relaxation: {slow: {shear: 40, time: 0.3}, fast: {shear: 30, time: 0.02}}", muscle, "");
}

TEST(FsiBodies, OtherLawsMoveInThinAirAsAlone) {
  expect_as_alone("terms: 2, mu1: 40, alpha1: 3, mu2: -10, alpha2: -2, bulk: 200", muscle, "", "ogden");
  expect_as_alone("mu: 40, fibre1_stiffness: 60, fibre1_exponent: 2, fibre1_dispersion: 0.1, fibre1_angle: 60, bulk: 200", muscle, "", "holzapfel_gasser_ogden");
  expect_as_alone("young: 200, poisson: 0.3, plasticity: {yield_stress: 4, hardening: 30}", muscle, "", "hencky");
}

TEST(FsiBodies, AnIncompressibleBodyMovesInThinAirAsAlone) {
  expect_as_alone("young: 180, incompressible: true, shear_viscosity: 1", muscle, ", formulation: mixed");
  expect_as_alone("young: 180, bulk: 900", muscle, ", formulation: mixed");
}

TEST(FsiBodies, DerivativesByHistoryVariablesAndPressureAreExact) {
  const Workplace here;
  here.write("spec.yaml", gate(std::string(three_steps) +
                                   "design:\n"
                                   "  - {variable: materials.gel.young, scale: log}\n"
                                   "  - {variable: materials.gel.bulk, scale: log}\n"
                                   "  - {variable: materials.gel.relaxation.slow.shear, scale: log}\n"
                                   "  - {variable: materials.gel.relaxation.slow.time, scale: log}\n"
                                   "objective:\n"
                                   "  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.1}\n"
                                   "  - {type: force, region: gate, direction: [1, 0], target: 1}\n"
                                   "  - {type: kinetic_energy, weight: 10}\n",
                               {{"physics: {type: fsi}", "physics: {type: fsi, formulation: mixed}"},
                                {"young: 200, poisson: 0.4, density: 2}", "young: 180, bulk: 900, density: 2, relaxation: {slow: {shear: 40, time: 0.1}}}"}}));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

/// A slab of gel under a channel whose side is pushed, pulled and bedded: loads of solids on a body, of flows on the fluid.
std::string slab(const std::string& loads, const std::string& more) {
  return "title: a slab under a channel\n"
         "mesh:\n"
         "  rectangle: {to: [2, 1], cells: [4, 4], shape: triangle}\n"
         "  parts: {slab: \"y < 0.5 ? 1 : -1\", water: \"y < 0.5 ? -1 : 1\"}\n"
         "physics: {type: fsi}\n"
         "materials:\n"
         "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
         "  gel: {model: neo_hookean, region: slab, young: 60, poisson: 0.4, density: 2}\n"
         "boundary:\n"
         "  left: {v_x: \"y > 0.5 ? 4*(y - 0.5)*(1 - y) : 0\", v_y: 0, d_x: 0, d_y: 0}\n"
         "  right: {v_y: 0, d_y: 0}\n"
         "loads:\n" + loads + more;
}

const char* const all_loads_on_parts =
    "  bed: {type: foundation, region: bottom, x: 30, y: 40}\n"
    "  pull: {type: traction, region: bottom, x: 0.6}\n"
    "  lid: {type: slip, region: top, penalty: 50, friction: 0.3}\n"
    "  lean: {type: traction, region: top, x: 0.1}\n"
    "  peg: {type: point_force, region: right_bottom, x: 0.02}\n"
    "  spring: {type: spring, region: right_bottom, x: 2}\n";

TEST(FsiBodies, DerivativesByLoadsOfBothPartsAreExact) {
  const std::string design =
      "design:\n"
      "  - {variable: loads.bed.y, scale: log}\n"
      "  - {variable: loads.pull.x}\n"
      "  - {variable: loads.lid.friction, scale: log}\n"
      "  - {variable: loads.lean.x}\n"
      "  - {variable: loads.peg.x}\n"
      "  - {variable: loads.spring.x, scale: log}\n"
      "objective:\n"
      "  - {type: point, point: [1, 0.5], component: d_y, target: 0.1}\n"
      "  - {type: dissipation}\n"
      "  - {type: stored_energy, weight: 10}\n";
  const Workplace here;
  here.write("spec.yaml", slab(all_loads_on_parts, "time: {scheme: bdf2, end: 0.2, steps: 2}\n" + design));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(BadFsi, LoadsAreOfThePartThatTheyActOn) {
  expect_refused(slab("  bed: {type: foundation, region: top, x: 1}\n", ""), {"'top' bounds the fluid, and the load 'foundation' is for solids"});
  expect_refused(slab("  lid: {type: slip, region: bottom, penalty: 1}\n", ""), {"'bottom' bounds a body, and the load 'slip' is for flows"});
  expect_refused(slab("  out: {type: pressure, region: right, p: 0}\n", ""), {"'right' is on the boundaries of the fluid and of a body", "give each a separate region"});
  expect_refused(slab("  flex: {type: muscle, region: water, tension: 1, n_x: 1}\n", ""), {"the load 'muscle' acts in bodies", "'all'"});
}

}  // namespace
}  // namespace invar::test
