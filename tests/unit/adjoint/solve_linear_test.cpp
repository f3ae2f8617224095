// Every linear method against dense factors, and what `auto` chooses.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/solve_methods.hpp"

namespace invar::test {
namespace {

constexpr int n = 60;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const LinearMethod& method : linear_methods())
    if (method.needs == LinearMethod::Needs::nothing) all.emplace_back(method.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Solve, EveryMethod, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

// Against Eigen's dense LU with partial pivoting; condition numbers are below 100, so a relative
// residual of 1e-12 bounds the error by about 1e-10.
TEST_P(EveryMethod, SolvesForwardAndTransposedLikeDenseLu) {
  for (bool symmetric : {true, false}) {
    if (!symmetric && method_->symmetric_only) continue;
    const Eigen::MatrixXd dense = banded(n, symmetric);
    const Eigen::VectorXd load = some_load(n);
    MatHandle A = to_petsc(dense);
    VecHandle b = to_petsc(A, load), x = zeros_like(b);
    LinearSolver solver = make_solver(GetParam());
    solver.set_operator(A, symmetric);

    SolveReport report = solver.solve(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_LT(difference(x, dense_solve(dense, load)), 1e-10);

    report = solver.solve_transpose(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_FALSE(report.factored) << "the transposed solve must use the same factors";
    EXPECT_LT(difference(x, dense_solve(dense.transpose(), load)), 1e-10);
    EXPECT_EQ(solver.factorisations(), 1);
  }
}

TEST_P(EveryMethod, NewValuesAreFactoredOnce) {
  const bool symmetric = method_->symmetric_only;
  MatHandle A = to_petsc(banded(n, symmetric));
  const Eigen::VectorXd load = some_load(n);
  VecHandle b = to_petsc(A, load), x = zeros_like(b);
  LinearSolver solver = make_solver(GetParam());
  solver.set_operator(A, symmetric);
  ASSERT_TRUE(solver.solve(b, x).converged);
  const Eigen::MatrixXd changed = banded(n, symmetric, 0.3);
  A = to_petsc(changed, std::move(A));
  solver.set_operator(A, symmetric);
  const SolveReport report = solver.solve(b, x);
  ASSERT_TRUE(report.factored);
  if (method_->direct) {
    EXPECT_EQ(report.iterations, 0) << "corrections betray old factors";
  }
  EXPECT_LT(difference(x, dense_solve(changed, load)), 1e-10);
  LinearSolver unused = make_solver(GetParam());
  unused.set_operator(A, symmetric);
  VecHandle y = zeros_like(b);
  EXPECT_EQ(report.iterations, unused.solve(b, y).iterations) << "nothing is left of the operator before";
  check(VecAXPY(y, -1, x));
  PetscReal apart;
  check(VecNorm(y, NORM_INFINITY, &apart));
  if (processes() == 1) {
    EXPECT_EQ(apart, 0) << "a resumed run is the same to the last bit";
  }
  ASSERT_TRUE(solver.solve(b, x).converged);
  EXPECT_EQ(solver.factorisations(), 2);
}

TEST_P(EveryMethod, NotFiniteIsReportedAndForgotten) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
  const Eigen::MatrixXd sound = banded(n, true);
  for (double value : bad) {
    Eigen::MatrixXd dense = sound;
    dense(41, 40) = dense(40, 41) = value;
    MatHandle A = to_petsc(dense);
    VecHandle b = to_petsc(A, some_load(n)), x = zeros_like(b);
    LinearSolver solver = make_solver(GetParam());
    solver.set_operator(A, true);
    SolveReport report = solver.solve(b, x);
    EXPECT_FALSE(report.converged);
    EXPECT_NE(report.reason.find("row 40"), std::string::npos) << report.reason;

    A = to_petsc(sound, std::move(A));
    solver.set_operator(A, true);
    EXPECT_TRUE(solver.solve(b, x).converged);
    Eigen::VectorXd load = some_load(n);
    load[3] = value;
    VecHandle poisoned = to_petsc(A, load);
    EXPECT_FALSE(solver.solve(poisoned, x).converged);
    EXPECT_FALSE(solver.solve_transpose(poisoned, x).converged);
    EXPECT_TRUE(solver.solve(b, x).converged);
  }
}

// Old factors on values changed by 5 %: the same answer to a true residual of 1e-12, forward and
// transposed, without a new factorisation; on values changed beyond use, a new one.
TEST_P(EveryMethod, KeptFactorsSolveTheNewOperatorExactly) {
  if (!method_->direct) GTEST_SKIP() << "factors of direct methods";
  const bool symmetric = method_->symmetric_only;
  const Eigen::VectorXd load = some_load(n);
  MatHandle A = to_petsc(banded(n, symmetric));
  VecHandle b = to_petsc(A, load), x = zeros_like(b);
  LinearSolver solver = make_solver(GetParam());
  solver.set_keep_factors(true);
  solver.set_operator(A, symmetric);
  ASSERT_TRUE(solver.solve(b, x).converged);

  const Eigen::MatrixXd near = banded(n, symmetric, 0.01);
  A = to_petsc(near, std::move(A));
  solver.set_operator(A, symmetric);
  for (bool transpose : {false, true}) {
    const SolveReport report = transpose ? solver.solve_transpose(b, x) : solver.solve(b, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_FALSE(report.factored);
    EXPECT_GE(report.iterations, 2);  // one would mean that the old matrix was solved
    EXPECT_LE(report.iterations, 8);
    const Eigen::MatrixXd op = transpose ? Eigen::MatrixXd(near.transpose()) : near;
    EXPECT_LT(difference(x, dense_solve(op, load)), 1e-10);
  }
  EXPECT_LE(solver.solve(b, x, 1e-2).iterations, 2) << "a loose tolerance must be cheaper";
  EXPECT_EQ(solver.factorisations(), 1);

  const Eigen::MatrixXd far = banded(n, symmetric, 2);
  A = to_petsc(far, std::move(A));
  solver.set_operator(A, symmetric);
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.factored);
  EXPECT_LT(difference(x, dense_solve(far, load)), 1e-10);
  solver.invalidate();
  EXPECT_TRUE(solver.solve(b, x).factored);
  EXPECT_EQ(solver.factorisations(), 3);
}

// An operator wrongly promised to be symmetric: the forward solve in place of the transposed one
// must be caught by the residual of the transpose.
TEST(LinearSolver, FalseSymmetryIsCaught) {
  MatHandle A = to_petsc(banded(n, false));
  VecHandle b = to_petsc(A, some_load(n)), x = zeros_like(b);
  LinearSolver solver = make_solver("mumps");
  solver.set_operator(A, true);
  EXPECT_TRUE(solver.solve(b, x).converged);
  EXPECT_FALSE(solver.solve_transpose(b, x).converged);
}

TEST(LinearSolver, WrongUseSaysWhatWouldBeRight) {
  EXPECT_THROW(make_solver("mumsp"), std::invalid_argument);
  MatHandle A = to_petsc(banded(n, false));
  LinearSolver solver = make_solver("cg_gamg");
  EXPECT_THROW(solver.set_operator(A, false), std::invalid_argument);
  LinearSolver blocks = make_solver("field_split");
  EXPECT_THROW(blocks.set_operator(A, false), std::invalid_argument) << "no blocks are known";
  LinearSolver levels = make_solver("cg_two_level");
  EXPECT_THROW(levels.set_operator(to_petsc(banded(n, true)), true), std::invalid_argument) << "no prolongation is known";
  for (const LinearMethod& method : linear_methods()) {
    if (!method.one_process || processes() == 1) continue;
    LinearSolver serial = make_solver(method.name);
    EXPECT_THROW(serial.set_operator(A, !method.symmetric_only), std::invalid_argument);
  }
}

TEST(LinearSolver, PetscOptionsOverride) {
  check(PetscOptionsSetValue(nullptr, "-override_test_pc_type", "none"));
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "cg_jacobi", .prefix = "override_test_"});
  Eigen::MatrixXd dense = Eigen::VectorXd::LinSpaced(n, 1, 9).asDiagonal();
  MatHandle A = to_petsc(dense);
  VecHandle b = to_petsc(A, some_load(n)), x = zeros_like(b);
  solver.set_operator(A, true);
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 5) << "with the diagonal it would be one iteration";
  check(PetscOptionsClearValue(nullptr, "-override_test_pc_type"));
}

