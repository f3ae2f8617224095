// Fluid-structure interaction in time, with checks beyond derivatives: a uniform flow on a mesh that shakes, an
// exact solution whose interface moves, and an account of the energy.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/unit/app/csv_columns.hpp"
#include "tests/unit/app/program.hpp"
#include "tests/unit/app/soft_gate.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

const std::vector<std::string> schemes{"backward_euler", "bdf2", "generalised_alpha", "sdirk2"};

std::string with_elements(std::string spec, bool linear) {
  if (linear) spec.insert(spec.find("{type: fsi") + std::string("{type: fsi").size(), ", elements: equal_order");
  return spec;
}

// A body carried along by a uniform flow through a box whose mesh is shaken: velocity and shape are constant for any motion of the
// mesh. The box is closed: the pressure level is determined by the body only.
TEST(FsiTime, UniformFlowOnAShakenMeshStaysUniform) {
  const std::string box =
      "title: carried along\n"
      "mesh:\n"
      "  grid:\n"
      "    columns: [{to: 0.4, cells: 2}, {to: 0.6, cells: 1}, {to: 1, cells: 2}]\n"
      "    rows: [{to: 0.4, cells: 2}, {to: 0.6, cells: 1}, {to: 1, cells: 2}]\n"
      "    shape: triangle\n"
      "  parts: {raft: \"abs(x - 0.5) < 0.1 && abs(y - 0.5) < 0.1 ? 1 : -1\", water: \"abs(x - 0.5) < 0.1 && abs(y - 0.5) < 0.1 ? -1 : 1\"}\n"
      "physics: {type: fsi}\n"
      "materials:\n"
      "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
      "  gel: {model: neo_hookean, region: raft, young: 20, poisson: 0.3, density: 0.5}\n"
      "boundary:\n"
      "  left: {v_x: 0.5, v_y: 0.3, d_x: \"0.05*sin(9*t)*y\", d_y: \"0.04*t*y\"}\n"
      "  right: {v_x: 0.5, v_y: 0.3, d_x: \"0.06*sin(7*t)\", d_y: \"-0.1*t*t*y\"}\n"
      "  top: {v_x: 0.5, v_y: 0.3, d_x: \"0.05*t*x\", d_y: \"0.05*sin(8*t + 3*x) - 0.05*sin(3*x)\"}\n"
      "  bottom: {v_x: 0.5, v_y: 0.3}\n"
      "initial:\n"
      "  all: {v_x: 0.5, v_y: 0.3}\n"
      "solver: {rtol: 1e-13}\n"
      "output:\n"
      "  fields: none\n"
      "  errors: {v_x: \"0.5\", v_y: \"0.3\", p: \"0\"}\n"
      "  quantities:\n"
      "    raft: {type: point, point: [0.5, 0.5], component: d_x}\n"
      "    mesh: {type: point, point: [0.8, 0.8], component: d_y}\n";
  for (const bool linear : {false, true})
    for (const std::string& scheme : schemes) {
      SCOPED_TRACE(scheme + (linear ? " on linear elements" : ""));
      const Workplace here;
      const nlohmann::json r = results_when_solved(here, with_elements(box, linear) + "time: {scheme: " + scheme + ", end: 0.2, steps: 5}\n");
      EXPECT_LE(r["errors"]["case"]["velocity_l2"].get<double>(), 1e-13) << r["errors"].dump(1);
      EXPECT_NEAR(r["quantities"]["raft"].get<double>(), 0.1, 1e-12);
      EXPECT_GT(std::abs(r["quantities"]["mesh"].get<double>()), 1e-3);
    }
}

