#pragma once
#include <memory>
#include <vector>

#include "libfem/form/element_matrix_sink.hpp"
#include "libfem/form/sparsity_pattern.hpp"

namespace invar {

/// ∂r/∂u as a PETSc AIJ matrix whose pattern is fixed once and whose values are written straight
/// into the CSR arrays. A rank writes the rows of its own nodes and nothing else, so assembly needs
/// no communication (every cell that touches an owned node is at hand). Or, where a sink is given, the element matrices
/// themselves: nothing is assembled then, and there is no pattern and no PETSc matrix.
class AssembledMatrix {
 public:
  /// Collective.
  explicit AssembledMatrix(std::shared_ptr<const SparsityPattern> pattern);
  /// With a pattern of its own.
  explicit AssembledMatrix(std::shared_ptr<const DofMap> dofs);
  /// Hands all element matrices to `sink`, which must outlive it.
  AssembledMatrix(std::shared_ptr<const DofMap> dofs, ElementMatrixSink& sink);

  /// Where element matrices go in place of the matrix; null: they are assembled.
  ElementMatrixSink* sink() const { return sink_; }
  Mat mat() const { return mat_; }
  const DofMap& dofs() const { return *dofs_; }
  const std::shared_ptr<const SparsityPattern>& pattern() const { return pattern_; }

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
