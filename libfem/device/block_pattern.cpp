#include "libfem/device/block_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace invar {

BlockPattern::BlockPattern(int n_nodes, const std::function<void(const Visit&)>& each_cell) {
  std::vector<int> first(n_nodes + 1, 0), neighbours;
  each_cell([&](std::span<const int> nodes) {
    for (const int v : nodes) first[v + 1] += int(nodes.size());
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  neighbours.resize(first.back());
  std::vector<int> next = first;
  each_cell([&](std::span<const int> nodes) {
    for (const int v : nodes)
      for (const int w : nodes) neighbours[next[v]++] = w;
  });
  for (int v = 0; v < n_nodes; ++v) {
    const auto begin = neighbours.begin() + first[v], end = neighbours.begin() + first[v + 1];
    std::sort(begin, end);
    column.insert(column.end(), begin, std::unique(begin, end));
    start.push_back(int(column.size()));
  }
}

int BlockPattern::place(int row, int column_node) const {
  const auto begin = column.begin() + start[row], end = column.begin() + start[row + 1];
  return int(std::lower_bound(begin, end, column_node) - column.begin());
}

MatHandle BlockPattern::host_matrix(int nc) const {
  std::vector<PetscInt> rows{0}, columns;
  for (int v = 0; v < n(); ++v)
    for (int i = 0; i < nc; ++i) {
      for (int k = start[v]; k < start[v + 1]; ++k)
        for (int j = 0; j < nc; ++j) columns.push_back(nc * column[k] + j);
      rows.push_back(PetscInt(columns.size()));
    }
  const PetscInt size = nc * n();
  MatHandle A;
  check(MatCreate(PETSC_COMM_SELF, A.out()));
  check(MatSetSizes(A, size, size, size, size));
  check(MatSetType(A, MATSEQAIJ));
  check(MatSeqAIJSetPreallocationCSR(A, rows.data(), columns.data(), nullptr));
  return A;
}

}  // namespace invar
