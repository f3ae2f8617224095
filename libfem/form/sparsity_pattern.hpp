#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// Sparsity pattern of a matrix: all dofs of nodes that share a cell are coupled, plus further pairs of nodes. Several
/// matrices may share a pattern.
/// Within a row, the columns of a neighbouring node are contiguous. `offset(a, b)` is their start in the rows of node
/// a: ≥ 0 in the diagonal (owned-column) part, or the bitwise complement of the offset in the off-diagonal part.
class SparsityPattern {
 public:
  /// pairs: additional pairs of an owned node and any other, ascending, without duplicates.
  explicit SparsityPattern(std::shared_ptr<const DofMap> dofs, std::span<const std::pair<int, int>> pairs = {});
  SparsityPattern(const SparsityPattern&) = delete;
  SparsityPattern& operator=(const SparsityPattern&) = delete;

  const DofMap& dofs() const { return *dofs_; }
  const std::shared_ptr<const DofMap>& dof_map() const { return dofs_; }
  /// Unique number of the pattern in this process, the key of cached data (an address could be reused). Positive and
  /// increasing.
  std::uint64_t number() const { return number_; }

  /// Throws std::logic_error if the nodes are not coupled.
  int offset(int node_a, int node_b) const;
  /// Local nodes that are coupled with an owned node, owned ones first.
  std::span<const int> neighbours(int node) const {
    return {neighbours_.data() + neighbour_start_[node], neighbours_.data() + neighbour_start_[node + 1]};
  }

 private:
  void build_neighbours(std::span<const std::pair<int, int>> pairs);

  std::shared_ptr<const DofMap> dofs_;
  std::uint64_t number_;
  std::vector<int> neighbour_start_;  // [n_owned_nodes + 1]
  std::vector<int> neighbours_;       // local nodes, by global number, owned ones first
  std::vector<int> offsets_;          // parallel to neighbours_
};

}  // namespace invar