TEST(LinearSolver, ZeroLoadGivesZero) {
  MatHandle A = to_petsc(banded(n, false));
  VecHandle b = to_petsc(A, Eigen::VectorXd::Zero(n)), x = to_petsc(A, some_load(n));
  LinearSolver solver = make_solver("auto");
  solver.set_operator(A, false);
  EXPECT_TRUE(solver.solve(b, x).converged);
  EXPECT_EQ(difference(x, Eigen::VectorXd::Zero(n)), 0);
}

// Stiff chain (1e7) on soft ground (1): rounding x alone leaves about ε 1e7 = 1e-9 of the load, so
// that 1e-12 cannot be reached; the solution is nevertheless right to cond · ε ≈ 1e-8.
TEST(LinearSolver, RoundOffFloorIsAcceptedAndSaid) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(n, n);
  for (int i = 0; i + 1 < n; ++i)
    dense.block<2, 2>(i, i) += 1e7 * (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
  MatHandle A = to_petsc(dense);
  const Eigen::VectorXd load = some_load(n) + Eigen::VectorXd::Constant(n, 1);
  VecHandle b = to_petsc(A, load), x = zeros_like(b);
  LinearSolver solver = make_solver("mumps_cholesky");
  solver.set_operator(A, true);
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_GT(report.residual, 1e-12);
  EXPECT_NE(report.reason.find("round-off"), std::string::npos) << report.reason;
  EXPECT_LT(difference(x, accurate_solve(dense, load)), 1e-7);
}

