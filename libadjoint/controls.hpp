#pragma once
#include <limits>
#include <string>
#include <vector>

namespace invar {

/// Layout of a control: `number`, one value, the same on every rank; `signal`, the coefficients of a function of time,
/// the same on every rank; `cells` and `nodes`, fields with one entry per local cell or `components` entries per local
/// node.
enum class ControlLayout { number, signal, cells, nodes };

/// A number, signal or field that the state equation depends on and that may be designed.
struct ControlInfo {
  std::string name;     // path in the spec, e.g. "materials.rubber.c1"
  std::string unit{};   // SI
  ControlLayout layout = ControlLayout::number;
  double lower = -std::numeric_limits<double>::infinity();  // admissible range
  double upper = std::numeric_limits<double>::infinity();
  int components = 1;   // entries per node

  bool shared() const { return layout == ControlLayout::number || layout == ControlLayout::signal; }
};

/// Values, directions or derivatives of all controls, [control][entry]. Numbers have one entry, signals one per basis
/// function of time; derivatives by numbers and signals are each rank's share of a sum. Fields have entries for ghosts
/// too; their derivatives are complete for owned entries and undefined for ghosts.
/// An empty entry list means zero in a direction, and "not wanted" in a derivative.
using Controls = std::vector<std::vector<double>>;

}  // namespace invar
