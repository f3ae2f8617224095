#include "libadjoint/constraint/constraint_map.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace invar {
namespace {

/// Throws on every rank what any of them has to say: that of the lowest such rank.
void throw_together(MPI_Comm comm, const std::string& mine) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = mine.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  int size = static_cast<int>(mine.size());
  MPI_Bcast(&size, 1, MPI_INT, first, comm);
  std::string text = rank == first ? mine : std::string(size, ' ');
  MPI_Bcast(text.data(), size, MPI_CHAR, first, comm);
  throw std::invalid_argument(text);
}

/// Entries of a vector at global rows of any rank.
std::vector<double> entries_at(Vec v, const std::vector<PetscInt>& rows) {
  VecHandle found;
  IsHandle from;
  ScatterHandle scatter;
  check(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(rows.size()), found.out()));
  check(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(rows.size()), rows.data(), PETSC_COPY_VALUES, from.out()));
  check(VecScatterCreate(v, from, found, nullptr, scatter.out()));
  check(VecScatterBegin(scatter, v, found, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter, v, found, INSERT_VALUES, SCATTER_FORWARD));
  std::vector<double> out(rows.size());
  const double* a = nullptr;
  check(VecGetArrayRead(found, &a));
  std::copy(a, a + out.size(), out.begin());
  check(VecRestoreArrayRead(found, &a));
  return out;
}

}  // namespace

ConstraintMap::ConstraintMap(Vec like, const std::vector<Tie>& ties) {
  const MPI_Comm comm = PetscObjectComm(PetscObject(like));
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(like, &first, &end));
  const int n = static_cast<int>(end - first);

  // Numbers of the unknowns that follow no other.
  std::string wrong;
  reduced_.assign(n, 0);
  for (const Tie& tie : ties) {
    const std::string row = "unknown " + std::to_string(tie.row);
    if (tie.row < first || tie.row >= end) wrong = row + " is tied by a rank that does not own it";
    else if (std::exchange(reduced_[tie.row - first], -1) < 0) wrong = row + " is tied twice";
  }
  throw_together(comm, wrong);
  int n_reduced = 0;
  for (int& r : reduced_)
    if (r >= 0) r = n_reduced++;
  long long before = 0;
  const long long mine = n_reduced;
  MPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) before = 0;

  // Those of the masters, which may be another rank's.
  VecHandle numbers;
  check(VecCreateMPI(comm, n, PETSC_DETERMINE, numbers.out()));
  double* a = nullptr;
  check(VecGetArray(numbers, &a));
  for (int i = 0; i < n; ++i) a[i] = reduced_[i] < 0 ? -1.0 : static_cast<double>(before + reduced_[i]);
  check(VecRestoreArray(numbers, &a));
  PetscInt total = 0;
  check(VecGetSize(numbers, &total));
  std::vector<PetscInt> masters;
  for (const Tie& tie : ties)
    for (const auto& [row, coefficient] : tie.masters) {
      if (row < 0 || row >= total) wrong = "unknown " + std::to_string(tie.row) + " is tied to " + std::to_string(row) + ", which does not exist";
      else masters.push_back(row);
    }
  throw_together(comm, wrong);
  const std::vector<double> columns = entries_at(numbers, masters);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] < 0) wrong = "unknown " + std::to_string(masters[k]) + " is a master and follows others itself";
  throw_together(comm, wrong);

  check(MatCreate(comm, T_.out()));
  check(MatSetSizes(T_, n, n_reduced, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(T_, MATAIJ));
  PetscInt most = 1;
  for (const Tie& tie : ties) most = std::max(most, static_cast<PetscInt>(tie.masters.size()));
  check(MatSeqAIJSetPreallocation(T_, most, nullptr));
  check(MatMPIAIJSetPreallocation(T_, most, nullptr, most, nullptr));
  for (int i = 0; i < n; ++i)
    if (reduced_[i] >= 0) check(MatSetValue(T_, first + i, static_cast<PetscInt>(before) + reduced_[i], 1.0, INSERT_VALUES));
  std::size_t at = 0;
  for (const Tie& tie : ties) {
    std::map<PetscInt, double> row;  // a master may be named more than once
    for (const auto& [master, coefficient] : tie.masters) row[static_cast<PetscInt>(columns[at++])] += coefficient;
    for (const auto& [column, coefficient] : row) check(MatSetValue(T_, tie.row, column, coefficient, INSERT_VALUES));
    for (const auto& [control, factor] : tie.numbers) offset_.push_back({static_cast<int>(tie.row - first), control, factor});
  }
  check(MatAssemblyBegin(T_, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(T_, MAT_FINAL_ASSEMBLY));
  int any = !offset_.empty();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  has_offset_ = any;
}

VecHandle ConstraintMap::create_reduced() const {
  VecHandle q;
  check(MatCreateVecs(T_, q.out(), nullptr));
  check(VecSet(q, 0.0));
  return q;
}

void ConstraintMap::add_offset(const Controls& d, Vec u) const {
  double* a = nullptr;
  check(VecGetArray(u, &a));
  for (const OffsetTerm& term : offset_)
    if (!d[term.control].empty()) a[term.row] += term.factor * d[term.control][0];
  check(VecRestoreArray(u, &a));
}

void ConstraintMap::add_offset_transposed(Vec u_bar, Controls& d_bar) const {
  const double* a = nullptr;
  check(VecGetArrayRead(u_bar, &a));
  for (const OffsetTerm& term : offset_)
    if (!d_bar[term.control].empty()) d_bar[term.control][0] += term.factor * a[term.row];
  check(VecRestoreArrayRead(u_bar, &a));
}

}  // namespace invar
