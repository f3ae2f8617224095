#pragma once
#include <functional>
#include <span>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Blocks of a matrix whose nodes are coupled where they share a cell, row by row, columns ascending. On the host.
struct BlockPattern {
  std::vector<int> start = {0}, column;

  BlockPattern() = default;
  /// each_cell(visit) calls visit(nodes) for every cell.
  using Visit = std::function<void(std::span<const int> nodes)>;
  BlockPattern(int n_nodes, const std::function<void(const Visit&)>& each_cell);

  int n() const { return static_cast<int>(start.size()) - 1; }  // nodes
  int place(int row, int column_node) const;
  /// A sequential AIJ matrix with blocks of nc × nc numbers: rows in the order [node][component], in each all numbers of its blocks.
  MatHandle host_matrix(int nc) const;
};

}  // namespace invar
