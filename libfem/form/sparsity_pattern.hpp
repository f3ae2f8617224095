#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/form_coupling.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Pairs of nodes without a common cell that a matrix couples, ascending, without duplicates.
struct DistantPairs {
  DistantComponents between;
  std::vector<NodePair> nodes;
  bool operator==(const DistantPairs&) const = default;
};

/// Sparsity pattern of a matrix: all dofs of nodes that share a cell are coupled, plus further pairs of nodes; or of these only what forms
/// couple, so that blocks that stay empty are not stored. Several matrices may share a pattern.
/// Within a row, the columns of a neighbouring node are contiguous. Offsets in a row are ≥ 0 in the diagonal (owned-column) part, or the
/// bitwise complement of the offset in the off-diagonal part. `offset(a, b)` is the start of b's columns in the rows of node a.
class SparsityPattern {
 public:
  /// distant: additional pairs of an owned node and any other; all their dofs are coupled.
  explicit SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const DistantPairs> distant = {});
  /// Of nodes that share a cell what one of the forms couples, and the diagonal; of distant pairs their components. Full where less than a
  /// twentieth would be left out, as whole blocks are added more quickly, and for more than eight components. Collective.
  SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const FormCoupling> forms, std::span<const DistantPairs> distant = {});
  SparsityPattern(const SparsityPattern&) = delete;
  SparsityPattern& operator=(const SparsityPattern&) = delete;

  const DofMap& dofs() const { return *dofs_; }
  const std::shared_ptr<const DofMap>& dof_map() const { return dofs_; }
  /// Unique number of the pattern in this process, the key of cached data (an address could be reused). Positive and
  /// increasing.
  std::uint64_t number() const { return number_; }

  /// Whether all dofs of coupled nodes are coupled.
  bool full() const { return blocks_.empty(); }
  /// Number of an owned node and another one among all pairs. Throws std::logic_error if the nodes are not coupled.
  int pair(int node_a, int node_b) const;
  /// Of a full pattern. Throws std::logic_error if the nodes are not coupled, or the pattern is not full.
  int offset(int node_a, int node_b) const;
  /// Offset of the entry of node a's k-th and node b's m-th dof; `nothing` if it is not stored.
  int entry(int pair, int k, int m) const {
    if (full()) return moved(offsets_[pair], m);
    const unsigned stored = columns(pair, k);
    if (!(stored >> m & 1)) return nothing;
    return moved(row_offsets_[first_row_[pair] + k], std::popcount(stored & ((1u << m) - 1)));
  }
  static constexpr int nothing = std::numeric_limits<int>::min();
  /// Local nodes that are coupled with an owned node, owned ones first.
  std::span<const int> neighbours(int node) const {
    return {neighbours_.data() + neighbour_start_[node], neighbours_.data() + neighbour_start_[node + 1]};
  }
  /// Number of the pair of an owned node and the first of its neighbours; those of the others follow.
  int first_pair(int node) const { return neighbour_start_[node]; }

 private:
  void build_neighbours(std::span<const DistantPairs> distant);
  void add_blocks(const FormCoupling& form);
  void add_blocks(const DistantPairs& distant);
  bool leave_out_empty_blocks();
  static constexpr int most_dofs = 8;  // of a node, in `blocks_`
  /// Bit m: column of node b's m-th dof in the row of node a's k-th.
  unsigned columns(int pair, int k) const { return blocks_[pair] >> most_dofs * k & 0xff; }
  static int moved(int offset, int columns) { return offset >= 0 ? offset + columns : offset - columns; }

  std::shared_ptr<const DofMap> dofs_;
  std::uint64_t number_;
  std::vector<int> neighbour_start_;  // [n_owned_nodes + 1]
  std::vector<int> neighbours_;       // local nodes, by global number, owned ones first
  std::vector<int> offsets_;          // parallel to neighbours_
  std::vector<std::uint64_t> blocks_;  // parallel to neighbours_; empty: the pattern is full
  std::vector<int> first_row_;         // parallel to neighbours_: where its rows begin in row_offsets_
  std::vector<int> row_offsets_;       // of node b's first column in each row of node a
};

}  // namespace invar
