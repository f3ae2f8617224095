#pragma once
#include "libadjoint/evaluation_point.hpp"

namespace invar {

/// What block preconditioners need to know of an operator
///   K = [A  Bᵀ]   of a primal field and the multiplier of its constraint (flow: velocity and
///       [B  0 ]   pressure)
/// besides its entries. Rows of the multiplier with a diagonal entry are constraints of its own and
/// coupled to nothing. All calls are collective.
class SaddlePoint {
 public:
  virtual ~SaddlePoint() = default;
  /// Global rows of this rank, ascending. Block size of `primal`: its components.
  virtual IS primal() const = 0;
  virtual IS multiplier() const = 0;
  /// K has been assembled at u.
  virtual void linearise(const EvaluationPoint& u) = 0;
  /// Prepares what follows for the last linearisation; `schur`: also `solve_schur`.
  virtual void update(bool schur) = 0;

  /// Diagonal W, positive, and a number γ so large that −γ W⁻¹ is near the inverse of the Schur
  /// complement −B (A + γ Bᵀ W⁻¹ B)⁻¹ Bᵀ, whose own is −(B A⁻¹ Bᵀ)⁻¹ − γ W⁻¹.
  virtual Vec weight() const = 0;
  virtual double augmentation() const = 0;
  /// Whether multigrid on A and `solve_schur` outdo a direct method from some size on; K has been assembled.
  virtual bool favours_multigrid() = 0;
  /// y ≈ (B A⁻¹ Bᵀ)⁻¹ g, or the transposed operator on g; not exactly linear in g.
  virtual void solve_schur(Vec g, Vec y, bool transpose) = 0;
};

}  // namespace invar
