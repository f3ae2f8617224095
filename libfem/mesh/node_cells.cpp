#include "libfem/mesh/node_cells.hpp"

#include <numeric>

namespace invar {

NodeCells::NodeCells(const Mesh& mesh) : mesh_(mesh), first_cell_{0} {
  offset_.assign(mesh.node_total() + 1, 0);
  for (const CellBlock& block : mesh.cells) {
    first_cell_.push_back(first_cell_.back() + block.count());
    for (int node : block.nodes) ++offset_[node + 1];
  }
  std::partial_sum(offset_.begin(), offset_.end(), offset_.begin());
  cells_.resize(offset_.back());
  auto place = offset_;
  for (size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellBlock& block = mesh.cells[b];
    const int n = node_count(block.type);
    for (size_t i = 0; i < block.nodes.size(); ++i)
      cells_[place[block.nodes[i]]++] = first_cell_[b] + static_cast<int>(i / n);
  }
}

int NodeCells::block_of(int cell) const {
  int block = 0;
  while (cell >= first_cell_[block + 1]) ++block;
  return block;
}

std::span<const int> NodeCells::nodes_of(int cell) const {
  const int b = block_of(cell), n = node_count(mesh_.cells[b].type);
  return {mesh_.cells[b].nodes.data() + (cell - first_cell_[b]) * n, static_cast<size_t>(n)};
}

}  // namespace invar
