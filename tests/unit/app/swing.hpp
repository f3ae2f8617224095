#pragma once
#include "tests/unit/app/interrupted.hpp"

namespace invar::test {

/// The modulus of a strip from where its swing is at the end: each evaluation is a march of so many steps. It does not
/// converge: the search ends at its limit.
inline std::string swing_spec(int steps, int iterations, const std::string& more = "") {
  return R"(title: a strip that swings
mesh: {rectangle: {to: [4, 1], cells: [8, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 1, poisson: 0.3, density: 1}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  pull: {type: traction, region: right, y: 0.001}
time: {scheme: newmark, end: 8, steps: )" + std::to_string(steps) + R"(}
design:
  - {variable: materials.rubber.young, start: 0.3, lower: 0.1, upper: 10}
objective:
  - {type: point, point: [4, 0.5], component: u_y, at: 8, target: 0.05, noise: 0.01}
optimizer: {method: mma, max_iterations: )" + std::to_string(iterations) + R"(, gradient_tolerance: 1e-14, function_tolerance: 1e-16, step_tolerance: 1e-16}
output: {fields: none}
)" + more;
}

}  // namespace invar::test
