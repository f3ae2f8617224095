#include "libadjoint/path/bordered_matrix.hpp"

#include <algorithm>

namespace invar {
namespace {

/// Calls visit(local row, value) for the own entries of a vector.
template <class Visit>
void visit_entries(Vec v, Visit&& visit) {
  PetscInt n = 0;
  const double* a = nullptr;
  check(VecGetLocalSize(v, &n));
  check(VecGetArrayRead(v, &a));
  for (PetscInt i = 0; i < n; ++i) visit(i, a[i]);
  check(VecRestoreArrayRead(v, &a));
}

}  // namespace

BorderedMatrix::BorderedMatrix(Mat K, Vec column, Vec row) : comm_(PetscObjectComm(PetscObject(K))) {
  int size = 1;
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size);
  last_rank_ = size - 1;
  PetscInt end = 0;
  check(MatGetOwnershipRange(K, &first_, &end));
  check(MatGetSize(K, &n_, nullptr));
  n_local_ = end - first_;
  in_column_.assign(n_local_, 0);
  in_row_.assign(n_local_, 0);
  mark(column, row);
  const bool last = rank_ == last_rank_;
  std::vector<PetscInt> own(n_local_ + (last ? 1 : 0), 0), other(own.size(), 0);
  for (PetscInt i = 0; i < n_local_; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    check(MatGetRow(K, first_ + i, &count, &columns, nullptr));
    for (PetscInt k = 0; k < count; ++k) ++(columns[k] >= first_ && columns[k] < end ? own : other)[i];
    check(MatRestoreRow(K, first_ + i, &count, &columns, nullptr));
    ++(last ? own : other)[i];
  }
  long long mine = std::count(in_row_.begin(), in_row_.end(), 1), all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, comm_);
  if (last) own.back() = static_cast<PetscInt>(mine) + 1, other.back() = static_cast<PetscInt>(all - mine);
  const PetscInt local = static_cast<PetscInt>(own.size());
  check(MatCreateAIJ(comm_, local, local, PETSC_DETERMINE, PETSC_DETERMINE, 0, own.data(), 0, other.data(), mat_.out()));
  check(MatSetOption(mat_, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
}

void BorderedMatrix::mark(Vec column, Vec row) {
  visit_entries(column, [&](PetscInt i, double v) { in_column_[i] |= v != 0; });
  visit_entries(row, [&](PetscInt i, double v) { in_row_[i] |= v != 0; });
}

void BorderedMatrix::assemble(Mat K, Vec column, Vec row, double corner) {
  mark(column, row);
  for (PetscInt i = first_; i < first_ + n_local_; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    check(MatGetRow(K, i, &count, &columns, &values));
    check(MatSetValues(mat_, 1, &i, count, columns, values, INSERT_VALUES));
    check(MatRestoreRow(K, i, &count, &columns, &values));
  }
  visit_entries(column, [&](PetscInt i, double v) {
    if (in_column_[i]) check(MatSetValue(mat_, first_ + i, n_, v, INSERT_VALUES));
  });
  visit_entries(row, [&](PetscInt i, double v) {
    if (in_row_[i]) check(MatSetValue(mat_, n_, first_ + i, v, INSERT_VALUES));
  });
  if (rank_ == last_rank_) check(MatSetValue(mat_, n_, n_, corner, INSERT_VALUES));
  check(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
}

VecHandle BorderedMatrix::create_vector() const {
  VecHandle x;
  check(VecCreateMPI(comm_, n_local_ + (rank_ == last_rank_ ? 1 : 0), PETSC_DETERMINE, x.out()));
  check(VecSet(x, 0.0));
  return x;
}

void BorderedMatrix::pack(Vec u, double s, Vec x) const {
  double* a = nullptr;
  check(VecGetArray(x, &a));
  visit_entries(u, [&](PetscInt i, double v) { a[i] = v; });
  if (rank_ == last_rank_) a[n_local_] = s;
  check(VecRestoreArray(x, &a));
}

double BorderedMatrix::unpack(Vec x, Vec u) const {
  const double* a = nullptr;
  double* b = nullptr;
  check(VecGetArrayRead(x, &a));
  check(VecGetArray(u, &b));
  std::copy(a, a + n_local_, b);
  double s = rank_ == last_rank_ ? a[n_local_] : 0.0;
  check(VecRestoreArray(u, &b));
  check(VecRestoreArrayRead(x, &a));
  MPI_Bcast(&s, 1, MPI_DOUBLE, last_rank_, comm_);
  return s;
}

}  // namespace invar
