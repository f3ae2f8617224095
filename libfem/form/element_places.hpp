#pragma once
#include <span>
#include <vector>

#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// Positions of a batch's unknowns in a matrix: rows, and columns relative to the first one of their node, by lane, node and component;
/// −1: constrained, another rank's row, or no dof.
class ElementPlaces {
 public:
  /// row_of(own or ghost unknown): the row of its equation, −1: none.
  template <class RowOf>
  ElementPlaces(const BatchGroup& g, int b, std::span<const int> basis, const AssembledMatrix& K, RowOf row_of)
      : n_(g.n_nodes), nc_(static_cast<int>(basis.size())), rows_(std::size_t(g.active[b]) * n_ * nc_, -1), columns_(rows_.size(), -1) {
    const std::vector<char>& fixed = K.constrained();
    for (int i = 0; i < nc_; ++i) {
      const auto dofs = g.dofs(i, b);
      for (int a = 0; a < g.basis[basis[i]].n_nodes; ++a)
        for (int l = 0; l < g.active[b]; ++l) {
          const int dof = dofs.at(a, l), row = row_of(dof);
          if (row >= 0 && row < K.dofs().n_owned() && !fixed[row]) rows_[at(l, a) + i] = row;
          if (!fixed[dof]) columns_[at(l, a) + i] = dof - K.dofs().first_dof(g.node[(std::size_t(b) * n_ + a) * simd_width + l]);
        }
    }
  }
  const int* rows(int lane, int node) const { return &rows_[at(lane, node)]; }
  const int* columns(int lane, int node) const { return &columns_[at(lane, node)]; }

 private:
  std::size_t at(int lane, int node) const { return (std::size_t(lane) * n_ + node) * nc_; }

  int n_, nc_;
  std::vector<int> rows_, columns_;
};

}  // namespace invar
