#include "apps/invar/physics/examples.hpp"

namespace invar {

std::vector<Example> solid_examples() {
  return {
      {"Simulation: a beam under a load at its tip", R"yaml(title: a clamped beam that a traction bends
mesh: {rectangle: {to: [0.1, 0.02], cells: [20, 4]}}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 2e5, poisson: 0.45}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: -300}   # Pa, per undeformed area
time: {steps: 4}
output:
  probes:
    tip: {point: [0.1, 0.02], component: u_y}
  quantities:
    support: {type: reaction, region: left, direction: [0, 1]}
expect:
  quantities.support: {value: 6, rel: 1e-6}       # 300 Pa on 0.02 m, per metre of thickness
)yaml"},
      {"Inference: stiffness from a measured deflection", R"yaml(title: Young's modulus that explains how far a beam bends
mesh: {rectangle: {to: [0.1, 0.02], cells: [20, 4]}}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 5e5, poisson: 0.45}   # the start of the search
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: -300}
time: {steps: 4}
objective:
  - {type: point, point: [0.1, 0.02], component: u_y, target: -0.02, noise: 5e-5}
design:
  - {variable: materials.silicone.young, scale: log, lower: 1e4, upper: 1e7}
)yaml"},
      {"Motion in time: a beam that is released", R"yaml(title: a bent beam swings freely
mesh: {rectangle: {to: [0.1, 0.01], cells: [10, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  silicone: {model: neo_hookean, young: 2e5, poisson: 0.45, density: 1100}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: "t <= 0 ? -10 : 0"}
time: {scheme: midpoint, begin_with: equilibrium, end: 0.8, steps: 160}
output:
  quantities:
    frequency: {type: point, point: [0.1, 0.01], component: u_y, statistic: frequency}   # 1/s
)yaml"},
  };
}

}  // namespace invar
