#pragma once
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/level.hpp"

namespace invar {

/// Data for block preconditioners of an operator
///   K = [A  Bᵀ]   of a primal field and the multiplier of its constraint (flow: velocity and
///       [B  0 ]   pressure)
/// in addition to its entries. Rows of the multiplier with a diagonal entry are constraints on the multiplier itself
/// and are not coupled to other unknowns. All calls are collective.
class SaddlePoint {
 public:
  virtual ~SaddlePoint() = default;
  /// Global rows of this rank, ascending. Block size of `primal`: its components.
  virtual IS primal() const = 0;
  virtual IS multiplier() const = 0;
  /// Called after K = Σ weights[l] ∂r/∂y_l has been assembled at u; in time, the weights are those of the step.
  virtual void linearise(const EvaluationPoint& u, const PerLevel<double>& weights) = 0;
  /// Prepares the functions below for the last linearisation; `schur`: also `solve_schur`.
  virtual void update(bool schur) = 0;

  /// A positive diagonal W and a number γ so large that −γ W⁻¹ approximates the inverse of the augmented Schur
  /// complement −B (A + γ Bᵀ W⁻¹ B)⁻¹ Bᵀ. That inverse is −(B A⁻¹ Bᵀ)⁻¹ − γ W⁻¹.
  virtual Vec weight() const = 0;
  virtual double augmentation() const = 0;
  /// Whether multigrid on A with `solve_schur` is better than a direct method for large systems. K must be assembled.
  virtual bool favours_multigrid() = 0;
  /// y ≈ (B A⁻¹ Bᵀ)⁻¹ g or its transpose; a linear operator.
  virtual void solve_schur(Vec g, Vec y, bool transpose) = 0;
};

}  // namespace invar
