#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace invar::test {

using GateEdits = std::vector<std::pair<std::string, std::string>>;

/// A channel with a soft wall between two pieces of its bottom, bent by the flow that passes over it, with texts
/// replaced; a text that is not there is a mistake of the test.
inline std::string gate(const std::string& more, const GateEdits& edits = {}) {
  std::string spec =
      "title: a soft gate in a channel\n"
      "mesh:\n"
      "  grid:\n"
      "    columns: [{to: 0.8, cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}]\n"
      "    rows: [{to: 0.5, cells: 3}, {to: 1, cells: 3}]\n"
      "    shape: triangle\n"
      "  parts: {gate: \"x > 0.8 && x < 1 && y < 0.5 ? 1 : -1\", water: \"x > 0.8 && x < 1 && y < 0.5 ? -1 : 1\"}\n"
      "physics: {type: fsi}\n"
      "materials:\n"
      "  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
      "  gel: {model: neo_hookean, region: gate, young: 200, poisson: 0.4, density: 2}\n"
      "boundary:\n"
      "  left: {v_x: \"4*y*(1 - y)\", v_y: 0}\n"
      "  right: {v_y: 0}\n"
      "  top: {no_slip: true}\n"
      "  bottom: {no_slip: true, clamped: true}\n" + more;
  for (const auto& [from, to] : edits) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::logic_error("the gate has no '" + from + "'");
    spec.replace(at, from.size(), to);
  }
  return spec;
}

/// On less than half of the cells, for certificates, which solve hundreds of neighbours.
inline std::string small_gate(const std::string& more, GateEdits edits = {}) {
  edits.push_back({"{to: 0.8, cells: 4}, {to: 1, cells: 2}, {to: 2.4, cells: 6}", "{to: 0.8, cells: 3}, {to: 1, cells: 1}, {to: 2.4, cells: 4}"});
  edits.push_back({"{to: 0.5, cells: 3}, {to: 1, cells: 3}", "{to: 0.5, cells: 2}, {to: 1, cells: 2}"});
  return gate(more, edits);
}

/// A soft block in a channel, in space or around an axis, in two steps of time. options: of the physics; at_inflow, more: of the inflow and of
/// further sections.
inline std::string block_in_a_channel(bool deep, const std::string& options, const std::string& viscosity, const std::string& at_inflow, const std::string& more) {
  return "title: a soft block in a channel\nmesh:\n  " + std::string(deep ? "box: {to: [2.4, 1, 0.6], cells: [3, 2, 2], shape: tetrahedron}" : "rectangle: {from: [0.5, 0], to: [2.9, 1], cells: [6, 4]}") +
         "\n  parts: {block: \"x > 0.8 && x < 1.7 && y < 0.5 ? 1 : -1\", water: \"x > 0.8 && x < 1.7 && y < 0.5 ? -1 : 1\"}\n"
         "physics: {type: fsi, " + options + ", kind: " + (deep ? "spatial" : "axisymmetric") + "}\n"
         "materials:\n  oil: {model: newtonian, region: water, density: 1, viscosity: " + viscosity + "}\n  gel: {model: neo_hookean, region: block, young: 60, poisson: 0.3, density: 2}\n"
         "boundary:\n" + (deep ? "  back: {v_z: 0, d_z: 0}\n  front: {v_z: 0, d_z: 0}\n" : "") +
         "  left: {v_x: \"4*y*(1 - y)\", v_y: 0" + (deep ? ", v_z: 0" : "") + at_inflow + "}\n  top: {no_slip: true}\n  bottom: {no_slip: true, clamped: true}\n"
         "loads: {out: {type: pressure, region: right, p: 0.1}}\ntime: {scheme: bdf2, end: 0.2, steps: 2}\n" + more +
         "objective:\n  - {type: force, region: block, direction: [1, 0" + (deep ? ", 0" : "") + "], target: 1}\n  - {type: dissipation}\n";
}

}  // namespace invar::test
