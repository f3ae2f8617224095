#include "libadjoint/constraint/constraint_map.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

namespace invar {
namespace {

/// Throws the message of the lowest rank that has one, on every rank.
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

/// Entries of a vector at global rows, which may belong to other ranks.
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

/// Sum over the lower ranks.
long long before_this(MPI_Comm comm, long long mine) {
  long long before = 0;
  MPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0 ? 0 : before;
}

/// Whether untied unknowns form whole blocks. first: number of unknowns of the equation with blocks.
bool keeps_blocks(const std::vector<int>& reduced, int first, int block, int n_reduced) {
  if (first % block || n_reduced % block) return false;
  for (int i = 0; i < first; i += block)
    for (int k = 1; k < block; ++k)
      if ((reduced[i + k] < 0) != (reduced[i] < 0)) return false;
  return true;
}

}  // namespace

ConstraintMap::ConstraintMap(const std::vector<Vec>& like, const std::vector<Tie>& ties, int block,
                             std::shared_ptr<const TieNumbers> numbers_of_ties, std::vector<double> start)
    : numbers_(std::move(numbers_of_ties)), present_(std::move(start)) {
  const MPI_Comm comm = PetscObjectComm(PetscObject(like.at(0)));
  std::vector<int> begins{0};  // offset of each equation's unknowns in the own part of w
  for (const Vec v : like) {
    PetscInt n = 0;
    check(VecGetLocalSize(v, &n));
    begins.push_back(begins.back() + static_cast<int>(n));
  }
  const int n = begins.back();
  const PetscInt first = static_cast<PetscInt>(before_this(comm, n));

  // Numbers of the untied unknowns.
  std::string wrong;
  std::vector<int> reduced(n, 0);
  std::vector<const Tie*> tie_of(n, nullptr);
  for (const Tie& tie : ties) {
    const std::string row = "unknown " + std::to_string(tie.row);
    if (tie.row < first || tie.row >= first + n) wrong = row + " is tied by a rank that does not own it";
    else if (std::exchange(tie_of[tie.row - first], &tie)) wrong = row + " is tied twice";
  }
  throw_together(comm, wrong);
  int n_reduced = 0;
  for (int i = 0; i < n; ++i) reduced[i] = tie_of[i] ? -1 : n_reduced++;
  const PetscInt before = static_cast<PetscInt>(before_this(comm, n_reduced));

  // Numbers of the masters, which may belong to other ranks.
  VecHandle numbers;
  check(VecCreateMPI(comm, n, PETSC_DETERMINE, numbers.out()));
  double* a = nullptr;
  check(VecGetArray(numbers, &a));
  for (int i = 0; i < n; ++i) a[i] = reduced[i] < 0 ? -1.0 : static_cast<double>(before + reduced[i]);
  check(VecRestoreArray(numbers, &a));
  PetscInt total = 0;
  check(VecGetSize(numbers, &total));
  std::vector<PetscInt> masters;
  const auto add_master = [&](const Tie& tie, PetscInt row) {
    if (row < 0 || row >= total) wrong = "unknown " + std::to_string(tie.row) + " is tied to " + std::to_string(row) + ", which does not exist";
    else masters.push_back(row);
  };
  for (const Tie* tie : tie_of) {
    if (!tie) continue;
    for (const auto& [row, coefficient] : tie->masters) add_master(*tie, row);
    for (const Tie::Variation& v : tie->variations) add_master(*tie, v.master);
  }
  throw_together(comm, wrong);
  const std::vector<double> columns = entries_at(numbers, masters);
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] < 0) wrong = "unknown " + std::to_string(masters[k]) + " is a master and tied to others itself";
  throw_together(comm, wrong);

  int blocks = block > 1 && keeps_blocks(reduced, begins[1], block, n_reduced);
  MPI_Allreduce(MPI_IN_PLACE, &blocks, 1, MPI_INT, MPI_MIN, comm);
  std::size_t at = 0;
  for (std::size_t p = 0; p < like.size(); ++p) {
    const int rows = begins[p + 1] - begins[p];
    PetscInt first_row = 0, most = 1;
    check(VecGetOwnershipRange(like[p], &first_row, nullptr));
    for (int i = begins[p]; i < begins[p + 1]; ++i)
      if (tie_of[i]) most = std::max(most, static_cast<PetscInt>(tie_of[i]->masters.size() + tie_of[i]->variations.size()));
    Part part{{}, {reduced.begin() + begins[p], reduced.begin() + begins[p + 1]}};
    check(MatCreate(comm, part.T.out()));
    check(MatSetSizes(part.T, rows, n_reduced, PETSC_DETERMINE, PETSC_DETERMINE));
    if (blocks) check(MatSetBlockSizes(part.T, p == 0 ? block : 1, block));
    check(MatSetType(part.T, MATAIJ));
    std::vector<PetscInt> per_row(rows, 1);
    for (int i = 0; i < rows; ++i)
      if (const Tie* tie = tie_of[begins[p] + i]) per_row[i] = static_cast<PetscInt>(tie->masters.size() + tie->variations.size());
    check(MatSeqAIJSetPreallocation(part.T, 0, per_row.data()));
    for (PetscInt& count : per_row) count = std::min<PetscInt>(count, std::max(n_reduced, 1));
    check(MatMPIAIJSetPreallocation(part.T, 0, per_row.data(), most, nullptr));
    check(MatSetOption(part.T, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    for (int i = 0; i < rows; ++i) {
      const Tie* tie = tie_of[begins[p] + i];
      if (!tie) {
        check(MatSetValue(part.T, first_row + i, before + reduced[begins[p] + i], 1.0, INSERT_VALUES));
        continue;
      }
      std::map<PetscInt, double> row;  // a master may occur more than once
      for (const auto& [master, coefficient] : tie->masters) row[static_cast<PetscInt>(columns[at++])] += coefficient;
      std::map<PetscInt, std::vector<std::pair<int, double>>> varying;
      for (const Tie::Variation& v : tie->variations) {
        const auto column = static_cast<PetscInt>(columns[at++]);
        row[column] += 0;
        varying[column].push_back({v.number, v.factor});
      }
      for (auto& [column, terms] : varying) {
        double fixed = row[column];
        for (const auto& [number, factor] : terms) fixed -= factor * present_[number];
        part.varying.push_back({i, static_cast<int>(part.columns.size()), fixed, std::move(terms)});
        part.columns.push_back(column);
      }
      for (const auto& [column, coefficient] : row) check(MatSetValue(part.T, first_row + i, column, coefficient, INSERT_VALUES));
    }
    check(MatAssemblyBegin(part.T, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(part.T, MAT_FINAL_ASSEMBLY));
    parts_.push_back(std::move(part));
    if (varies()) prepare_to_gather(parts_.back());
  }
}

VecHandle ConstraintMap::create_reduced() const {
  VecHandle q;
  check(MatCreateVecs(matrix(), q.out(), nullptr));
  check(VecSet(q, 0.0));
  return q;
}

}  // namespace invar
