// Operators that are singular, nearly so, or only look so.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/solve_methods.hpp"

namespace invar::test {
namespace {

constexpr int n_springs = 60;

/// Chain of springs with both ends free: the constant is the null vector.
Eigen::MatrixXd free_chain() {
  Eigen::MatrixXd chain = Eigen::MatrixXd::Zero(n_springs, n_springs);
  for (int i = 0; i + 1 < n_springs; ++i)
    chain.block<2, 2>(i, i) +=
        (1.5 + test::hash_value(i, i)) * (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
  return chain;
}

// The load has a part along the null vector, so that no solution exists.
TEST_P(EveryMethod, SingularOperatorIsReported) {
  MatHandle A = to_petsc(free_chain());
  VecHandle b = to_petsc(A, Eigen::VectorXd::Constant(n_springs, 1) + some_load(n_springs)), x = zeros_like(b);
  LinearSolver solver = make_solver(GetParam(), 1e-10);
  solver.set_operator(A, true);
  for (bool transpose : {false, true}) {
    const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
    EXPECT_FALSE(report.converged) << report.reason;
    EXPECT_NE(report.reason.find("singular matrix"), std::string::npos) << report.reason;
  }
}

// Consistent loads, for which the residual does not reveal the singularity.
TEST_P(EveryMethod, ConsistentSingularSystemIsNotCalledSolved) {
  if (!method_->direct) GTEST_SKIP() << "Krylov methods give one of the solutions";
  Eigen::MatrixXd deficient = banded(n_springs, false);
  deficient.row(n_springs - 1) = deficient.row(0) + 2 * deficient.row(1);
  for (bool symmetric : {true, false}) {
    if (!symmetric && method_->symmetric_only) continue;
    const Eigen::MatrixXd dense = symmetric ? free_chain() : deficient;
    MatHandle A = to_petsc(dense);
    VecHandle b = to_petsc(A, dense * some_load(n_springs)), x = zeros_like(b);
    LinearSolver solver = make_solver(GetParam());
    solver.set_operator(A, symmetric);
    const SolveReport report = solver.solve(b, x);
    EXPECT_FALSE(report.converged);
    EXPECT_TRUE(report.singular) << report.reason;
  }
}

TEST_P(EveryMethod, EmptyRowIsNamed) {
  Eigen::MatrixXd dense = banded(n_springs, true);
  dense.row(17).setZero(), dense.col(17).setZero();
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(n_springs)), x = zeros_like(b);
  LinearSolver solver = make_solver(GetParam());
  solver.set_operator(A, true);
  const SolveReport report = solver.solve(b, x);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.singular);
  EXPECT_EQ(report.singular_dof, 17);
}

// Two chains, one fixed and one free: the motion without resistance lives on the free one. With
// unit springs the elimination meets an exact zero, with the others round-off.
TEST(LinearSolver, NamesADofOfTheFreePart) {
  for (double stiffness : {1.0, 3.7}) {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n_springs, n_springs);
    const auto spring = [&](int i, int j, double k) {
      dense(i, i) += k, dense(j, j) += k, dense(i, j) -= k, dense(j, i) -= k;
    };
    for (int i = 0; i + 1 < 40; ++i) spring(i, i + 1, 1e6);
    for (int i = 40; i + 1 < n_springs; ++i) spring(i, i + 1, stiffness);
    dense(0, 0) += 1e6;
    MatHandle A = to_petsc(dense);
    VecHandle b = to_petsc(A, some_load(n_springs)), x = zeros_like(b);
    for (const char* name : {"mumps", "mumps_cholesky"}) {
      LinearSolver solver = make_solver(name);
      solver.set_operator(A, true);
      const SolveReport report = solver.solve(b, x);
      EXPECT_TRUE(report.singular) << report.reason;
      EXPECT_GE(report.singular_dof, 40) << name;
    }
  }
}

// Badly scaled but regular: rows of 1e11 beside identity rows must not be called singular.
TEST(LinearSolver, MixedScalesAreNotSingular) {
  Eigen::MatrixXd dense = 1e11 * banded(n_springs, true);
  for (int i : {0, 5, 30}) {
    dense.row(i).setZero(), dense.col(i).setZero();
    dense(i, i) = 1;
  }
  for (int i : {10, 20}) dense.row(i) *= 1e-9, dense.col(i) *= 1e-9;
  MatHandle A = to_petsc(dense);
  const Eigen::VectorXd exact = some_load(n_springs);
  VecHandle b = to_petsc(A, dense * exact), x = zeros_like(b);
  for (const char* name : {"mumps", "mumps_cholesky"}) {
    LinearSolver solver = make_solver(name);
    solver.set_operator(A, true);
    const SolveReport report = solver.solve(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_FALSE(report.singular);
  }
}

// Displacements in m and pressures in Pa: [K Bᵀ; B 0] with K of 1e11 and B of 1e-4 is regular. Where two pressures are
// tied to the same displacement their difference resists nothing.
TEST(LinearSolver, UnitsOfPressuresAreNotSingular) {
  for (const bool tied : {false, true}) {
    Eigen::MatrixXd dense = 1e11 * banded(n_springs, true);
    for (const int p : {n_springs - 2, n_springs - 1}) {
      dense.row(p).setZero(), dense.col(p).setZero();
      const int u = tied ? 3 : p - 20;
      dense(p, u) = dense(u, p) = 1e-4;
    }
    MatHandle A = to_petsc(dense);
    Eigen::VectorXd exact = some_load(n_springs);
    exact.tail(2) *= 1e15;
    VecHandle b = to_petsc(A, dense * exact), x = zeros_like(b);
    for (const char* name : {"mumps", "mumps_cholesky"}) {
      LinearSolver solver = make_solver(name);
      solver.set_operator(A, true);
      const SolveReport report = solver.solve(b, x);
      EXPECT_EQ(report.singular, tied) << name << ": " << report.reason;
      if (tied) {
        EXPECT_GE(report.singular_dof, n_springs - 2) << name;
        continue;
      }
      EXPECT_TRUE(report.converged) << name << ": " << report.reason;
      EXPECT_LT(difference(x, exact), 1e-8 * exact.norm()) << name;
    }
  }
}

TEST(LinearSolver, IndefiniteOperatorsAreSolvedAndSeen) {
  Eigen::MatrixXd dense = banded(n_springs, true);
  for (int i = 0; i < n_springs; i += 2) dense(i, i) *= -1;
  MatHandle A = to_petsc(dense);
  const Eigen::VectorXd load = some_load(n_springs);
  VecHandle b = to_petsc(A, load), x = zeros_like(b);
  for (const char* name : {"mumps_cholesky", "cg_jacobi"}) {
    LinearSolver solver = make_solver(name);
    solver.set_operator(A, true);
    const SolveReport report = solver.solve(b, x);
    EXPECT_TRUE(report.converged) << name << ": " << report.reason;
    EXPECT_TRUE(report.negative_curvature) << name;
    EXPECT_LT(difference(x, dense_solve(dense, load)), 1e-10);
  }
}

}  // namespace
}  // namespace invar::test
