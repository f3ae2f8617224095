#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// The assembled matrix [K b; cᵀ e] with one unknown more than K, so that a factorisation may pivot anywhere. It is
/// regular at a limit point, where K is singular, unless b or c is orthogonal to the singular vector. The additional
/// unknown is the last one and belongs to the last rank; the numbers and owners of the others do not change. All calls
/// are collective.
class BorderedMatrix {
 public:
  /// Nonzero entries of b and c in `column` and `row` are in the sparsity pattern. Others are added when they first
  /// become nonzero, which costs a symbolic analysis.
  BorderedMatrix(Mat K, Vec column, Vec row);

  void assemble(Mat K, Vec column, Vec row, double corner);
  Mat mat() const { return mat_; }
  VecHandle create_vector() const;
  /// x = (u, s), and the inverse; s is the same on every rank.
  void pack(Vec u, double s, Vec x) const;
  double unpack(Vec x, Vec u) const;

 private:
  void mark(Vec column, Vec row);

  MPI_Comm comm_;
  int rank_ = 0, last_rank_ = 0;
  PetscInt n_local_ = 0, first_ = 0, n_ = 0;   // of K
  std::vector<char> in_column_, in_row_;       // own entries that are in the pattern
  MatHandle mat_;
};

}  // namespace invar