/// A layer of gel below a layer of oil. The gel is sheared by A(t) and lifted by B(t); the oil, whose layer becomes thinner,
/// is sheared at the rate k A(t), k the shear modulus over the viscosity, so that tractions balance:
///     d = (A Y, B), v = (A' Y, B') below Y = h;  v = (A' h + k A s, B'), s = (Y - h) (1 - B/(1 - h)) above,
/// where nodes of the mesh go to d = (A h, B) (1 - Y)/(1 - h). The elements represent all of it, so that what is left is
/// the error of the steps. h = 1/2, k = 2, A = 0.3 sin 3t, B = 0.1 sin 2t.
std::string layers(const std::string& scheme, int steps) {
  const std::string A = "0.3*sin(3*t)", dA = "0.9*cos(3*t)", ddA = "(-2.7*sin(3*t))", B = "0.1*sin(2*t)", dB = "0.2*cos(2*t)", ddB = "(-0.4*sin(2*t))";
  const std::string s = "(y - 0.5)*(1 - 2*" + B + ")", flow = "0.5*" + dA + " + 2*" + A + "*" + s;
  const std::string v_x = "y < 0.5 ? " + dA + "*y : " + flow, d_x = "y < 0.5 ? " + A + "*y : " + A + "*(1 - y)";
  const std::string d_y = "y < 0.5 ? " + B + " : 2*" + B + "*(1 - y)";
  const auto entry = [](const char* key, const std::string& formula) { return std::string(key) + ": \"" + formula + "\""; };
  const std::string side = "{" + entry("v_x", v_x) + ", " + entry("v_y", dB) + ", " + entry("d_x", d_x) + ", " + entry("d_y", d_y) + "}\n";
  return "title: two layers\n"
         "mesh:\n"
         "  rectangle: {to: [1, 1], cells: [2, 4], shape: triangle}\n"
         "  parts: {below: \"y < 0.5 ? 1 : -1\", above: \"y < 0.5 ? -1 : 1\"}\n"
         "physics: {type: fsi}\n"
         "materials:\n"
         "  oil: {model: newtonian, region: above, density: 1, viscosity: 0.5}\n"
         "  gel: {model: neo_hookean, region: below, young: 2.6, poisson: 0.3, density: 2}\n"
         "boundary:\n"
         "  left: " + side + "  right: " + side +
         "  bottom: {v_x: 0, d_x: 0, " + entry("v_y", dB) + ", " + entry("d_y", B) + "}\n"
         "  top: {" + entry("v_x", flow) + "}\n"
         "loads:\n"
         "  of_oil: {type: body_force, region: above, " + entry("x", "0.5*" + ddA + " + 2*" + dA + "*" + s) + ", " + entry("y", ddB) + "}\n"
         "  of_gel: {type: body_force, region: below, " + entry("x", "2*" + ddA + "*y") + ", " + entry("y", "2*" + ddB) + "}\n"
         "initial:\n"
         "  all: {" + entry("v_x", v_x) + ", " + entry("v_y", dB) + "}\n"
         "output:\n"
         "  fields: none\n"
         "  errors: {" + entry("v_x", v_x) + ", " + entry("v_y", dB) + ", " + entry("d_x", d_x) + ", " + entry("d_y", d_y) + ", p: 0}\n"
         "solver: {rtol: 1e-12}\n"
         "time: {scheme: " + scheme + ", end: 0.4, steps: " + std::to_string(steps) + "}\n";
}

void expect_order_of_steps(const std::string& scheme, bool linear) {
  SCOPED_TRACE(scheme + (linear ? " on linear elements" : ""));
  const double order = scheme == "backward_euler" ? 1 : 2;
  std::vector<nlohmann::json> errors;
  for (const int steps : {16, 32, 64}) {
    const Workplace here;
    errors.push_back(results_when_solved(here, with_elements(layers(scheme, steps), linear))["errors"]["case"]);
  }
  EXPECT_LT(errors[2]["pressure_l2"].get<double>(), 1e-2);  // 0 in the fluid, where it lives
  for (const char* of : {"velocity_l2", "displacement_l2"})
    for (int k = 0; k < 2; ++k) {
      const double coarse = errors[k][of], fine = errors[k + 1][of];
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << of << ": " << coarse << ", " << fine;
      EXPECT_GT(fine, 1e-10);
    }
}

TEST(FsiTime, StepsWithAMovingInterfaceHaveTheirOrder) {
  for (const std::string& scheme : schemes) expect_order_of_steps(scheme, false);
}
TEST(FsiTime, StepsOnLinearElementsHaveTheirOrder) {
  for (const char* scheme : {"bdf2", "generalised_alpha", "sdirk2"}) expect_order_of_steps(scheme, true);
}

