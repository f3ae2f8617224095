#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "libadjoint/solve/factor_cost.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "tests/unit/adjoint/solve_elastic_block.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"

namespace invar {
namespace {

/// Notes what it hears.
struct Listener final : SolveMonitor {
  void stage(const std::string& what) override { stages.push_back(what); }
  void newton(int, double residual, double) override { residuals.push_back(residual); }
  void krylov(std::string_view method, int iteration, double residual) override {
    iterates.emplace_back(std::string(method) + " " + std::to_string(iteration), residual);
    if (iteration >= stop_at) wants_stop = true;
  }
  void changed(const std::string& why) override { changes.push_back(why); }
  bool stop() const override { return wants_stop; }

  std::vector<std::string> stages, changes;
  std::vector<double> residuals;
  std::vector<std::pair<std::string, double>> iterates;
  int stop_at = 1 << 30;
  bool wants_stop = false;
};

/// Stiffness of a block, plus springs of very different stiffness between random nodes: multigrid stagnates, a factorisation is not
/// affected.
struct HardBlock : test::ElasticBlock {
  HardBlock() : ElasticBlock(9) {
    PetscInt first, last;
    check(MatGetOwnershipRange(K, &first, &last));
    VecHandle scale;
    check(MatCreateVecs(K, scale.out(), nullptr));
    for (PetscInt i = first; i < last; ++i)
      check(VecSetValue(scale, i, std::pow(10.0, 2.5 * test::hash_value(int(i), 0, 3)), INSERT_VALUES));
    check(VecAssemblyBegin(scale));
    check(VecAssemblyEnd(scale));
    check(MatDiagonalScale(K, scale, scale));
  }
};

LinearSolver automatic() { return LinearSolver(PETSC_COMM_WORLD, {.method = "auto", .rtol = 1e-10, .multigrid_from = 100}); }

// Stagnating multigrid is abandoned as soon as its convergence rate shows this, not after 500 iterations; the report names both methods.
TEST(SolverChoice, AutoLeavesASlowMethodEarly) {
  HardBlock block;
  VecHandle x = zeros_like(block.load);
  int iterations = -1;
  for (int again = 0; again < 2; ++again) {
    LinearSolver solver = automatic();
    const auto listener = std::make_shared<Listener>();
    solver.set_monitor(listener);
    solver.set_operator(block.K, true);
    const SolveReport report = solver.solve(block.load, x);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_EQ(report.method, "mumps_cholesky");
    EXPECT_EQ(report.given_up, "cg_hypre");
    EXPECT_LE(report.iterations, 3);
    EXPECT_GE(report.given_up_iterations, 20);
    EXPECT_LE(report.given_up_iterations, 60);
    EXPECT_TRUE(solver.went_direct());
    ASSERT_EQ(listener->changes.size(), 1u);
    EXPECT_NE(listener->changes[0].find(" operations and "), std::string::npos) << listener->changes[0];
    if (again) {
      EXPECT_EQ(report.given_up_iterations, iterations) << "decided by the clock?";
    }
    iterations = report.given_up_iterations;
  }
}

// A resumed run restores the choice of the first process: its solves are the same.
TEST(SolverChoice, AChangeIsTakenOver) {
  HardBlock block;
  VecHandle x = zeros_like(block.load), y = zeros_like(block.load);
  LinearSolver first = automatic(), second = automatic();
  second.go_on_directly();  // of no operator yet: nothing to change
  EXPECT_FALSE(second.went_direct());
  first.set_operator(block.K, true);
  ASSERT_TRUE(first.solve(block.load, x).converged);
  ASSERT_TRUE(first.went_direct());
  ASSERT_TRUE(first.solve(block.load, x).converged);
  second.set_operator(block.K, true);
  second.go_on_directly();
  EXPECT_TRUE(second.went_direct());
  ASSERT_TRUE(second.solve(block.load, y).converged);
  PetscReal size, off;
  check(VecNorm(x, NORM_INFINITY, &size));
  check(VecAXPY(y, -1, x));
  check(VecNorm(y, NORM_INFINITY, &off));
  int ranks;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks == 1) {
    EXPECT_EQ(off, 0);  // MUMPS on several processes sums in another order every time
  }
  EXPECT_LE(off, 1e-6 * size);
}

// Easy for multigrid: there is nothing to change.
TEST(SolverChoice, AutoStaysWithAFastMethod) {
  test::ElasticBlock block(9);
  VecHandle x = zeros_like(block.load);
  LinearSolver solver = automatic();
  solver.set_near_null_space(block.modes);
  solver.set_operator(block.K, true);
  const SolveReport report = solver.solve(block.load, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.method, "cg_hypre");
  EXPECT_TRUE(report.given_up.empty());
  EXPECT_FALSE(solver.went_direct());
  check(MatSetNearNullSpace(block.K, nullptr));
}

// 1e-15 is less than rounding leaves. Factors would not leave less.
TEST(SolverChoice, AutoDoesNotLeaveAMethodAtTheRoundOffFloor) {
  test::ElasticBlock block(9);
  VecHandle x = zeros_like(block.load), exact = zeros_like(block.load);
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "auto", .rtol = 1e-15, .multigrid_from = 100}), factors(PETSC_COMM_WORLD, {.method = "mumps"});
  solver.set_operator(block.K, true);
  const SolveReport report = solver.solve(block.load, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.method, "cg_hypre");
  EXPECT_TRUE(report.given_up.empty());
  EXPECT_GT(report.residual, 1e-15);
  EXPECT_NE(report.reason.find("round-off"), std::string::npos) << report.reason;
  factors.set_operator(block.K, false);
  ASSERT_TRUE(factors.solve(block.load, exact).converged);
  PetscReal size, off;
  check(VecNorm(exact, NORM_INFINITY, &size));
  check(VecAXPY(x, -1, exact));
  check(VecNorm(x, NORM_INFINITY, &off));
  EXPECT_LT(off, 1e-10 * size);  // condition number 1e4
}

