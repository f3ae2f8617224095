#include <gtest/gtest.h>

#include <string_view>

#include "libadjoint/solve/linear_solver.hpp"
#include "tests/unit/adjoint/solve_elastic_block.hpp"

namespace invar::multigrid {
namespace {

LinearSolver make(std::string_view method, double rtol) {
  return LinearSolver(PETSC_COMM_WORLD, {.method = std::string(method), .rtol = rtol});
}

// Trilinear elasticity of a cube: all symmetric methods give the same displacements. Multigrid
// needs few iterations, and fewer with the rigid-body modes than without.
TEST(Multigrid, ElasticBlockByMultigridAndByFactors) {
  test::ElasticBlock block(6);
  VecHandle exact = zeros_like(block.load), x = zeros_like(block.load);
  LinearSolver direct = make("mumps_cholesky", 1e-11);
  direct.set_operator(block.K, true);
  ASSERT_TRUE(direct.solve(block.load, exact).converged);
  PetscReal size, off;
  check(VecNorm(exact, NORM_INFINITY, &size));

  const auto iterations = [&](const char* method, bool modes) {
    LinearSolver solver = make(method, 1e-10);
    if (modes) solver.set_near_null_space(block.modes);
    solver.set_operator(block.K, true);
    const SolveReport report = solver.solve_transpose(block.load, x);
    EXPECT_TRUE(report.converged) << report.reason;
    check(VecAXPY(x, -1, exact));
    check(VecNorm(x, NORM_INFINITY, &off));
    EXPECT_LT(off, 1e-6 * size) << method;  // condition number ~1e3 times 1e-10, with a margin
    check(MatSetNearNullSpace(block.K, nullptr));
    return report.iterations;
  };
  const int with_modes = iterations("cg_gamg", true), without = iterations("cg_gamg", false);
  EXPECT_LE(with_modes, 30);
  EXPECT_LT(with_modes, without);
  EXPECT_LE(iterations("cg_hypre", false), 40);
}

// A preconditioner kept while the stiffness grows threefold: the exact new system is solved.
TEST(Multigrid, KeptMultigridSolvesTheNewOperator) {
  test::ElasticBlock soft(5), stiff(5, 1, 3.0);
  VecHandle x = zeros_like(soft.load);
  LinearSolver solver = make("cg_gamg", 1e-9);
  solver.set_keep_factors(true);
  solver.set_near_null_space(soft.modes);
  solver.set_operator(soft.K, true);
  ASSERT_TRUE(solver.solve(soft.load, x).converged);
  check(MatCopy(stiff.K, soft.K, SAME_NONZERO_PATTERN));
  solver.set_operator(soft.K, true);
  const SolveReport report = solver.solve(soft.load, x);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LE(report.residual, 1e-9);
}

// Slow initial convergence of conjugate gradients must not cause a new set-up for an unchanged operator, such as that of an adjoint.
TEST(Multigrid, TheSameOperatorIsNotSetUpAgain) {
  test::ElasticBlock block(8);
  VecHandle x = zeros_like(block.load);
  for (const bool modes : {true, false}) {
    LinearSolver solver = make("cg_gamg", 1e-10);
    if (modes) solver.set_near_null_space(block.modes);
    solver.set_keep_factors(true);
    solver.set_operator(block.K, true);
    ASSERT_TRUE(solver.solve(block.load, x).converged);
    solver.set_operator(block.K, true);
    EXPECT_TRUE(solver.solve_transpose(block.load, x).converged);
    EXPECT_EQ(solver.factorisations(), 1) << (modes ? "with" : "without") << " rigid-body modes";
    check(MatSetNearNullSpace(block.K, nullptr));
  }
}

}  // namespace
}  // namespace invar::multigrid
