#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// K[rows, columns] in `block`, whose pattern is reused if it is not null. Collective.
inline void extract_block(Mat K, IS rows, IS columns, MatHandle& block) {
  if (!block) {
    check(MatCreateSubMatrix(K, rows, columns, MAT_INITIAL_MATRIX, block.out()));
    return;
  }
  Mat same = block;
  check(MatCreateSubMatrix(K, rows, columns, MAT_REUSE_MATRIX, &same));
}

/// Recognises the matrix, and its pattern, of an earlier call.
class KnownPattern {
 public:
  /// Whether K is not the matrix of the last call or has another pattern.
  bool changed(Mat K) {
    PetscObjectId matrix;
    PetscObjectState nonzeros;
    check(PetscObjectGetId(PetscObject(K), &matrix));
    check(MatGetNonzeroState(K, &nonzeros));
    const bool other = matrix != matrix_ || nonzeros != nonzeros_;
    matrix_ = matrix, nonzeros_ = nonzeros;
    return other;
  }

 private:
  PetscObjectId matrix_ = 0;
  PetscObjectState nonzeros_ = 0;
};

}  // namespace invar
