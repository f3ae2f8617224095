#pragma once
#include <memory>
#include <string>

#include "libadjoint/solve/saddle_point.hpp"

namespace invar {

/// Block triangular preconditioner of K = [A Bᵀ; B 0] and of Kᵀ, for flexible Krylov methods.
///
/// Augmented: the second block row times γ Bᵀ W⁻¹ is added to the first, which changes no solution but
/// makes −γ W⁻¹ as good as the inverse Schur complement, whatever A is (Benzi & Olshanskii 2006):
///   P = [A + γ Bᵀ W⁻¹ B   Bᵀ    ]⁻¹ [I  γ Bᵀ W⁻¹]
///       [0                −W/γ  ]   [0  I       ]
/// A + γ Bᵀ W⁻¹ B has four times the entries of A, and multigrid does not converge on it: it needs a direct method.
/// Not augmented (γ = 0): the inverse Schur complement is `SaddlePoint::solve_schur`, and A may be solved by multigrid.
///
/// The preconditioner of Kᵀ has the same form with the transposed blocks, and the transposed factors or GAMG cycles of
/// A (a second multigrid hierarchy of Aᵀ converges much worse; the transpose of BoomerAMG is wrong). The transpose of P
/// takes as many iterations where the units of the two rows are alike, and hardly converges where they are not: in
/// Kᵀ Pᵀ the blocks outside the diagonal do not cancel.
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
  PetscObjectId matrix_ = 0;  // that they were extracted from, and which of its patterns
  PetscObjectState nonzeros_ = 0;
  MatHandle augmented_A_;     // A + γ Bᵀ W⁻¹ B
  KspHandle primal_;
  VecHandle fixed_;           // diagonal of K in the multiplier's rows: where not 0, a constraint
  VecHandle f_, g_, s_;       // work: primal, multiplier, multiplier
};

}  // namespace invar
