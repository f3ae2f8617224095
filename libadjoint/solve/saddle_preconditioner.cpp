#include "libadjoint/solve/saddle_preconditioner.hpp"

#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/set_up_factors.hpp"
#include "libadjoint/solve/sub_vector.hpp"

namespace invar {

namespace {

/// Calls visit(i, d_i) for this rank's nonzero entries of d.
template <class Visit>
void for_nonzeros(Vec d, Visit&& visit) {
  PetscInt n;
  const PetscScalar* v;
  check(VecGetLocalSize(d, &n));
  check(VecGetArrayRead(d, &v));
  for (PetscInt i = 0; i < n; ++i)
    if (v[i] != 0) visit(i, v[i]);
  check(VecRestoreArrayRead(d, &v));
}

}  // namespace

SaddlePreconditioner::SaddlePreconditioner(std::shared_ptr<SchurComplement> blocks, std::string prefix, std::shared_ptr<SaddlePoint> augmentation)
    : blocks_(std::move(blocks)), augmentation_(std::move(augmentation)), prefix_(std::move(prefix)) {}

void SaddlePreconditioner::extract(Mat K) {
  if (pattern_.changed(K))  // the extracted blocks, which PETSc reuses, belong to another pattern
    for (MatHandle* block : {&A_, &Bt_, &B_, &augmented_A_}) block->reset();
  const IS u = blocks_->primal(), p = blocks_->multiplier();
  extract_block(K, u, u, A_);
  extract_block(K, u, p, Bt_);
  extract_block(K, p, u, B_);
  PetscInt components;
  check(ISGetBlockSize(u, &components));
  check(MatSetBlockSize(A_, components));
  VecHandle diagonal;
  check(MatCreateVecs(K, nullptr, diagonal.out()));
  check(MatGetDiagonal(K, diagonal));
  const SubVector in_p(diagonal, p);
  if (!fixed_) {
    check(VecDuplicate(in_p, fixed_.out()));
    check(VecDuplicate(in_p, g_.out()));
    check(VecDuplicate(in_p, s_.out()));
    check(MatCreateVecs(A_, nullptr, f_.out()));
  }
  check(VecCopy(in_p, fixed_));
}

void SaddlePreconditioner::augment() {
  augmentation_->update_weight();
  VecHandle scale;
  check(VecDuplicate(augmentation_->weight(), scale.out()));
  check(VecCopy(augmentation_->weight(), scale));
  check(VecReciprocal(scale));
  check(VecScale(scale, augmentation_->augmentation()));
  MatHandle weighted;  // γ W⁻¹ B
  check(MatDuplicate(B_, MAT_COPY_VALUES, weighted.out()));
  check(MatDiagonalScale(weighted, scale, nullptr));
  if (augmented_A_) {
    Mat same = augmented_A_;
    check(MatMatMult(Bt_, weighted, MAT_REUSE_MATRIX, PETSC_DEFAULT, &same));
  } else {
    check(MatMatMult(Bt_, weighted, MAT_INITIAL_MATRIX, PETSC_DEFAULT, augmented_A_.out()));
  }
  check(MatAXPY(augmented_A_, 1.0, A_, SUBSET_NONZERO_PATTERN));  // unknowns in one cell share a multiplier, so the pattern contains A's
}

std::string SaddlePreconditioner::set_up(Mat K) {
  const std::string trouble = library_failure(PetscObjectComm(PetscObject(K)), [&] {
    extract(K);
    if (augmentation_) augment();
    else blocks_->update_schur(A_, Bt_);
  });
  if (!trouble.empty()) return trouble + " in the blocks";
  const Mat A = augmentation_ ? augmented_A_ : A_;
  const bool first = !primal_;
  if (first) {
    check(KSPCreate(PetscObjectComm(PetscObject(K)), primal_.out()));
    check(KSPSetOptionsPrefix(primal_, (prefix_ + "primal_").c_str()));
    check(KSPSetType(primal_, KSPPREONLY));
  }
  check(KSPSetOperators(primal_, A, A));
  if (first) check(KSPSetFromOptions(primal_));
  const std::string failure = set_up_factors(primal_);
  return failure.empty() ? failure : failure + " in the primal block";
}

/// y = S⁻¹ g or S⁻ᵀ g where the multiplier is free, 0 elsewhere; g is overwritten.
void SaddlePreconditioner::solve_schur(Vec g, Vec y, bool transpose) {
  free_part(g);
  if (!augmentation_) {
    blocks_->solve_schur(g, y, transpose);
  } else {
    check(VecPointwiseDivide(y, g, augmentation_->weight()));
    check(VecScale(y, augmentation_->augmentation()));
  }
  free_part(y);
}

/// Sets the constrained rows of a multiplier vector to zero.
void SaddlePreconditioner::free_part(Vec g) const {
  PetscScalar* a;
  check(VecGetArray(g, &a));
  for_nonzeros(fixed_, [&](PetscInt i, double) { a[i] = 0; });
  check(VecRestoreArray(g, &a));
}

void SaddlePreconditioner::apply(Vec x, Vec y, bool transpose) {
  const SubVector f(x, blocks_->primal()), g(x, blocks_->multiplier());
  const SubVector v(y, blocks_->primal()), q(y, blocks_->multiplier());
  const double weight = augmentation_ ? 2 : 1;  // γ Bᵀ W⁻¹ g of the first factor and −Bᵀ q of the second
  check(VecCopy(g, g_));
  solve_schur(g_, s_, transpose);
  check(transpose ? MatMultTranspose(B_, s_, f_) : MatMult(Bt_, s_, f_));
  check(VecAYPX(f_, weight, f));
  check(transpose ? KSPSolveTranspose(primal_, f_, v) : KSPSolve(primal_, f_, v));
  check(VecCopy(s_, q));
  check(VecScale(q, -1));
  const PetscScalar* load;
  PetscScalar* answer;
  check(VecGetArrayRead(g, &load));
  check(VecGetArray(q, &answer));
  for_nonzeros(fixed_, [&](PetscInt i, double d) { answer[i] = load[i] / d; });
  check(VecRestoreArray(q, &answer));
  check(VecRestoreArrayRead(g, &load));
}

}  // namespace invar
