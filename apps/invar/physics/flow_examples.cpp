#include "apps/invar/physics/examples.hpp"

namespace invar {

std::vector<Example> flow_examples() {
  return {
      {"Simulation: flow between two plates", R"yaml(title: a channel
mesh: {rectangle: {to: [2, 1], cells: [8, 4]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 2, viscosity: 0.5}
boundary:
  left: {u_x: "4*y*(1 - y)", u_y: 0}              # m/s
  bottom: {no_slip: true}
  top: {no_slip: true}                            # the right side is left open
output:
  quantities:
    drop: {type: pressure_drop, from: [0, 0.5], to: [2, 0.5]}
    out: {type: flow_rate, region: right}
expect:
  quantities.drop: {value: 8, rel: 1e-6}          # 8 μ per metre
  quantities.out: {value: 0.6666667, rel: 1e-6}   # m²/s
)yaml"},
      {"Inference: viscosity from a measured pressure drop", R"yaml(title: viscosity of a liquid that spreads into a channel from its upper half
mesh: {rectangle: {to: [2, 1], cells: [16, 8]}}
physics: {type: flow, kind: planar}
materials:
  liquid: {model: newtonian, density: 2, viscosity: 0.5}      # the start of the search
boundary:
  left: {u_x: "y > 0.5 ? 16*(y - 0.5)*(1 - y) : 0", u_y: 0}
  bottom: {no_slip: true}
  top: {no_slip: true}
objective:
  - {type: pressure_drop, from: [0.5, 0.5], to: [2, 0.5], target: 3, noise: 0.03}
design:
  - {variable: materials.liquid.viscosity, scale: log, lower: 0.01, upper: 10}
)yaml"},
      {"Shape design: a wall that saves power", R"yaml(title: a channel whose upper wall bulges to dissipate least
mesh: {rectangle: {to: [3, 1], cells: [18, 6]}}
physics: {type: flow, kind: planar, equations: stokes}
materials:
  oil: {model: newtonian, density: 1, viscosity: 1}
boundary:
  left: {u_x: "4*y*(1 - y)", u_y: 0}
  bottom: {no_slip: true}
  top: {no_slip: true}
objective:
  - {type: dissipation}
constraints:
  - {type: volume, upper: 3.15}                   # at most 5 % more room
design:
  - {kind: ffd, region: top, from: [0, 0.5], to: [3, 1.01], points: [5, 2], moves: [y], frozen: [1, 1, 1, 0], largest: 0.2}
)yaml"},
  };
}

}  // namespace invar
