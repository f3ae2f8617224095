#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// The matrix [K b; cᵀ e] with one unknown more than K, assembled, so that a factorisation may take its pivots
/// anywhere: it is regular where K is singular along a vector that b and c do not miss, as at a limit point. The
/// further unknown is the last of all and lives on the last rank; the others keep their numbers and owners. All calls
/// are collective.
class BorderedMatrix {
 public:
  /// Entries of b and c that are not zero in `column` and `row` have a place in the pattern. Others get one when
  /// they first differ from zero, which costs an analysis.
  BorderedMatrix(Mat K, Vec column, Vec row);

  void assemble(Mat K, Vec column, Vec row, double corner);
  Mat mat() const { return mat_; }
  VecHandle create_vector() const;
  /// x = (u, s), and back; s is the same on every rank.
  void pack(Vec u, double s, Vec x) const;
  double unpack(Vec x, Vec u) const;

 private:
  void mark(Vec column, Vec row);

  MPI_Comm comm_;
  int rank_ = 0, last_rank_ = 0;
  PetscInt n_local_ = 0, first_ = 0, n_ = 0;   // of K
  std::vector<char> in_column_, in_row_;       // own entries that have a place
  MatHandle mat_;
};

}  // namespace invar
