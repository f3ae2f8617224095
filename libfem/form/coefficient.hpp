#pragma once
#include <vector>

namespace invar {

/// A scalar coefficient of q-functions: a constant, a cell field, or a nodal field (interpolated by the cell's own
/// Lagrange basis). `values` has 1 entry, one per local cell (all blocks of Mesh::cells in turn, ghosts included), or
/// one per local node.
struct Coefficient {
  enum class Layout { constant, per_cell, per_node };
  Layout layout = Layout::constant;
  std::vector<double> values{0.0};

  static Coefficient constant(double value) { return {Layout::constant, {value}}; }
};

}  // namespace invar
