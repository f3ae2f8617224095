#pragma once
#include <limits>
#include <string>
#include <vector>

namespace invar {

/// What a control is: one number, the same on every rank; a signal, the coefficients of one number that
/// varies in time, the same on every rank; or a field with one entry per local cell or `components` entries
/// per local node.
enum class ControlLayout { number, signal, cells, nodes };

/// A number or field that the state equation depends on and that may be designed.
struct ControlInfo {
  std::string name;     // path in the spec, e.g. "materials.rubber.c1"
  std::string unit{};   // SI
  ControlLayout layout = ControlLayout::number;
  double lower = -std::numeric_limits<double>::infinity();  // admissible values
  double upper = std::numeric_limits<double>::infinity();
  int components = 1;   // entries per node

  bool shared() const { return layout == ControlLayout::number || layout == ControlLayout::signal; }
};

/// Values, directions or derivatives of all controls, [control][entry]. Numbers have one entry, signals
/// one per function of time; of their derivatives each rank holds its share of a sum. Fields have entries for ghosts
/// too; their derivatives are complete for owned entries and meaningless for ghosts.
/// In a direction an empty entry list means zero, in a derivative that it is not wanted.
using Controls = std::vector<std::vector<double>>;

}  // namespace invar