// Values written through the raw array, behind PETSc's back, are new values all the same.
TEST(LinearSolver, RawWritesAreSeen) {
  if (processes() > 1) GTEST_SKIP() << "raw array of a sequential matrix";
  MatHandle A = to_petsc(banded(n, false));
  PetscScalar* raw;
  check(MatSeqAIJGetArray(A, &raw));
  PetscScalar* const kept = raw;
  check(MatSeqAIJRestoreArray(A, &raw));
  const Eigen::VectorXd load = some_load(n);
  VecHandle b = to_petsc(A, load), x = zeros_like(b);
  LinearSolver solver = make_solver("mumps");
  solver.set_operator(A, false);
  ASSERT_TRUE(solver.solve(b, x).converged);
  MatInfo info;
  check(MatGetInfo(A, MAT_LOCAL, &info));
  for (int k = 0; k < int(info.nz_used); ++k) kept[k] *= k % 2 ? 1.1 : 0.9;
  solver.set_operator(A, false);
  const SolveReport report = solver.solve(b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(LinearSolver, AutoChoosesByKindOfOperator) {
  MatHandle A = to_petsc(banded(n, false)), S = to_petsc(banded(n, true));
  LinearSolver nonsymmetric(PETSC_COMM_WORLD, {.umfpack_up_to = n - 1}), symmetric = make_solver("auto");
  nonsymmetric.set_operator(A, false);
  symmetric.set_operator(S, true);
  EXPECT_EQ(nonsymmetric.method(), "mumps");
  EXPECT_EQ(symmetric.method(), "mumps_cholesky");
#ifdef INVAR_SUITESPARSE
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  LinearSolver small(PETSC_COMM_WORLD, {.umfpack_up_to = n});
  small.set_operator(A, false);
  EXPECT_EQ(small.method(), ranks == 1 ? "umfpack" : "redundant");
#endif
}

}  // namespace
}  // namespace invar::test
