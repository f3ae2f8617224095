#pragma once
#include "libadjoint/solve/schur_complement.hpp"

namespace invar {

/// The Schur complement by entries of the matrix alone: B A⁻¹ Bᵀ ≈ (Bᵀ)ᵀ diag(A)⁻¹ Bᵀ, which is symmetric, by a cycle of algebraic
/// multigrid ("SIMPLE", Elman, Silvester, Wathen, Finite Elements and Fast Iterative Solvers, 2014, ch. 9). For operators A that inertia
/// dominates, as in short steps in time, in particular of parts with different densities. PETSc's options of its solver have the prefix
/// "invar_schur_".
class DiagonalSchur final : public SchurComplement {
 public:
  DiagonalSchur(IsHandle primal, IsHandle multiplier) : primal_(std::move(primal)), multiplier_(std::move(multiplier)) {}

  IS primal() const override { return primal_; }
  IS multiplier() const override { return multiplier_; }
  void update_schur(Mat A, Mat Bt) override;
  void solve_schur(Vec g, Vec y, bool transpose) override;

 private:
  IsHandle primal_, multiplier_;
  MatHandle S_;
  KspHandle solver_;
};

}  // namespace invar
