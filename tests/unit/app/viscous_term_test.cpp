// The form of the viscous stress: balances that hold for any solution, and closed forms, tell which one is right.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using nlohmann::json;

/// Creeping flow through a bent channel, driven by a pressure of 1 Pa. fluid: members of the material; rest: other sections.
std::string bent_channel(const std::string& fluid, const std::string& rest) {
  return R"spec(title: a bent channel
mesh: {grid: {columns: [{to: 3, cells: 8}], rows: [{to: 1, cells: 4}], y: "y*(1 + 0.3*sin(2*x))"}}
physics: {type: flow, kind: planar, equations: stokes}
materials: {oil: {)spec" + fluid + R"(}}
boundary: {left: {u_y: 0}, right: {u_y: 0}, bottom: {no_slip: true}, top: {no_slip: true}}
loads: {push: {type: pressure, region: left, p: 1}}
)" + rest;
}

const std::string power = "output: {fields: none, quantities: {lost: {type: dissipation}, rate: {type: flow_rate, region: right}}}\n";

// The power of the pressure is dissipated, p Q = ∫ 2 μ ε:ε, if the stress is 2 μ ε.
TEST(ViscousTerm, ThePowerOfThePressureIsDissipated) {
  const Workplace here;
  const json q = results_when_solved(here, bent_channel("model: carreau, density: 1, viscosity_zero: 1, viscosity_inf: 0.1, relaxation_time: 20, exponent: 0.3", power))["quantities"];
  EXPECT_NEAR(q["lost"].get<double>() / q["rate"].get<double>(), 1, 1e-9);  // with μ ∇u 1.017
}

// The drag of a spherical bubble is 4 π μ R U, with the exact velocity (Hadamard and Rybczynski) on a sphere of five times its radius.
TEST(ViscousTerm, ACurvedWallThatSlipsCarriesNoShear) {
  const Workplace here;
  const json q = results_when_solved(here, R"spec(title: a bubble
mesh:
  grid:
    from: [1, 0]
    columns: [{to: 5, cells: 6, first: 0.25}]
    rows: [{to: 3.141592653589793, cells: 8}]
    x: x*sin(y)
    y: -x*cos(y)
physics: {type: flow, kind: axisymmetric, equations: stokes}
materials: {w: {model: newtonian, density: 1, viscosity: 0.5}}
boundary:
  left_bottom: {p: 0}
  bottom: {u_x: 0}
  top: {u_x: 0}
  right: {u_x: "-x*y/(x*x+y*y)/(2*sqrt(x*x+y*y))", u_y: "1 - 1/(2*sqrt(x*x+y*y)) - y*y/(x*x+y*y)/(2*sqrt(x*x+y*y))"}
loads: {surface: {type: slip, region: left, penalty: 1e4}}
output: {fields: none, quantities: {drag: {type: force, region: left, direction: [0, 1]}}}
)spec")["quantities"];
  EXPECT_NEAR(q["drag"].get<double>() / (2 * std::numbers::pi), 1, 0.005);  // with μ ∇u 0.74
}

TEST(ViscousTerm, AConstantViscosityIsNeededForTheGradient) {
  const auto gradient = [](std::string spec) { return spec.replace(spec.find("equations: stokes"), 17, "viscous_term: gradient"); };
  const std::vector<std::string> words = {"spec.yaml:3:51: error: 'gradient' is for a constant viscosity", "use 'stress' or 'auto'"};
  expect_refused(gradient(bent_channel("model: power_law, density: 1, consistency: 1, exponent: 0.5, rate_floor: 0.01", power)), words);
  expect_refused(gradient(bent_channel("model: newtonian, density: 1, viscosity: 1",
                                       "objective: [{type: dissipation}]\ndesign: [{kind: field, variable: materials.oil.viscosity, radius: 1}]\n")),
                 words);
}

}  // namespace
}  // namespace invar::test
