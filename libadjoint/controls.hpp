#pragma once
#include <limits>
#include <string>
#include <vector>

namespace invar {

/// A number or field that the state equation depends on and that may be designed.
struct ControlInfo {
  std::string name;     // path in the spec, e.g. "materials.rubber.c1"
  std::string unit;     // SI
  bool shared = true;   // one number, the same on every rank; false: a field, one entry per local cell
  double lower = -std::numeric_limits<double>::infinity();  // admissible values
  double upper = std::numeric_limits<double>::infinity();
};

/// Values, directions or derivatives of all controls, [control][entry]. Shared controls have one
/// entry; of their derivatives each rank holds its share of a sum. Fields have entries for ghosts
/// too; their derivatives are complete for owned entries and meaningless for ghosts.
/// In a direction an empty entry list means zero, in a derivative that it is not wanted.
using Controls = std::vector<std::vector<double>>;

}  // namespace invar