// A body on a hinge, which the load turns: no residual is small. Solutions grow, and with them what rounding leaves of a residual.
TEST(SolverChoice, NoIterativeMethodConvergesOnAHinge) {
  test::ElasticBlock block(6, 1, 1, true);
  check(MatSetNearNullSpace(block.K, block.modes));
  VecHandle x = zeros_like(block.load);
  for (const char* method : {"cg_hypre", "cg_gamg", "auto"})
    for (const double rtol : {1e-2, 1e-10}) {
      SCOPED_TRACE(method);
      LinearSolver solver(PETSC_COMM_WORLD, {.method = method, .rtol = rtol, .multigrid_from = 100});
      solver.set_operator(block.K, true);
      const SolveReport report = solver.solve(block.load, x);
      EXPECT_FALSE(report.converged) << report.reason;
      if (std::string(method) == "auto") {
        EXPECT_TRUE(report.singular) << report.reason;
        EXPECT_GE(report.singular_dof, 0);
      }
    }
  check(MatSetNearNullSpace(block.K, nullptr));
}

// After a release the method found before is used, on the operator given then.
TEST(SolverChoice, AReleasedSolverGoesOn) {
  HardBlock hard;
  test::ElasticBlock block(9);
  VecHandle x = zeros_like(block.load), again = zeros_like(block.load);
  for (const bool easy : {true, false}) {
    Mat K = easy ? block.K : hard.K;
    LinearSolver solver = automatic();
    solver.set_operator(K, true);
    const SolveReport before = solver.solve(block.load, x);
    ASSERT_TRUE(before.converged) << before.reason;
    solver.release();
    EXPECT_THROW(solver.solve(block.load, again), std::invalid_argument);
    solver.set_operator(K, true);
    const SolveReport after = solver.solve(block.load, again);
    ASSERT_TRUE(after.converged) << after.reason;
    EXPECT_EQ(after.method, before.method);
    EXPECT_TRUE(after.factored);
    EXPECT_EQ(after.given_up_iterations, 0);
    if (easy) {
      EXPECT_LE(after.residual, 1e-10);
    }
    PetscReal size, off;
    check(VecNorm(x, NORM_INFINITY, &size));
    check(VecAXPY(again, -1, x));
    check(VecNorm(again, NORM_INFINITY, &off));
    EXPECT_LE(off, 1e-6 * size);
    solver.release();
    solver.go_on_directly();
    EXPECT_TRUE(solver.went_direct());
    solver.set_operator(K, true);
    EXPECT_EQ(solver.solve(block.load, again).method, "mumps_cholesky");
  }
}

// A method given by name is not replaced.
TEST(SolverChoice, ANamedMethodIsKept) {
  HardBlock block;
  VecHandle x = zeros_like(block.load);
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "cg_hypre", .rtol = 1e-10, .max_iterations = 40});
  solver.set_operator(block.K, true);
  const SolveReport report = solver.solve(block.load, x);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.method, "cg_hypre");
}

// The analysis against what the factorisation then took: MUMPS's own count of entries is within its estimates, and an
// LU needs twice what an LDLᵀ does.
TEST(SolverChoice, CostsAreThoseOfTheAnalysis) {
  test::ElasticBlock block(8);
  const FactorCost half = factor_cost(block.K, true), whole = factor_cost(block.K, false);
  ASSERT_TRUE(half.known());
  EXPECT_NEAR(whole.operations / half.operations, 2, 0.5);
  EXPECT_GT(half.needed, 1e5);
  EXPECT_GT(half.memory, 1e8);
  EXPECT_TRUE(half.fits());
  EXPECT_FALSE((FactorCost{1, 0.9, 1}).fits());
}

// The monitor is called at every iterate and can stop a solve.
TEST(SolverChoice, AMonitorHearsAndStopsSolves) {
  HardBlock block;
  VecHandle x = zeros_like(block.load);
  LinearSolver solver(PETSC_COMM_WORLD, {.method = "cg_jacobi", .rtol = 1e-10});
  const auto listener = std::make_shared<Listener>();
  solver.set_monitor(listener);
  listener->stop_at = 25;
  solver.set_operator(block.K, true);
  const SolveReport report = solver.solve(block.load, x);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, "interrupted");
  ASSERT_EQ(listener->iterates.size(), 31u);  // asked every ten
  EXPECT_EQ(listener->iterates[7].first, "cg_jacobi 7");
  EXPECT_NEAR(listener->iterates[0].second, 1, 1e-12);
}

}  // namespace
}  // namespace invar
