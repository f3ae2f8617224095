#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// A diagonal matrix as a PETSc operator. It consists of its diagonal, so that products are pointwise operations of vectors, on the host
/// or on a device; LinearSolver divides by it.
class DiagonalMatrix {
 public:
  /// like: a vector of the kind that the matrix is applied to.
  explicit DiagonalMatrix(Vec like);

  Mat mat() const { return mat_; }
  Vec diagonal() const { return diagonal_; }

 private:
  VecHandle diagonal_;
  MatHandle mat_;
};

/// The diagonal of the matrix of a DiagonalMatrix; null for other matrices.
Vec diagonal_of(Mat A);

}  // namespace invar
