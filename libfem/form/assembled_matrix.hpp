#pragma once
#include <cmath>
#include <memory>
#include <vector>

#include "libfem/form/element_matrix_sink.hpp"
#include "libfem/form/sparsity_pattern.hpp"

namespace invar {

/// The values of an AssembledMatrix of one process in another memory, to which forms there add, in the order of its rows.
class MatrixStore {
 public:
  virtual ~MatrixStore() = default;
  /// The matrix in that memory.
  virtual Mat mat() = 0;
  /// Zeroes the values.
  virtual void begin() = 0;
  /// Adds the values that other forms have left on the host (null: none), then the diagonal of constrained rows.
  virtual void end(const double* host) = 0;
};

/// ∂r/∂u as a PETSc AIJ matrix with a fixed sparsity pattern, whose values are written directly into the CSR arrays. A
/// rank writes only the rows of its own nodes, so assembly needs no communication (every cell that touches an owned
/// node is local). With a sink, element matrices are passed on instead: nothing is assembled, and there is no pattern
/// and no PETSc matrix. With a MatrixStore the values are there; those of forms on the host are added at the end.
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
  Mat mat() const { return store_ ? store_->mat() : mat_.get(); }
  /// The AIJ matrix on the host. With a store it has the pattern alone.
  Mat host() const { return mat_; }
  void use_store(std::unique_ptr<MatrixStore> store) { store_ = std::move(store); }
  MatrixStore* store() const { return store_.get(); }
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
    if (!open_) [[unlikely]] open();
    return offset >= 0 ? diagonal_ + diagonal_start_[dof] + offset : off_ + off_start_[dof] + ~offset;
  }
  /// Adds to the entry of node a's k-th dof, which is dof first + k, and node b's m-th. pair: number of the nodes in the pattern. Throws
  /// std::logic_error if the entry is not stored, unless nothing is added; in values that are not numbers it stays unnoticed.
  void add(int pair, int first, int k, int m, double value) {
    if (const int at = pattern_->entry(pair, k, m); at != SparsityPattern::nothing) [[likely]] *row(first + k, at) += value;
    else if (std::abs(value) > 0) refuse_entry();
  }
  /// Place of `row(dof, offset)` among all values; on one process.
  int place(int dof, int offset) const { return diagonal_start_[dof] + offset; }

 private:
  void build_matrix();
  [[noreturn]] static void refuse_entry();
  void open();
  void close();

  std::shared_ptr<const SparsityPattern> pattern_;
  std::shared_ptr<const DofMap> dofs_;
  ElementMatrixSink* sink_ = nullptr;
  MatHandle mat_;
  std::unique_ptr<MatrixStore> store_;
  std::vector<char> constrained_;     // [n_local]
  Mat diagonal_mat_ = nullptr, off_mat_ = nullptr;  // borrowed from mat_
  const PetscInt* diagonal_start_ = nullptr;
  const PetscInt* off_start_ = nullptr;
  bool open_ = false;  // the arrays; null where a rank has no entries
  double *diagonal_ = nullptr, *off_ = nullptr;
};

}  // namespace invar
