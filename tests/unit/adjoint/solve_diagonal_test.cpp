// Diagonal operators: LinearSolver divides, forward and transposed, whatever its method; zeros and numbers that are not finite are named.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/solve/diagonal_matrix.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libadjoint/solve/matrix_facts.hpp"

namespace invar {
namespace {

/// 1, 2, … by global number.
VecHandle counted(PetscInt n) {
  VecHandle v;
  check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, n, v.out()));
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(v, &first, &last));
  for (PetscInt i = first; i < last; ++i) check(VecSetValue(v, i, 1.0 + i, INSERT_VALUES));
  check(VecAssemblyBegin(v));
  check(VecAssemblyEnd(v));
  return v;
}

void set_entry(Vec v, PetscInt i, double value) {
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(v, &first, &last));
  if (i >= first && i < last) check(VecSetValue(v, i, value, INSERT_VALUES));
  check(VecAssemblyBegin(v));
  check(VecAssemblyEnd(v));
}

TEST(DiagonalOperator, IsDividedByWhateverTheMethod) {
  for (const char* method : {"auto", "mumps", "cg_jacobi", "mumps_cholesky"}) {
    const VecHandle d = counted(7), b = zeros_like(d), x = zeros_like(d);
    DiagonalMatrix A(d);
    check(VecCopy(d, A.diagonal()));
    check(VecScale(A.diagonal(), -2));  // indefinite, too
    check(VecCopy(d, b));
    LinearSolverOptions options;
    options.method = method;
    LinearSolver solver(PETSC_COMM_WORLD, options);
    solver.set_operator(A.mat(), true);
    EXPECT_TRUE(solver.divides());
    EXPECT_FALSE(solver.inexact());
    for (const bool transpose : {false, true}) {
      const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_EQ(report.method, "division");
      EXPECT_EQ(report.iterations, 0);
      EXPECT_EQ(solver.error_of(report, x, transpose), 0);
      PetscReal least = 0, most = 0;
      check(VecMin(x, nullptr, &least));
      check(VecMax(x, nullptr, &most));
      EXPECT_EQ(least, -0.5);
      EXPECT_EQ(most, -0.5);
    }
    EXPECT_EQ(solver.factorisations(), 0);
  }
}

TEST(DiagonalOperator, SaysItsRowsAndNorms) {
  const VecHandle d = counted(5);
  DiagonalMatrix A(d);
  check(VecCopy(d, A.diagonal()));
  check(VecScale(A.diagonal(), -1));
  EXPECT_EQ(diagonal_of(A.mat()), A.diagonal());
  const VecHandle scale = row_scale(A.mat());
  PetscReal largest = 0, norm = 0;
  check(VecMax(scale, nullptr, &largest));
  check(MatNorm(A.mat(), NORM_INFINITY, &norm));
  EXPECT_EQ(largest, 5);
  EXPECT_EQ(norm, 5);
}

TEST(DiagonalOperator, ZerosAndNumbersThatAreNotFiniteAreNamed) {
  for (const auto& [value, word] : {std::pair{0.0, "singular matrix: no stiffness at dof 3"}, {double(NAN), "not finite (NaN or Inf) in row 3"}}) {
    const VecHandle d = counted(6), x = zeros_like(d);
    DiagonalMatrix A(d);
    check(VecCopy(d, A.diagonal()));
    set_entry(A.diagonal(), 3, value);
    LinearSolver solver(PETSC_COMM_WORLD);
    solver.set_operator(A.mat(), true);
    const SolveReport report = solver.solve(d, x);
    EXPECT_FALSE(report.converged);
    EXPECT_NE(report.reason.find(word), std::string::npos) << report.reason;
    EXPECT_EQ(report.singular, value == 0);
  }
}

// An equation whose matrix is diagonal in some steps only.
TEST(DiagonalOperator, AnotherOperatorIsFactorisedAgain) {
  const VecHandle d = counted(4), x = zeros_like(d);
  DiagonalMatrix A(d);
  check(VecSet(A.diagonal(), 2.0));
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(d, &first, &last));
  MatHandle K;
  check(MatCreateAIJ(PETSC_COMM_WORLD, last - first, last - first, 4, 4, 3, nullptr, 2, nullptr, K.out()));
  for (PetscInt i = first; i < last; ++i) {
    check(MatSetValue(K, i, i, 4.0, INSERT_VALUES));
    if (i > 0) check(MatSetValue(K, i, i - 1, -1.0, INSERT_VALUES));
    if (i < 3) check(MatSetValue(K, i, i + 1, -1.0, INSERT_VALUES));
  }
  check(MatAssemblyBegin(K, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(K, MAT_FINAL_ASSEMBLY));
  LinearSolver solver(PETSC_COMM_WORLD);
  solver.set_keep_factors(true);
  for (int k = 0; k < 2; ++k) {
    solver.set_operator(A.mat(), true);
    EXPECT_EQ(solver.solve(d, x).method, "division");
    solver.set_operator(K, true);
    const SolveReport report = solver.solve(d, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_NE(report.method, "division");
    EXPECT_FALSE(solver.divides());
  }
}

}  // namespace
}  // namespace invar
