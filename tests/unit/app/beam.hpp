#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace invar::test {

/// A clamped beam of four cells whose modulus is looked for: small, fast, and right as it stands.
inline constexpr const char* beam_spec = R"(title: a beam
mesh: {rectangle: {to: [1, 0.25], cells: [4, 1]}}
physics: {type: solid, kind: plane_strain}
materials:
  rubber: {model: neo_hookean, young: 100, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
loads:
  tip: {type: traction, region: right, y: 0.1}
design:
  - {variable: materials.rubber.young, start: 80, lower: 10, upper: 1000}
objective:
  - {type: markers, file: markers.csv}
output:
  probes:
    tip: {point: [1, 0.25], component: u_y}
)";
inline constexpr const char* beam_markers = "x,y,u_x,u_y\n1,0.25,-0.01,0.1\n0.5,0.25,-0.005,0.03\n";

using Edits = std::vector<std::pair<std::string, std::string>>;

/// The beam with texts replaced; a text that is not there is a mistake of the test.
inline std::string beam(const Edits& edits = {}) {
  std::string spec = beam_spec;
  for (const auto& [from, to] : edits) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::logic_error("the beam has no '" + from + "'");
    spec.replace(at, from.size(), to);
  }
  return spec;
}

}  // namespace invar::test
