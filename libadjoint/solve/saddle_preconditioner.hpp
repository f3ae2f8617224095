#pragma once
#include <memory>
#include <string>

#include "libadjoint/solve/saddle_point.hpp"

namespace invar {

/// Block triangular preconditioner of K = [A Bᵀ; B 0] and of Kᵀ, for flexible Krylov methods.
/// Augmented: the second block row times γ Bᵀ W⁻¹ is added to the first. This does not change the solution, but makes
/// −γ W⁻¹ a good approximation of the inverse Schur complement for any A (Benzi & Olshanskii 2006):
///   P = [A + γ Bᵀ W⁻¹ B   Bᵀ    ]⁻¹ [I  γ Bᵀ W⁻¹]
///       [0                −W/γ  ]   [0  I       ]
/// A + γ Bᵀ W⁻¹ B has four times the entries of A, and multigrid does not converge for it: it needs a direct method.
/// Not augmented (γ = 0): the inverse Schur complement is `SaddlePoint::solve_schur`, and A may be solved by multigrid.
/// The preconditioner of Kᵀ has the same form with transposed blocks, and uses the transposed factors or GAMG cycles of
/// A (a separate multigrid hierarchy of Aᵀ converges much worse; the transpose of BoomerAMG is wrong). The transpose of
/// P takes as many iterations if the rows have similar units, and hardly converges if not: in Kᵀ Pᵀ the off-diagonal
/// blocks do not cancel.
class SaddlePreconditioner {
 public:
  /// Options of the solver of the primal block have this prefix and "primal_".
  SaddlePreconditioner(std::shared_ptr<SaddlePoint> blocks, bool augmented, std::string prefix);
  SaddlePreconditioner(const SaddlePreconditioner&) = delete;
  SaddlePreconditioner& operator=(const SaddlePreconditioner&) = delete;

  /// Extracts the blocks of K and sets up their solvers. Returns an error message, empty on success.
  std::string set_up(Mat K);
  /// Makes `pc` apply this object, which must outlive it.
  void attach(PC pc);

 private:
  void extract(Mat K);
  void augment();
  void solve_schur(Vec g, Vec y, bool transpose);
  void free_part(Vec g) const;
  void apply(Vec x, Vec y, bool transpose);
  template <bool Transpose>
  static PetscErrorCode apply_shell(PC pc, Vec x, Vec y);

  std::shared_ptr<SaddlePoint> blocks_;
  bool augmented_;
  std::string prefix_;
  MatHandle A_, Bt_, B_;      // blocks of K
  PetscObjectId matrix_ = 0;  // matrix and pattern state from which the blocks were extracted
  PetscObjectState nonzeros_ = 0;
  MatHandle augmented_A_;     // A + γ Bᵀ W⁻¹ B
  KspHandle primal_;
  VecHandle fixed_;           // diagonal of K in the multiplier's rows; nonzero: a constraint
  VecHandle f_, g_, s_;       // work: primal, multiplier, multiplier
};

}  // namespace invar
