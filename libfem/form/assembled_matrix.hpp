#pragma once
#include <memory>
#include <vector>

#include "libfem/space/dof_map.hpp"

namespace invar {

/// ∂r/∂u as a PETSc AIJ matrix whose pattern is fixed once and whose values are written straight
/// into the CSR arrays. A rank writes the rows of its own nodes and nothing else, so assembly needs
/// no communication (every cell that touches an owned node is at hand).
///
/// Within a row, the columns of one neighbouring node are contiguous; `offset(a, b)` is where node
/// b's columns begin in the rows of node a: ≥ 0 in the diagonal (owned-column) part, or the bitwise
/// complement of the place in the off-diagonal part.
class AssembledMatrix {
 public:
  /// Collective. The pattern couples all dofs of nodes that share a cell.
  explicit AssembledMatrix(std::shared_ptr<const DofMap> dofs);

  Mat mat() const { return mat_; }
  const DofMap& dofs() const { return *dofs_; }
  int offset(int node_a, int node_b) const;

  /// Rows and columns of these local dofs (ghosts included) become those of the identity, scaled by
  /// the mean diagonal so that the spectrum is not disturbed.
  void constrain(std::vector<char> constrained);
  const std::vector<char>& constrained() const { return constrained_; }

  void begin();  // zeroes the values and opens the arrays
  void end();    // writes the constrained diagonal and closes the arrays

  /// Start of row `dof` in the diagonal (off-diagonal) values, for owned dofs, between begin and end.
  double* row(int dof, int offset) {
    return offset >= 0 ? diagonal_ + diagonal_start_[dof] + offset : off_ + off_start_[dof] + ~offset;
  }

 private:
  void build_neighbours();
  void build_matrix();

  std::shared_ptr<const DofMap> dofs_;
  MatHandle mat_;
  std::vector<int> neighbour_start_;  // [n_owned_nodes + 1]
  std::vector<int> neighbours_;       // local nodes, by global number, owned ones first
  std::vector<int> offsets_;          // parallel to neighbours_
  std::vector<char> constrained_;     // [n_local]
  Mat diagonal_mat_ = nullptr, off_mat_ = nullptr;  // borrowed from mat_
  const PetscInt* diagonal_start_ = nullptr;
  const PetscInt* off_start_ = nullptr;
  double* diagonal_ = nullptr;
  double* off_ = nullptr;
};

}  // namespace invar
