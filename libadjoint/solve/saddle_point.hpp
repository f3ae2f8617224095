#pragma once
#include "libadjoint/evaluation_point.hpp"
#include "libadjoint/level.hpp"
#include "libadjoint/solve/schur_complement.hpp"

namespace invar {

/// Data for block preconditioners of a saddle-point operator K (SchurComplement) in addition to its entries. All calls are
/// collective.
class SaddlePoint : public SchurComplement {
 public:
  /// Called after K = Σ weights[l] ∂r/∂y_l has been assembled at u; in time, the weights are those of the step. The functions below
  /// refer to the last linearisation.
  virtual void linearise(const EvaluationPoint& u, const PerLevel<double>& weights) = 0;
  /// Prepares `weight` and `augmentation`.
  virtual void update_weight() = 0;

  /// A positive diagonal W and a number γ so large that −γ W⁻¹ approximates the inverse of the augmented Schur
  /// complement −B (A + γ Bᵀ W⁻¹ B)⁻¹ Bᵀ. That inverse is −(B A⁻¹ Bᵀ)⁻¹ − γ W⁻¹.
  virtual Vec weight() const = 0;
  virtual double augmentation() const = 0;
  /// Whether multigrid on A with `solve_schur` is better than a direct method for large systems. K must be assembled.
  virtual bool favours_multigrid() = 0;
};

}  // namespace invar
