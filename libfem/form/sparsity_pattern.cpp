#include "libfem/form/sparsity_pattern.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <stdexcept>

#include "libfem/form/cell_batches.hpp"

namespace invar {
namespace {

std::uint64_t next_pattern_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

SparsityPattern::SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const DistantPairs> distant)
    : dofs_(std::move(dofs)), number_(next_pattern_number()) {
  build_neighbours(distant);
}

SparsityPattern::SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const FormCoupling> forms, std::span<const DistantPairs> distant)
    : dofs_(std::move(dofs)), number_(next_pattern_number()) {
  build_neighbours(distant);
  if (dofs_->n_components() > most_dofs) return;
  blocks_.assign(neighbours_.size(), 0);
  for (int a = 0; a < dofs_->mesh().n_owned_nodes; ++a)
    for (int k = 0; k < dofs_->dof_count(a); ++k) blocks_[pair(a, a)] |= std::uint64_t(1) << (most_dofs + 1) * k;
  for (const FormCoupling& form : forms) add_blocks(form);
  for (const DistantPairs& pairs : distant) add_blocks(pairs);
  if (!leave_out_empty_blocks()) blocks_ = {};
}

void SparsityPattern::add_blocks(const FormCoupling& form) {
  const CellBatches& domain = *form.domain;
  const int nc = static_cast<int>(domain.components.size()), n_owned = dofs_->mesh().n_owned_nodes;
  struct Node {
    int number;
    std::array<int, most_dofs> row;           // by component of the form: its row among the node's dofs, −1: none
    std::array<std::uint64_t, most_dofs> columns;  // and the node's dofs in this row, bit by bit
  };
  std::vector<Node> nodes;
  for (const BatchGroup& g : domain.groups) {
    nodes.resize(g.n_nodes);
    for (int b = 0; b < g.n_batches; ++b)
      for (int lane = 0; lane < g.active[b]; ++lane) {
        for (int a = 0; a < g.n_nodes; ++a) {
          Node& node = nodes[a];
          node.number = g.node[(std::size_t(b) * g.n_nodes + a) * simd_width + lane];
          const int first = dofs_->first_dof(node.number);
          node.columns.fill(0);
          for (int c = 0; c < nc; ++c) {
            node.row[c] = -1;
            if (a >= g.basis[domain.basis_of(c)].n_nodes) continue;
            const int dof = g.dofs(c, b).at(a, lane), row = form.rows.empty() ? dof : form.rows[dof];
            if (row >= 0) node.row[c] = row - first;
            for (int i = 0; i < nc; ++i)
              if (form.columns[i] >> c & 1) node.columns[i] |= std::uint64_t(1) << (dof - first);
          }
        }
        for (const Node& a : nodes) {
          if (a.number >= n_owned) continue;
          for (const Node& b_node : nodes) {
            std::uint64_t block = 0;
            for (int c = 0; c < nc; ++c)
              if (a.row[c] >= 0) block |= b_node.columns[c] << most_dofs * a.row[c];
            if (block) blocks_[pair(a.number, b_node.number)] |= block;
          }
        }
      }
  }
}

void SparsityPattern::add_blocks(const DistantPairs& distant) {
  const auto places = [this](int node, unsigned components) {  // its dofs, bit by bit
    unsigned found = 0;
    for (int k = 0; k < dofs_->dof_count(node); ++k) found |= (components >> dofs_->component_at(node, k) & 1) << k;
    return found;
  };
  for (const auto& [a, b] : distant.nodes) {
    const unsigned rows = places(a, distant.between.rows);
    const std::uint64_t columns = places(b, distant.between.columns);
    if (columns == 0) continue;
    for (int k = 0; k < dofs_->dof_count(a); ++k)
      if (rows >> k & 1) blocks_[pair(a, b)] |= columns << most_dofs * k;
  }
}

/// Finds the offsets of the rows' parts. False: the pattern is to stay full.
bool SparsityPattern::leave_out_empty_blocks() {
  const int n_owned = dofs_->mesh().n_owned_nodes;
  long long entries[2] = {0, 0};  // all, and those kept
  first_row_.resize(neighbours_.size());
  for (int a = 0; a < n_owned; ++a) {
    const int rows = dofs_->dof_count(a);
    std::array<int, most_dofs> inside{}, outside{};
    for (int p = neighbour_start_[a]; p < neighbour_start_[a + 1]; ++p) {
      first_row_[p] = static_cast<int>(row_offsets_.size());
      entries[0] += static_cast<long long>(rows) * dofs_->dof_count(neighbours_[p]);
      for (int k = 0; k < rows; ++k) {
        int& place = (neighbours_[p] < n_owned ? inside : outside)[k];
        row_offsets_.push_back(neighbours_[p] < n_owned ? place : ~place);
        place += std::popcount(columns(p, k));
        entries[1] += std::popcount(columns(p, k));
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, entries, 2, MPI_LONG_LONG, MPI_SUM, dofs_->comm());
  if (20 * entries[1] < 19 * entries[0]) return true;
  first_row_ = {}, row_offsets_ = {};
  return false;
}

void SparsityPattern::build_neighbours(std::span<const DistantPairs> distant) {
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
  std::vector<const NodePair*> further;
  for (const DistantPairs& pairs : distant) further.push_back(pairs.nodes.data());
  for (int a = 0; a < n_owned; ++a) {
    list.clear();
    const auto couple = [&](int b) {
      if (seen[b] == a) return;
      seen[b] = a;
      list.push_back(b);
    };
    for (int i = start[a]; i < start[a + 1]; ++i)
      for (int k = 0; k < incident[i].count; ++k) couple(incident[i].nodes[k]);
    for (std::size_t k = 0; k < distant.size(); ++k)
      for (; further[k] != distant[k].nodes.data() + distant[k].nodes.size() && further[k]->first == a; ++further[k]) couple(further[k]->second);
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
  if (!full()) throw std::logic_error("a whole block of a matrix that does not store all of it");
  return offsets_[pair(node_a, node_b)];
}

int SparsityPattern::pair(int node_a, int node_b) const {
  const int n_owned = dofs_->mesh().n_owned_nodes;
  const auto first = neighbours_.begin() + neighbour_start_[node_a];
  const auto last = neighbours_.begin() + neighbour_start_[node_a + 1];
  // Owned neighbours come first and ascend by local number; ghosts follow, in global order.
  auto it = node_b < n_owned ? std::partition_point(first, last, [&](int b) { return b < node_b; })
                             : std::find(first, last, node_b);
  if (it != last && *it != node_b) it = std::find(first, last, node_b);
  if (it == last) throw std::logic_error("an entry of a matrix that its pattern does not have");
  return static_cast<int>(it - neighbours_.begin());
}

}  // namespace invar