/// What is missing of the energy that a gate in a closed box has when a push has ended, relative to it: after the time that
/// follows it is there still, or has become heat.
double missing_energy(const std::string& scheme, int steps) {
  const Workplace here;
  const std::string more =
      "loads:\n  push: {type: body_force, region: gate, x: \"t < 0.1 ? 8*sin(31.41592653589793*t)^2 : 0\"}\n"
      "time: {scheme: " + scheme + ", end: 0.3, steps: " + std::to_string(3 * steps) + "}\n"
      "output: {fields: none, quantities: {kinetic: {type: kinetic_energy}, stored: {type: stored_energy}, heat: {type: dissipation}}}\n";
  results_when_solved(here, gate(more, {{"left: {v_x: \"4*y*(1 - y)\", v_y: 0}", "left: {no_slip: true}"}, {"right: {v_y: 0}", "right: {no_slip: true}"}}));
  std::map<std::string, std::vector<double>> curve;
  for (const char* name : {"kinetic", "stored", "heat"}) curve[name] = columns_of(content(here.run_folder() / "curves" / (std::string(name) + ".csv")))["value"];
  const auto energy = [&](int k) { return curve["kinetic"][k] + curve["stored"][k]; };
  double heat = 0;  // by Simpson's rule
  for (int k = steps; k + 2 <= 3 * steps; k += 2) heat += 0.1 / steps / 3 * (curve["heat"][k] + 4 * curve["heat"][k + 1] + curve["heat"][k + 2]);
  return (energy(steps) - energy(3 * steps) - heat) / energy(steps);
}

// The remainder is the dissipation of the scheme, of second order in the step.
TEST(FsiTime, EnergyIsKeptButForHeatAndTheScheme) {
  for (const std::string scheme : {"bdf2", "generalised_alpha", "sdirk2"}) {
    SCOPED_TRACE(scheme);
    const double coarse = missing_energy(scheme, 10), middle = missing_energy(scheme, 20), fine = missing_energy(scheme, 40);
    EXPECT_LT(std::abs(fine), 2e-3) << coarse << ", " << middle << ", " << fine;
    EXPECT_NEAR(coarse / middle, 4, 1) << coarse << ", " << middle << ", " << fine;
    EXPECT_NEAR(middle / fine, 4, 0.7) << coarse << ", " << middle << ", " << fine;
  }
}

// In air that weighs a millionth the body moves as the solid does that 'physics: solid' solves for by an equation of second
// order: backward Euler's steps are the same. With muscles and viscosity.
TEST(FsiTime, ABodyInThinAirMovesAsASolidAlone) {
  const std::string muscle = "  muscle: {type: muscle, tension: \"60*sin(8*t)*(x > 0.9 ? 1 : 0)\", n_y: 1}\n";
  const std::string rest = "time: {scheme: backward_euler, end: 0.3, steps: 6}\noutput: {fields: none, probes: ";
  const std::string gel = "young: 200, poisson: 0.4, density: 2, shear_viscosity: 3, bulk_viscosity: 2}\n";
  const auto probes = [](const Workplace& here, const std::string& spec) { return results_when_solved(here, spec)["probes"]; };
  const Workplace here, there;
  const nlohmann::json in_air = probes(here, gate("loads:\n" + muscle + "  wind: {type: body_force, region: gate, x: \"9*t\"}\n" + rest +
                                                      "{x: {point: [0.9, 0.5], component: d_x}, y: {point: [0.9, 0.5], component: d_y}}}\n",
                                                  {{"shape: triangle", "shape: quadrilateral"},
                                                   {"density: 1, viscosity: 0.1", "density: 1e-6, viscosity: 1e-6"},
                                                   {"young: 200, poisson: 0.4, density: 2}\n", gel},
                                                  {"v_x: \"4*y*(1 - y)\"", "v_x: 0"}}));
  const nlohmann::json alone = probes(there, "title: alone\nmesh: {rectangle: {from: [0.8, 0], to: [1, 0.5], cells: [2, 3]}}\n"
                                             "physics: {type: solid, kind: plane_strain}\nmaterials:\n  gel: {model: neo_hookean, " + gel +
                                                 "boundary: {bottom: {u_x: 0, u_y: 0}}\nloads:\n" + muscle + "  wind: {type: body_force, x: \"9*t\"}\n" + rest +
                                                 "{x: {point: [0.9, 0.5], component: u_x}, y: {point: [0.9, 0.5], component: u_y}}}\n");
  for (const char* axis : {"x", "y"}) {
    const double expected = alone[axis];
    EXPECT_GT(std::abs(expected), 0.05);
    EXPECT_NEAR(in_air[axis].get<double>(), expected, 1e-4 * std::abs(expected)) << axis;
  }
}

}  // namespace
}  // namespace invar::test
