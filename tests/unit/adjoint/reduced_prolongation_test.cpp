// The coarse space of multigrid for tied unknowns, on linear functions in one dimension.
#include <gtest/gtest.h>

#include <algorithm>

#include "libadjoint/constraint/reduced_prolongation.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/tied_vectors.hpp"

namespace invar::constraints {
namespace {

/// Linear functions on four intervals, at their ends and middles; each of `block` components has one. What belongs to an end is on its
/// rank: ranks have whole ends with the middles after them.
struct Intervals {
  static constexpr int fine = 9, coarse = 5;
  int block, first = 0, own = 0;  // coarse, of this rank
  MatHandle P;
  VecHandle u;
  explicit Intervals(int components) : block(components) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    first = coarse * rank / ranks, own = coarse * (rank + 1) / ranks - first;
    const int begin = 2 * first, end = std::min(2 * (first + own), fine);
    check(MatCreate(PETSC_COMM_WORLD, P.out()));
    check(MatSetSizes(P, (end - begin) * block, own * block, fine * block, coarse * block));
    check(MatSetBlockSizes(P, block, block));
    check(MatSetType(P, MATAIJ));
    check(MatSetUp(P));
    for (int i = begin; i < end; ++i)
      for (int c = 0; c < block; ++c)
        for (const int k : {i / 2, (i + 1) / 2}) check(MatSetValue(P, i * block + c, k * block + c, i % 2 ? 0.5 : 1.0, INSERT_VALUES));
    check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    check(MatCreateVecs(P, nullptr, u.out()));
  }
};
Column<double> times(Mat A, const Column<double>& x) {
  VecHandle from, to;
  check(MatCreateVecs(A, from.out(), to.out()));
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(from, &first, &end));
  for (PetscInt i = first; i < end; ++i) check(VecSetValue(from, i, x[i], INSERT_VALUES));
  check(VecAssemblyBegin(from));
  check(VecAssemblyEnd(from));
  check(MatMult(A, from, to));
  return whole(to);
}

/// The same beside a second equation with one unknown, the jump, on the last rank.
struct JumpingIntervals : Intervals {
  VecHandle jump;
  std::vector<Vec> like;
  Numbers number;
  explicit JumpingIntervals(int components) : Intervals(components), jump(one_unknown()), like{u, jump}, number(like) {}
  static VecHandle one_unknown() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    VecHandle j;
    check(VecCreateMPI(PETSC_COMM_WORLD, rank == ranks - 1, 1, j.out()));
    return j;
  }
};

TEST(ReducedProlongation, HasTheCoarseFunctionsThatMeetTheTies) {
  const JumpingIntervals line(1);
  const Numbers& number = line.number;
  std::vector<Tie> mine;  // the last end follows the first, but for the jump
  if (number.is_own(0, 8)) mine.push_back({number.of(0, 8), {{number.of(0, 0), 1.0}, {number.of(1, 0), 1.0}}});
  const ConstraintMap map(line.like, mine);
  PetscInt n = 0;
  check(VecGetLocalSize(map.create_reduced(), &n));
  const MatHandle P = reduced_prolongation(map, map.matrix(), std::vector<char>(n, 0), line.P);
  PetscInt columns = 0;
  check(MatGetSize(P, nullptr, &columns));
  ASSERT_EQ(columns, 5);  // four ends and the jump
  int spanned = 0;
  for (int k = 0; k < columns; ++k) {
    Column<double> unit(columns, 0.0);
    unit[k] = 1;
    const Column<double> u = times(map.matrix(), times(P, unit)), jumped = times(map.matrix(1), times(P, unit));
    EXPECT_NEAR(u[8], u[0] + jumped[0], 1e-14);
    for (int i = 1; i < Intervals::fine; i += 2) EXPECT_NEAR(u[i], 0.5 * (u[i - 1] + u[i + 1]), 1e-14) << "column " << k;
    spanned += jumped[0] != 0;
  }
  EXPECT_EQ(spanned, 1);
}

TEST(ReducedProlongation, KeepsWholeBlocksAndIndependentColumns) {
  const JumpingIntervals line(2);
  const Numbers& number = line.number;
  std::vector<Tie> mine;  // one component of the last end follows the jump, both of the second end the first's
  if (number.is_own(0, 16)) mine.push_back({number.of(0, 16), {{number.of(1, 0), 2.0}}});
  for (int c = 0; c < 2; ++c)
    if (number.is_own(0, 4 + c)) mine.push_back({number.of(0, 4 + c), {{number.of(0, c), 1.0}}});
  const ConstraintMap map(line.like, mine, 2);
  PetscInt n = 0, block = 0, columns = 0;
  check(VecGetLocalSize(map.create_reduced(), &n));
  const MatHandle P = reduced_prolongation(map, map.matrix(), std::vector<char>(n, 0), line.P);
  check(MatGetSize(P, nullptr, &columns));
  check(MatGetBlockSizes(P, nullptr, &block));
  // ends 0, 2, 3, of 4 one component, and the jump; one stand-in for each of the last two
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks == 1) {
    EXPECT_EQ(block, 2);
    EXPECT_EQ(columns, 10);
  }
  Eigen::MatrixXd dense(18, columns);
  for (int k = 0; k < columns; ++k) {
    Column<double> unit(columns, 0.0);
    unit[k] = 1;
    const Column<double> u = times(map.matrix(), times(P, unit));
    dense.col(k) = Eigen::Map<const Eigen::VectorXd>(u.data(), 18);
    EXPECT_NEAR(u[4], u[0], 1e-14);
  }
  EXPECT_GT(test::dense_determinant(dense.transpose() * dense), 1e-6);
}

}  // namespace
}  // namespace invar::constraints
