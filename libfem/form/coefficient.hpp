#pragma once
#include <vector>

namespace invar {

/// A scalar that q-functions read: one number, one per cell, or one per node (interpolated by the
/// cell's own Lagrange basis). `values` holds 1 entry, one per cell of the rank's part (all blocks
/// of Mesh::cells in turn, ghosts included) or one per local node.
struct Coefficient {
  enum class Layout { constant, per_cell, per_node };
  Layout layout = Layout::constant;
  std::vector<double> values{0.0};

  static Coefficient constant(double value) { return {Layout::constant, {value}}; }
};

}  // namespace invar
