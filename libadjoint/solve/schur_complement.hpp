#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

/// The two fields of a saddle-point matrix
///   K = [A  Bᵀ]   of a primal field and the multiplier of its constraint (flow: velocity and pressure),
///       [B  0 ]
/// and an approximate inverse of the Schur complement of A. Rows of the multiplier with a diagonal entry are constraints on the
/// multiplier itself and are not coupled to other unknowns. All calls are collective.
class SchurComplement {
 public:
  virtual ~SchurComplement() = default;
  /// Global rows of this rank, ascending. Block size of `primal`: its components.
  virtual IS primal() const = 0;
  virtual IS multiplier() const = 0;
  /// Prepares `solve_schur` for the present blocks.
  virtual void update_schur(Mat A, Mat Bt) = 0;
  /// y ≈ (B A⁻¹ Bᵀ)⁻¹ g or its transpose; a linear operator.
  virtual void solve_schur(Vec g, Vec y, bool transpose) = 0;
};

}  // namespace invar
