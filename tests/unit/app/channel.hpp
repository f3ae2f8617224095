#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace invar::test {

/// Flow between two plates, which the elements represent exactly: u_x = 4 y (1 − y) m/s and a pressure that falls by
/// 8 μ Pa per metre, to zero at the outlet.
inline constexpr const char* channel_spec = R"spec(title: a channel
mesh: {rectangle: {to: [2, 1], cells: [4, 2]}}
physics: {type: flow, kind: planar}
materials:
  water: {model: newtonian, density: 2, viscosity: 0.5}
boundary:
  left: {u_x: "4*y*(1 - y)", u_y: 0}
  bottom: {no_slip: true}
  top: {no_slip: true}
loads:
  out: {type: pressure, region: right, p: 0}
output:
  fields: none
  probes:
    middle: {point: [1, 0.5], component: u_x}
    inlet: {point: [0, 0.5], component: p}
)spec";

using ChannelEdits = std::vector<std::pair<std::string, std::string>>;

/// The channel with texts replaced; a text that is not there is a mistake of the test.
inline std::string channel(const ChannelEdits& edits = {}) {
  std::string spec = channel_spec;
  for (const auto& [from, to] : edits) {
    const std::size_t at = spec.find(from);
    if (at == std::string::npos) throw std::logic_error("the channel has no '" + from + "'");
    spec.replace(at, from.size(), to);
  }
  return spec;
}

}  // namespace invar::test
