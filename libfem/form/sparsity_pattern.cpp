#include "libfem/form/sparsity_pattern.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>

namespace invar {
namespace {

std::uint64_t next_pattern_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

SparsityPattern::SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const std::pair<int, int>> pairs)
    : dofs_(std::move(dofs)), number_(next_pattern_number()) {
  build_neighbours(pairs);
}

void SparsityPattern::build_neighbours(std::span<const std::pair<int, int>> pairs) {
  const Mesh& mesh = dofs_->mesh();
  const int n_owned = mesh.n_owned_nodes;
  // Cells around each owned node, then the union of their nodes.
  std::vector<int> start(n_owned + 1, 0);
  for (const CellBlock& block : mesh.cells)
    for (int node : block.nodes)
      if (node < n_owned) ++start[node + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  struct Incidence { const int* nodes; int count; };
  std::vector<Incidence> incident(start.back());
  std::vector<int> fill(start.begin(), start.end() - 1);
  for (const CellBlock& block : mesh.cells) {
    const int per_cell = node_count(block.type);
    for (std::size_t i = 0; i < block.nodes.size(); ++i)
      if (block.nodes[i] < n_owned)
        incident[fill[block.nodes[i]]++] = {&block.nodes[i / per_cell * per_cell], per_cell};
  }
  neighbour_start_.assign(n_owned + 1, 0);
  std::vector<int> seen(mesh.node_total(), -1), list;
  const auto global = [&](int n) {
    return n < n_owned ? mesh.node_offset + n : mesh.ghost_nodes[n - n_owned];
  };
  auto further = pairs.begin();
  for (int a = 0; a < n_owned; ++a) {
    list.clear();
    const auto couple = [&](int b) {
      if (seen[b] == a) return;
      seen[b] = a;
      list.push_back(b);
    };
    for (int i = start[a]; i < start[a + 1]; ++i)
      for (int k = 0; k < incident[i].count; ++k) couple(incident[i].nodes[k]);
    for (; further != pairs.end() && further->first == a; ++further) couple(further->second);
    if (seen[a] != a) list.push_back(a);  // a node outside every cell still has a diagonal
    const auto ghosts = std::partition(list.begin(), list.end(), [&](int b) { return b < n_owned; });
    std::sort(list.begin(), ghosts);
    std::sort(ghosts, list.end(), [&](int b, int c) { return global(b) < global(c); });
    int inside = 0, outside = 0;
    for (int b : list) {
      neighbours_.push_back(b);
      int& place = b < n_owned ? inside : outside;
      offsets_.push_back(b < n_owned ? place : ~place);
      place += dofs_->dof_count(b);
    }
    neighbour_start_[a + 1] = static_cast<int>(neighbours_.size());
  }
}

int SparsityPattern::offset(int node_a, int node_b) const {
  const int n_owned = dofs_->mesh().n_owned_nodes;
  const auto first = neighbours_.begin() + neighbour_start_[node_a];
  const auto last = neighbours_.begin() + neighbour_start_[node_a + 1];
  // Owned neighbours come first and ascend by local number; ghosts follow, in global order.
  auto it = node_b < n_owned ? std::partition_point(first, last, [&](int b) { return b < node_b; })
                             : std::find(first, last, node_b);
  if (it != last && *it != node_b) it = std::find(first, last, node_b);
  if (it == last) throw std::logic_error("an entry of a matrix that its pattern does not have");
  return offsets_[it - neighbours_.begin()];
}

}  // namespace invar
