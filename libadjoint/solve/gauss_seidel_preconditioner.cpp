#include "libadjoint/solve/gauss_seidel_preconditioner.hpp"

#include "libadjoint/solve/library_failure.hpp"
#include "libadjoint/solve/set_up_factors.hpp"
#include "libadjoint/solve/sub_vector.hpp"

namespace invar {
namespace {

/// Calls visit(k, integral row, integrand row) for the rows of this rank.
template <class Visit>
void for_integrals(const CoupledFields& fields, Visit&& visit) {
  PetscInt n;
  const PetscInt *rows, *of;
  check(ISGetLocalSize(fields.integral, &n));
  check(ISGetIndices(fields.integral, &rows));
  check(ISGetIndices(fields.integrand, &of));
  for (PetscInt k = 0; k < n; ++k) visit(k, rows[k], of[k]);
  check(ISRestoreIndices(fields.integrand, &of));
  check(ISRestoreIndices(fields.integral, &rows));
}

void insert_identity(Mat T, IS rows) {
  PetscInt n;
  const PetscInt* i;
  check(ISGetLocalSize(rows, &n));
  check(ISGetIndices(rows, &i));
  for (PetscInt k = 0; k < n; ++k) check(MatSetValue(T, i[k], i[k], 1, INSERT_VALUES));
  check(ISRestoreIndices(rows, &i));
}

void set_block_size(Mat block, IS rows) {
  PetscInt size;
  check(ISGetBlockSize(rows, &size));
  check(MatSetBlockSize(block, size));
}

}  // namespace

GaussSeidelPreconditioner::GaussSeidelPreconditioner(std::shared_ptr<CoupledFields> fields, std::string prefix)
    : fields_(std::move(fields)), prefix_(prefix), saddle_(fields_->saddle, std::move(prefix)) {}

/// G by the entries of K: zero where v or s is prescribed. Returns an error message where s has no diagonal.
std::string GaussSeidelPreconditioner::find_ratio(Mat K) {
  int missing = 0;
  ratio_.clear();
  for_integrals(*fields_, [&](PetscInt, PetscInt s, PetscInt v) {
    PetscScalar entries[2];
    const PetscInt columns[] = {s, v};
    check(MatGetValues(K, 1, &s, 2, columns, entries));
    missing |= entries[0] == 0;
    ratio_.push_back(-entries[1] / entries[0]);
  });
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, PetscObjectComm(PetscObject(K)));
  return missing ? "the matrix is not that of a step in time: its integrals have no diagonal" : "";
}

