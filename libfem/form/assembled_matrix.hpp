#pragma once
#include <memory>
#include <vector>

#include "libfem/form/element_matrix_sink.hpp"
#include "libfem/form/sparsity_pattern.hpp"

namespace invar {

/// ∂r/∂u as a PETSc AIJ matrix with a fixed sparsity pattern, whose values are written directly into the CSR arrays. A
/// rank writes only the rows of its own nodes, so assembly needs no communication (every cell that touches an owned
/// node is local). With a sink, element matrices are passed on instead: nothing is assembled, and there is no pattern
/// and no PETSc matrix.
class AssembledMatrix {
 public:
  /// Collective.
  explicit AssembledMatrix(std::shared_ptr<const SparsityPattern> pattern);
  /// Creates its own pattern.
  explicit AssembledMatrix(std::shared_ptr<const DofMap> dofs);
  /// Passes all element matrices to `sink`, which must outlive the object.
  AssembledMatrix(std::shared_ptr<const DofMap> dofs, ElementMatrixSink& sink);

  /// Destination of element matrices in place of the matrix; null: they are assembled.
  ElementMatrixSink* sink() const { return sink_; }
  Mat mat() const { return mat_; }
  const DofMap& dofs() const { return *dofs_; }
  const std::shared_ptr<const SparsityPattern>& pattern() const { return pattern_; }

  /// Constrained rows and columns (local dofs, ghosts included) become those of the identity, scaled by the mean
  /// diagonal, which keeps the spectrum well scaled.
  void constrain(std::vector<char> constrained);
  const std::vector<char>& constrained() const { return constrained_; }

  void begin();  // zeroes the values and opens the arrays
  void end();    // writes the constrained diagonal and closes the arrays

  /// Start of row `dof` in the diagonal (offset ≥ 0) or off-diagonal values, for owned dofs, between begin and end.
  double* row(int dof, int offset) {
    return offset >= 0 ? diagonal_ + diagonal_start_[dof] + offset : off_ + off_start_[dof] + ~offset;
  }

 private:
  void build_matrix();

  std::shared_ptr<const SparsityPattern> pattern_;
  std::shared_ptr<const DofMap> dofs_;
  ElementMatrixSink* sink_ = nullptr;
  MatHandle mat_;
  std::vector<char> constrained_;     // [n_local]
  Mat diagonal_mat_ = nullptr, off_mat_ = nullptr;  // borrowed from mat_
  const PetscInt* diagonal_start_ = nullptr;
  const PetscInt* off_start_ = nullptr;
  double* diagonal_ = nullptr;
  double* off_ = nullptr;
};

}  // namespace invar
