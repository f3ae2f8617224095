#pragma once
#include <memory>
#include <string>

#include "libadjoint/solve/block_preconditioner.hpp"
#include "libadjoint/solve/matrix_block.hpp"
#include "libadjoint/solve/saddle_point.hpp"

namespace invar {

/// Block triangular preconditioner of K = [A Bᵀ; B 0] and of Kᵀ, for flexible Krylov methods. Other rows and columns of K are ignored.
/// Augmented: the second block row times γ Bᵀ W⁻¹ is added to the first. This does not change the solution, but makes
/// −γ W⁻¹ a good approximation of the inverse Schur complement for any A (Benzi & Olshanskii 2006):
///   P = [A + γ Bᵀ W⁻¹ B   Bᵀ    ]⁻¹ [I  γ Bᵀ W⁻¹]
///       [0                −W/γ  ]   [0  I       ]
/// A + γ Bᵀ W⁻¹ B has four times the entries of A, and multigrid does not converge for it: it needs a direct method.
/// Not augmented (γ = 0): the inverse Schur complement is `SchurComplement::solve_schur`, and A may be solved by multigrid.
/// The preconditioner of Kᵀ has the same form with transposed blocks, and uses the transposed factors or GAMG cycles of
/// A (a separate multigrid hierarchy of Aᵀ converges much worse; the transpose of BoomerAMG is wrong). The transpose of
/// P takes as many iterations if the rows have similar units, and hardly converges if not: in Kᵀ Pᵀ the off-diagonal
/// blocks do not cancel.
class SaddlePreconditioner final : public BlockPreconditioner {
 public:
  /// Options of the solver of the primal block have this prefix and "primal_". `augmentation`: null, or the same object as `blocks`.
  SaddlePreconditioner(std::shared_ptr<SchurComplement> blocks, std::string prefix, std::shared_ptr<SaddlePoint> augmentation = nullptr);

  std::string set_up(Mat K) override;
  void apply(Vec x, Vec y, bool transpose) override;

 private:
  void extract(Mat K);
  void augment();
  void solve_schur(Vec g, Vec y, bool transpose);
  void free_part(Vec g) const;

  std::shared_ptr<SchurComplement> blocks_;
  std::shared_ptr<SaddlePoint> augmentation_;
  std::string prefix_;
  MatHandle A_, Bt_, B_;      // blocks of K
  KnownPattern pattern_;      // from which the blocks were extracted
  MatHandle augmented_A_;     // A + γ Bᵀ W⁻¹ B
  KspHandle primal_;
  VecHandle fixed_;           // diagonal of K in the multiplier's rows; nonzero: a constraint
  VecHandle f_, g_, s_;       // work: primal, multiplier, multiplier
};

}  // namespace invar
