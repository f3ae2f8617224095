#include "libadjoint/solve/saddle_preconditioner.hpp"

#include "libadjoint/solve/set_up_factors.hpp"

namespace invar {

namespace {

/// Sub-vector of x with the rows of an index set, while alive.
class Part {
 public:
  Part(Vec x, IS rows) : x_(x), rows_(rows) { check(VecGetSubVector(x_, rows_, &part_)); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() { VecRestoreSubVector(x_, rows_, &part_); }
  operator Vec() const { return part_; }

 private:
  Vec x_, part_ = nullptr;
  IS rows_;
};

/// Calls visit(i, d_i) for this rank's entries of d that are not zero.
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

void extract_block(Mat K, IS rows, IS columns, MatHandle& block) {
  if (!block) {
    check(MatCreateSubMatrix(K, rows, columns, MAT_INITIAL_MATRIX, block.out()));
    return;
  }
  Mat same = block;
  check(MatCreateSubMatrix(K, rows, columns, MAT_REUSE_MATRIX, &same));
}

}  // namespace

SaddlePreconditioner::SaddlePreconditioner(std::shared_ptr<SaddlePoint> blocks, bool augmented,
                                           std::string prefix)
    : blocks_(std::move(blocks)), augmented_(augmented), prefix_(std::move(prefix)) {}

void SaddlePreconditioner::extract(Mat K) {
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
  const Part in_p(diagonal, p);
  if (!fixed_) {
    check(VecDuplicate(in_p, fixed_.out()));
    check(VecDuplicate(in_p, g_.out()));
    check(VecDuplicate(in_p, s_.out()));
    check(MatCreateVecs(A_, nullptr, f_.out()));
  }
  check(VecCopy(in_p, fixed_));
}

std::string SaddlePreconditioner::set_up_primal(KspHandle& ksp, Mat A) {
  if (!ksp) {
    check(KSPCreate(PetscObjectComm(PetscObject(A)), ksp.out()));
    check(KSPSetOptionsPrefix(ksp, (prefix_ + "velocity_").c_str()));
    check(KSPSetType(ksp, KSPPREONLY));
    check(KSPSetOperators(ksp, A, A));
    check(KSPSetFromOptions(ksp));
  }
  check(KSPSetOperators(ksp, A, A));
  const std::string failure = set_up_factors(ksp);
  return failure.empty() ? failure : failure + " in the velocity block";
}

std::string SaddlePreconditioner::set_up(Mat K) {
  extract(K);
  blocks_->update(!augmented_);
  stale_transpose_ = true;
  Mat A = A_;
  if (augmented_) {
    VecHandle scale;
    check(VecDuplicate(blocks_->weight(), scale.out()));
    check(VecCopy(blocks_->weight(), scale));
    check(VecReciprocal(scale));
    check(VecScale(scale, blocks_->augmentation()));
    if (!weighted_B_) check(MatDuplicate(B_, MAT_COPY_VALUES, weighted_B_.out()));
    else check(MatCopy(B_, weighted_B_, SAME_NONZERO_PATTERN));
    check(MatDiagonalScale(weighted_B_, scale, nullptr));
    Mat product = augmented_A_;
    check(MatMatMult(Bt_, weighted_B_, product ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
    if (!augmented_A_) augmented_A_ = MatHandle(product);
    check(MatAXPY(augmented_A_, 1.0, A_, SUBSET_NONZERO_PATTERN));  // what shares a cell shares a multiplier
    A = augmented_A_;
  }
  const std::string failure = set_up_primal(primal_, A);
  if (!failure.empty()) return failure;
  PC pc;
  PetscBool lu;
  check(KSPGetPC(primal_, &pc));
  check(PetscObjectTypeCompare(PetscObject(pc), PCLU, &lu));
  direct_ = lu;
  return {};
}

void SaddlePreconditioner::solve_primal(Vec f, Vec v, bool transpose) {
  if (!transpose) {
    check(KSPSolve(primal_, f, v));
  } else if (direct_) {
    check(KSPSolveTranspose(primal_, f, v));
  } else {
    if (stale_transpose_) {
      Mat At = transposed_A_;
      check(MatTranspose(A_, At ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &At));
      if (!transposed_A_) transposed_A_ = MatHandle(At);
      if (const std::string failure = set_up_primal(primal_transposed_, At); !failure.empty())
        throw PetscError(failure);
      stale_transpose_ = false;
    }
    check(KSPSolve(primal_transposed_, f, v));
  }
}

void SaddlePreconditioner::apply(Vec x, Vec y, bool transpose) {
  const Part f(x, blocks_->primal()), g(x, blocks_->multiplier());
  const Part v(y, blocks_->primal()), q(y, blocks_->multiplier());
  check(VecCopy(g, g_));
  PetscScalar *free, *answer;
  check(VecGetArray(g_, &free));
  for_nonzeros(fixed_, [&](PetscInt i, double) { free[i] = 0; });
  check(VecRestoreArray(g_, &free));
  if (augmented_) {
    check(VecPointwiseDivide(s_, g_, blocks_->weight()));
    check(VecScale(s_, blocks_->augmentation()));
  } else {
    blocks_->solve_schur(g_, s_, transpose);
  }
  check(VecCopy(s_, q));  // −S⁻¹ g
  check(VecScale(q, -1));
  const PetscScalar* load;
  check(VecGetArrayRead(g, &load));
  check(VecGetArray(q, &answer));
  for_nonzeros(fixed_, [&](PetscInt i, double d) { answer[i] = load[i] / d; });
  check(VecRestoreArray(q, &answer));
  check(VecRestoreArrayRead(g, &load));
  if (augmented_) check(VecScale(s_, 2));  // γ Bᵀ W⁻¹ g of the first factor, −Bᵀ q of the second
  check(transpose ? MatMultTranspose(B_, s_, f_) : MatMult(Bt_, s_, f_));
  check(VecAXPY(f_, 1, f));
  solve_primal(f_, v, transpose);
}

template <bool Transpose>
PetscErrorCode SaddlePreconditioner::apply_shell(PC pc, Vec x, Vec y) {
  void* self = nullptr;
  if (const PetscErrorCode code = PCShellGetContext(pc, &self); code != 0) return code;
  try {  // no exception may pass through PETSc
    static_cast<SaddlePreconditioner*>(self)->apply(x, y, Transpose);
  } catch (const std::exception&) {
    return PETSC_ERR_LIB;
  }
  return 0;
}

void SaddlePreconditioner::attach(PC pc) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, apply_shell<false>));
  check(PCShellSetApplyTranspose(pc, apply_shell<true>));
  check(PCShellSetName(pc, "saddle point"));
}

}  // namespace invar
