// Block Gauss-Seidel for steps in time of fluid-structure interaction: its answers are those of a direct solver, in few iterations.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/soft_block.hpp"
#include "tests/unit/flow/solved_flow.hpp"

namespace invar::test {
namespace {

/// A vector of any numbers that is the same on each number of ranks.
VecHandle any_load(const FormResidual& r, double phase) {
  const DofMap& dofs = r.dofs();
  VecHandle b = r.create_vector();
  double* a;
  check(VecGetArray(b, &a));
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    for (int k = 0; k < dofs.dof_count(node); ++k) {
      const double* x = &dofs.mesh().coordinates[3 * node];
      a[dofs.first_dof(node) + k] = std::sin(phase + k + 7 * x[0] + 4 * x[1] + 3 * x[2]);
    }
  check(VecRestoreArray(b, &a));
  return b;
}

LinearSolver interaction_solver(const FormResidual& r, LinearSolverOptions o) {
  LinearSolver solver(r.comm(), std::move(o));
  solver.set_coupled_fields(r.matrix_hints().coupled_fields);
  return solver;
}

/// K⁻¹ b and K⁻ᵀ b against MUMPS; at most so many iterations on one rank (incomplete factors are those of the rows of each rank).
void expect_answers_of_factors(const SoftBlockOptions& o, int iterations) {
  SoftBlockStep step(o);
  const Mat K = step.matrix();
  const VecHandle b = any_load(*step.residual, 1);
  VecHandle x = zeros_like(b), reference = zeros_like(b);
  LinearSolver direct = interaction_solver(*step.residual, {.method = "mumps"});
  LinearSolver fields = interaction_solver(*step.residual, {.method = "block_gauss_seidel", .rtol = tight});
  direct.set_operator(K, false);
  fields.set_operator(K, false);
  int ranks = 0;
  MPI_Comm_size(step.residual->comm(), &ranks);
  for (const bool transpose : {false, true}) {
    ASSERT_TRUE((transpose ? direct.solve_transpose(b, reference) : direct.solve(b, reference)).converged);
    const SolveReport report = transpose ? fields.solve_transpose(b, x) : fields.solve(b, x);
    ASSERT_TRUE(report.converged) << transpose << ' ' << report.reason;
    EXPECT_LE(report.residual, tight) << transpose;
    if (ranks == 1) {
      EXPECT_LE(report.iterations, iterations) << transpose;
    }
    EXPECT_EQ(report.factored, !transpose) << "the transposed solve must use what the solve has set up";
    EXPECT_LT(relative_difference(x, reference), 1e-8) << transpose;
  }
}

TEST(InteractionSolver, AnswersAreThoseOfADirectSolver) { expect_answers_of_factors({}, 25); }
TEST(InteractionSolver, AStiffBodyIsNoObstacle) { expect_answers_of_factors({.young = 6e5}, 50); }
TEST(InteractionSolver, ABodyATenthAsDenseAsTheFluid) { expect_answers_of_factors({.young = 6, .density = 0.1}, 30); }
TEST(InteractionSolver, FlatCells) { expect_answers_of_factors({.depth = 0.05}, 60); }

/// The blocks of the next matrix, of another state and step, are as good as those of the first; and kept ones serve a neighbouring matrix.
TEST(InteractionSolver, ServesTheNextStep) {
  SoftBlockStep step({});
  const VecHandle b = any_load(*step.residual, 0);
  VecHandle x = zeros_like(b);
  LinearSolver solver = interaction_solver(*step.residual, {.method = "block_gauss_seidel", .rtol = tight});
  solver.set_operator(step.matrix(), false);
  const SolveReport first = solver.solve(b, x);
  check(VecScale(step.value, 1.3));
  step.weights[Level::rate] = 150;
  solver.set_operator(step.matrix(), false);
  const SolveReport next = solver.solve(b, x);
  EXPECT_TRUE(first.converged && next.converged) << next.reason;
  EXPECT_LE(next.iterations, first.iterations + 2);
  check(VecScale(step.value, 1.01));
  solver.set_keep_factors(true);
  solver.set_operator(step.matrix(), false);
  const SolveReport kept = solver.solve(b, x);
  EXPECT_TRUE(kept.converged) << kept.reason;
  EXPECT_FALSE(kept.factored);
}

/// As resumed runs need it: a solver that has seen another step finds the same, and on one rank the same bits, as a new one.
TEST(InteractionSolver, LeavesNoTraceOfOtherSteps) {
  const SoftBlockOptions flat{.cells = {15, 2, 2}};
  SoftBlockStep used(flat), fresh(flat);
  const VecHandle b = any_load(*used.residual, 0);
  VecHandle x = zeros_like(b), y = zeros_like(b);
  const LinearSolverOptions options{.method = "block_gauss_seidel", .rtol = tight};
  LinearSolver solver = interaction_solver(*used.residual, options), unused = interaction_solver(*fresh.residual, options);
  solver.set_operator(used.matrix(), false);
  ASSERT_TRUE(solver.solve(b, x).converged);
  for (SoftBlockStep* step : {&used, &fresh}) {
    check(VecScale(step->value, 1.3));
    step->weights[Level::rate] = 150;
  }
  solver.set_operator(used.matrix(), false);
  unused.set_operator(fresh.matrix(), false);
  const SolveReport after = solver.solve(b, x), alone = unused.solve(b, y);
  ASSERT_TRUE(after.converged && alone.converged);
  EXPECT_EQ(after.iterations, alone.iterations);
  int ranks = 1;
  MPI_Comm_size(used.residual->comm(), &ranks);
  EXPECT_LE(relative_difference(x, y), ranks == 1 ? 0 : 1e-10);
}

/// Without a rate the displacement of bodies is no integral: a failed solve with its reason, and `auto` goes on with factors.
TEST(InteractionSolver, AStateAtRestIsNoStep) {
  SoftBlockStep step({.cells = {15, 2, 2}});
  step.weights[Level::rate] = 0;
  const Mat K = step.matrix();
  const VecHandle b = any_load(*step.residual, 0);
  VecHandle x = zeros_like(b);
  LinearSolver fields = interaction_solver(*step.residual, {.method = "block_gauss_seidel"});
  fields.set_operator(K, false);
  const SolveReport report = fields.solve(b, x);
  EXPECT_FALSE(report.converged);
  EXPECT_NE(report.reason.find("not that of a step in time"), std::string::npos) << report.reason;
  LinearSolver automatic = interaction_solver(*step.residual, {.fields_from = 1});
  automatic.set_operator(K, false);
  EXPECT_EQ(automatic.method(), "block_gauss_seidel");
  EXPECT_TRUE(automatic.solve(b, x).converged);
  EXPECT_TRUE(find_linear_method(automatic.method()).direct);
}

TEST(InteractionSolver, AutoTakesItForLargeProblemsInSpace) {
  SoftBlockStep step({.cells = {15, 2, 2}});
  const Mat K = step.matrix();
  const PetscInt size = step.residual->dofs().n_global();
  const auto method = [&](PetscInt from) {
    LinearSolver solver = interaction_solver(*step.residual, {.umfpack_up_to = 0, .fields_from = from});
    solver.set_operator(K, false);
    return std::string(solver.method());
  };
  EXPECT_EQ(method(size), "block_gauss_seidel");
  EXPECT_EQ(method(size + 1), "mumps");
  step.residual->matrix_hints().coupled_fields->favours_iteration = false;
  EXPECT_EQ(method(1), "mumps");
}

}  // namespace
}  // namespace invar::test
