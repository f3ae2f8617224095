#include "libadjoint/constraint/reduced_prolongation.hpp"

#include <utility>

namespace invar {
namespace {

/// Entries of this rank's rows, by global numbers.
struct TripletList {
  std::vector<PetscInt> rows, columns;
  std::vector<double> values;

  void add(PetscInt row, PetscInt column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }
};

MatHandle matrix_of(MPI_Comm comm, std::pair<int, int> own, int column_block, TripletList& entries) {
  MatHandle A;
  check(MatCreate(comm, A.out()));
  check(MatSetSizes(A, own.first, own.second, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetBlockSizes(A, 1, column_block));
  check(MatSetType(A, MATAIJ));
  check(MatSetPreallocationCOO(A, static_cast<PetscCount>(entries.values.size()), entries.rows.data(), entries.columns.data()));
  check(MatSetValuesCOO(A, entries.values.data(), INSERT_VALUES));
  return A;
}

/// visit(columns, values) for the entries of a row that are not zero.
template <class Visit>
void visit_row(Mat A, PetscInt row, Visit visit) {
  PetscInt n = 0;
  const PetscInt* columns = nullptr;
  const double* values = nullptr;
  check(MatGetRow(A, row, &n, &columns, &values));
  for (PetscInt k = 0; k < n; ++k)
    if (values[k] != 0) visit(columns[k], values[k]);
  check(MatRestoreRow(A, row, &n, &columns, &values));
}

int before_own(MPI_Comm comm, int mine) {
  int rank = 0, before = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, comm);
  return rank == 0 ? 0 : before;
}

/// What the unknowns of a coarse space are in the fine one.
struct CoarseUnknowns {
  std::vector<int> value_of;  // own fine unknown that each is the value of, −1: none
  std::vector<int> between;   // own fine unknowns that are combinations of several
};

CoarseUnknowns coarse_unknowns(Mat prolongation) {
  PetscInt first = 0, end = 0, first_coarse = 0, end_coarse = 0;
  check(MatGetOwnershipRange(prolongation, &first, &end));
  check(MatGetOwnershipRangeColumn(prolongation, &first_coarse, &end_coarse));
  CoarseUnknowns found{std::vector<int>(end_coarse - first_coarse, -1), {}};
  for (PetscInt row = first; row < end; ++row) {
    int count = 0;
    PetscInt only = -1;
    visit_row(prolongation, row, [&](PetscInt column, double value) { ++count, only = value == 1 ? column : -1; });
    if (count == 1 && only >= first_coarse && only < end_coarse) found.value_of[only - first_coarse] = static_cast<int>(row - first);
    else if (count > 0) found.between.push_back(static_cast<int>(row - first));
  }
  return found;
}

/// C = A B
MatHandle product(Mat A, Mat B) {
  MatHandle C;
  check(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, C.out()));
  return C;
}

}  // namespace

MatHandle reduced_prolongation(const ConstraintMap& map, Mat tests, const std::vector<char>& held, Mat prolongation) {
  const MPI_Comm comm = PetscObjectComm(PetscObject(prolongation));
  PetscInt n_fine = 0, n_coarse = 0, first_fine = 0, first_coarse = 0, first_q = 0, block = 1;
  check(MatGetLocalSize(prolongation, &n_fine, &n_coarse));
  check(MatGetOwnershipRange(prolongation, &first_fine, nullptr));
  check(MatGetOwnershipRangeColumn(prolongation, &first_coarse, nullptr));
  check(MatGetOwnershipRangeColumn(tests, &first_q, nullptr));
  check(MatGetBlockSizes(prolongation, nullptr, &block));
  const int n_q = static_cast<int>(held.size());
  const std::vector<int>& reduced = map.reduced_rows(0);
  const CoarseUnknowns coarse = coarse_unknowns(prolongation);
  const auto is_free = [&](PetscInt c) { return coarse.value_of[c] >= 0 && reduced[coarse.value_of[c]] >= 0; };

  // The columns: coarse unknowns (≥ 0), or unknowns of q that have one of their own (−1 − row).
  std::vector<PetscInt> columns;
  std::size_t spare = 0;
  const auto add_unit = [&] {
    while (spare < coarse.between.size() && reduced[coarse.between[spare]] < 0) ++spare;
    if (spare == coarse.between.size()) return false;
    columns.push_back(-1 - reduced[coarse.between[spare++]]);
    return true;
  };
  int whole = 1;  // blocks
  for (PetscInt c = 0; c < n_coarse; c += block) {
    bool any = false;
    for (PetscInt k = c; k < c + block; ++k) any |= is_free(k);
    for (PetscInt k = c; any && k < c + block; ++k) is_free(k) ? columns.push_back(k) : void(whole &= add_unit());
  }
  for (int p = 1; p < map.part_count(); ++p)
    for (const int row : map.reduced_rows(p))
      if (row >= 0 && !held[row]) columns.push_back(-1 - row);
  while (whole && columns.size() % block) whole &= add_unit();
  MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_MIN, comm);

  const int n_columns = static_cast<int>(columns.size()), column_block = whole ? static_cast<int>(block) : 1;
  const PetscInt first_column = before_own(comm, n_columns);
  TripletList of_coarse, units, free_rows, following;
  for (int j = 0; j < n_columns; ++j)
    if (columns[j] >= 0) of_coarse.add(first_coarse + columns[j], first_column + j, 1.0);
    else units.add(first_q - 1 - columns[j], first_column + j, 1.0);
  for (PetscInt i = 0; i < n_fine; ++i)
    if (reduced[i] >= 0) free_rows.add(first_q + reduced[i], first_fine + i, 1.0);
  int ties = 0;
  for (PetscInt c = 0; c < n_coarse; ++c)
    if (coarse.value_of[c] >= 0 && !is_free(c)) {
      ties = 1;
      visit_row(tests, first_fine + coarse.value_of[c], [&](PetscInt q, double factor) { following.add(first_coarse + c, q, factor); });
    }
  MPI_Allreduce(MPI_IN_PLACE, &ties, 1, MPI_INT, MPI_MAX, comm);

  MatHandle chosen = matrix_of(comm, {n_coarse, n_columns}, column_block, of_coarse);
  const MatHandle own = matrix_of(comm, {n_q, n_columns}, column_block, units);
  const MatHandle pick = matrix_of(comm, {n_q, n_fine}, 1, free_rows);
  const auto to_q = [&](Mat of) {
    MatHandle out = product(pick, product(prolongation, of));
    check(MatAXPY(out, 1.0, own, DIFFERENT_NONZERO_PATTERN));
    return out;
  };
  MatHandle result = to_q(chosen);
  if (ties) {
    const MatHandle follow = matrix_of(comm, {n_coarse, n_q}, 1, following);
    const MatHandle tied = product(follow, result);
    check(MatAXPY(chosen, 1.0, tied, DIFFERENT_NONZERO_PATTERN));
    result = to_q(chosen);
  }
  PetscInt row_block = 1;
  check(MatGetBlockSizes(tests, nullptr, &row_block));
  check(MatSetBlockSizes(result, row_block, column_block));
  return result;
}

}  // namespace invar