/// The columns of s times G added to those of v.
void GaussSeidelPreconditioner::eliminate(Mat K) {
  if (!substitution_) {
    PetscInt n, N;
    check(MatGetLocalSize(K, &n, nullptr));
    check(MatGetSize(K, &N, nullptr));
    check(MatCreateAIJ(PetscObjectComm(PetscObject(K)), n, n, N, N, 1, nullptr, 1, nullptr, substitution_.out()));
  }
  const Mat T = substitution_;
  insert_identity(T, fields_->saddle->primal());
  insert_identity(T, fields_->saddle->multiplier());
  for_integrals(*fields_, [&](PetscInt k, PetscInt s, PetscInt v) { check(MatSetValue(T, s, v, ratio_[k], INSERT_VALUES)); });
  check(MatAssemblyBegin(T, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(T, MAT_FINAL_ASSEMBLY));
  if (!eliminated_) {
    check(MatMatMult(K, T, MAT_INITIAL_MATRIX, PETSC_DEFAULT, eliminated_.out()));
    return;
  }
  Mat same = eliminated_;
  check(MatMatMult(K, T, MAT_REUSE_MATRIX, PETSC_DEFAULT, &same));
}

std::string GaussSeidelPreconditioner::set_up_solver(KspHandle& solver, Mat A, const char* name) {
  const bool first = !solver;
  if (first) {
    check(KSPCreate(PetscObjectComm(PetscObject(A)), solver.out()));
    check(KSPSetOptionsPrefix(solver, (prefix_ + name + "_").c_str()));
    check(KSPSetType(solver, KSPPREONLY));
  }
  check(KSPSetOperators(solver, A, A));
  if (first) check(KSPSetFromOptions(solver));
  const std::string failure = set_up_factors(solver);
  return failure.empty() ? failure : failure + " in the block '" + name + "'";
}

std::string GaussSeidelPreconditioner::set_up(Mat K) {
  std::string trouble;
  const std::string failure = library_failure(PetscObjectComm(PetscObject(K)), [&] {
    if (pattern_.changed(K))
      for (MatHandle* block : {&columns_, &mass_, &follower_, &substitution_, &eliminated_}) block->reset();
    trouble = find_ratio(K);
    if (!trouble.empty()) return;
    PetscInt first, end;
    IsHandle all;
    check(MatGetOwnershipRange(K, &first, &end));
    check(ISCreateStride(PetscObjectComm(PetscObject(K)), end - first, first, 1, all.out()));
    extract_block(K, all, fields_->integral, columns_);
    extract_block(K, fields_->integral, fields_->integral, mass_);
    extract_block(K, fields_->follower, fields_->follower, follower_);
    set_block_size(mass_, fields_->integral);
    set_block_size(follower_, fields_->follower);
    eliminate(K);
    if (r_) return;
    check(MatCreateVecs(columns_, w_.out(), r_.out()));
    check(VecDuplicate(w_, t_.out()));
  });
  if (!failure.empty()) return failure + " in the blocks";
  if (trouble.empty()) trouble = saddle_.set_up(eliminated_);
  if (trouble.empty()) trouble = set_up_solver(solve_mass_, mass_, "integral");
  if (trouble.empty()) trouble = set_up_solver(solve_follower_, follower_, "follower");
  return trouble;
}

/// s += G v
void GaussSeidelPreconditioner::add_integrand(Vec v, Vec s) const {
  PetscInt first;
  const PetscScalar* from;
  PetscScalar* to;
  check(VecGetOwnershipRange(v, &first, nullptr));
  check(VecGetArrayRead(v, &from));
  check(VecGetArray(s, &to));
  for_integrals(*fields_, [&](PetscInt k, PetscInt, PetscInt row) { to[k] += ratio_[k] * from[row - first]; });
  check(VecRestoreArray(s, &to));
  check(VecRestoreArrayRead(v, &from));
}

/// v += Gᵀ s
void GaussSeidelPreconditioner::add_to_integrand(Vec s, Vec v) const {
  PetscInt first;
  const PetscScalar* from;
  PetscScalar* to;
  check(VecGetOwnershipRange(v, &first, nullptr));
  check(VecGetArrayRead(s, &from));
  check(VecGetArray(v, &to));
  for_integrals(*fields_, [&](PetscInt k, PetscInt, PetscInt row) { to[row - first] += ratio_[k] * from[k]; });
  check(VecRestoreArray(v, &to));
  check(VecRestoreArrayRead(s, &from));
}

void GaussSeidelPreconditioner::apply(Vec b, Vec x, bool transpose) {
  if (transpose) backward(b, x);
  else forward(b, x);
}

void GaussSeidelPreconditioner::forward(Vec b, Vec x) {
  const IS integral = fields_->integral, follower = fields_->follower;
  {
    const SubVector load(b, integral);
    check(KSPSolve(solve_mass_, load, w_));
  }
  check(MatMult(columns_, w_, r_));
  check(VecAYPX(r_, -1, b));
  saddle_.apply(r_, x, false);
  add_integrand(x, w_);
  check(VecISCopy(x, integral, SCATTER_FORWARD, w_));
  check(MatMult(columns_, w_, r_));
  check(VecAYPX(r_, -1, b));
  const SubVector load(r_, follower), m(x, follower);
  check(KSPSolve(solve_follower_, load, m));
}

void GaussSeidelPreconditioner::backward(Vec b, Vec x) {
  const IS integral = fields_->integral, follower = fields_->follower;
  check(VecSet(x, 0));
  {
    const SubVector load(b, follower), m(x, follower);
    check(KSPSolve(solve_follower_, load, m));
  }
  check(MatMultTranspose(columns_, x, w_));  // of m alone
  {
    const SubVector load(b, integral);
    check(VecAYPX(w_, -1, load));
  }
  check(VecCopy(b, r_));
  add_to_integrand(w_, r_);
  saddle_.apply(r_, x, true);
  check(VecCopy(x, r_));
  check(VecISSet(r_, follower, 0));
  check(MatMultTranspose(columns_, r_, t_));  // of v and p
  check(VecAXPY(w_, -1, t_));
  check(KSPSolve(solve_mass_, w_, t_));
  check(VecISCopy(x, integral, SCATTER_FORWARD, t_));
}

}  // namespace invar
