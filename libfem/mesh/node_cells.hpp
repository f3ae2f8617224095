#pragma once
#include <span>
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Node-to-cell incidence; cells are numbered through all blocks.
class NodeCells {
 public:
  explicit NodeCells(const Mesh& mesh);
  int cell_total() const { return first_cell_.back(); }
  std::span<const int> cells_of(int node) const {
    return {cells_.data() + offset_[node], cells_.data() + offset_[node + 1]};
  }
  std::span<const int> nodes_of(int cell) const;
  /// Block of a cell; its position there is cell − first_cell(block).
  int block_of(int cell) const;
  int first_cell(int block) const { return first_cell_[block]; }

 private:
  const Mesh& mesh_;
  std::vector<int> first_cell_;  // [n_blocks + 1]
  std::vector<int> offset_;      // [n_nodes + 1] into cells_
  std::vector<int> cells_;
};

}  // namespace invar
