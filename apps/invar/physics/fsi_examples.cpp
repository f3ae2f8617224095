#include "apps/invar/physics/examples.hpp"

namespace invar {

std::vector<Example> fsi_examples() {
  return {
      {"Simulation: a soft gate bends in the flow of a channel", R"yaml(title: a soft gate in a channel
mesh:
  grid:
    columns: [{to: 0.8, cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}]
    rows: [{to: 0.5, cells: 3}, {to: 1, cells: 3}]
    shape: triangle
  parts:                                          # cells where the formula is positive
    gate: "x > 0.8 && x < 1 && y < 0.5 ? 1 : -1"
    water: "x > 0.8 && x < 1 && y < 0.5 ? -1 : 1"
physics: {type: fsi}
materials:
  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}
  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4}
boundary:
  left: {v_x: "4*y*(1 - y)", v_y: 0}              # m/s
  right: {v_y: 0}                                 # the channel continues
  top: {no_slip: true}
  bottom: {no_slip: true, clamped: true}
output:
  quantities:
    tip: {type: point, point: [0.9, 0.5], component: d_x}
    drag: {type: force, region: gate, direction: [1, 0]}
)yaml"},
      {"Simulation: a softer gate in turbulent flow, on elements of equal order", R"yaml(title: a gate in turbulent flow
mesh:
  grid:                                           # cells at walls are thin
    columns: [{to: 0.8, cells: 5, last: 0.08}, {to: 1, cells: 2}, {to: 2.4, cells: 7, first: 0.08}]
    rows: [{to: 0.5, cells: 5, first: 0.05, last: 0.05}, {to: 1, cells: 5, first: 0.05, last: 0.03}]
    shape: triangle
  parts:
    gate: "x > 0.8 && x < 1 && y < 0.5 ? 1 : -1"
    water: "x > 0.8 && x < 1 && y < 0.5 ? -1 : 1"
physics: {type: fsi, elements: equal_order, turbulence: spalart_allmaras}
materials:
  oil: {model: newtonian, region: water, density: 1, viscosity: 1e-4}
  gel: {model: neo_hookean, region: gate, young: 100, poisson: 0.4}
boundary:
  left: {v_x: 1, v_y: 0, chi: 3}                  # m/s; ν̃/ν of the turbulence that comes in
  top: {no_slip: true}
  bottom: {no_slip: true, clamped: true}          # walls, and so is the surface of the gate
output:
  quantities:
    tip: {type: point, point: [0.9, 0.5], component: d_x}
    drag: {type: force, region: gate, direction: [1, 0]}
)yaml"},
      {"Inference: stiffness of the gate from the place of its tip", R"yaml(title: how stiff is the gate?
mesh:
  grid:
    columns: [{to: 0.8, cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}]
    rows: [{to: 0.5, cells: 3}, {to: 1, cells: 3}]
    shape: triangle
  parts:
    gate: "x > 0.8 && x < 1 && y < 0.5 ? 1 : -1"
    water: "x > 0.8 && x < 1 && y < 0.5 ? -1 : 1"
physics: {type: fsi}
materials:
  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}
  gel: {model: neo_hookean, region: gate, young: 400, poisson: 0.4}   # the start of the search
boundary:
  left: {v_x: "4*y*(1 - y)", v_y: 0}
  right: {v_y: 0}
  top: {no_slip: true}
  bottom: {no_slip: true, clamped: true}
objective:
  - {type: point, point: [0.9, 0.5], component: d_x, target: 0.01, noise: 0.0002}
design:
  - {variable: materials.gel.young, scale: log, lower: 10}
)yaml"}};
}

}  // namespace invar
