// Static solids on Krylov methods: predictors and Newton systems are solved inexactly, and hierarchies are reused. States and
// derivatives must not be affected.
#include "libadjoint/solve/linear_method.hpp"
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/space/prolongation.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"

namespace invar::gradient_test {
namespace {

/// A bent bar of 24 cells under all loads that are conservative, in two steps.
class Bar {
 public:
  explicit Bar(int order, const std::string& material = "neo_hookean", int cells = 24)
      : problem_(make_problem(spec_of(order, material, cells), PETSC_COMM_WORLD)) {
    problem_.residual->set_near_null_space(rigid_body_modes(*problem_.dofs));
    if (order == 2)
      problem_.residual->set_prolongation(prolongation_from_linear(*problem_.dofs, problem_.residual->constrained_rows()));
  }
  void solve(const std::string& method) {
    problem_.spec.solver = method;
    solve(problem_.make_solver());
  }
  void solve(std::shared_ptr<LinearSolver> by) {
    solver = std::move(by);
    solved = problem_.make_case(solver);
    report = solved->run(problem_.residual->control_values());
    ASSERT_TRUE(report.ok) << report.reason;
  }
  std::unique_ptr<CaseFunctional> functional() { return make_functional(problem_, *solved, -1); }

  std::shared_ptr<LinearSolver> solver;
  std::shared_ptr<StaticCase> solved;
  ProcessReport report;

 private:
  static ProblemSpec spec_of(int order, const std::string& material, int cells) {
    ProblemSpec spec;
    spec.kind = SolidKind::spatial;
    spec.material = material;
    spec.cell = {Shape::hexahedron, order};
    spec.refinement = cells;
    spec.follower_pressure = false;
    spec.times = {0.4, 1.0};
    return spec;
  }
  SolidProblem problem_;
};

/// Largest difference of two states, of the largest value.
double off(Vec expected, Vec state) {
  PetscReal largest, size;
  VecHandle difference = zeros_like(expected);
  check(VecWAXPY(difference, -1, expected, state));
  check(VecNorm(difference, NORM_INFINITY, &largest));
  check(VecNorm(expected, NORM_INFINITY, &size));
  return largest / size;
}

class Multigrid : public testing::TestWithParam<const char*> {
 protected:
  int order() const { return find_linear_method(GetParam()).needs == LinearMethod::Needs::prolongation ? 2 : 1; }
};

TEST_P(Multigrid, FindsTheStatesOfADirectSolver) {
  Bar bar(order());
  bar.solve("mumps_cholesky");
  const auto exact = bar.solved;
  bar.solve(GetParam());
  // Residuals of 1e-13 of the load, magnified by the conditioning of thin cells.
  for (int step : {0, 1}) EXPECT_LT(off(exact->state(step), bar.solved->state(step)), 1e-10) << "step " << step;
  // Every Newton step and every predictor has a system of its own.
  EXPECT_LT(bar.solver->factorisations(), bar.report.newton_iterations);
}

// Linear equations are solved by the predictor alone, despite its loose initial tolerance.
TEST_P(Multigrid, LinearEquationsNeedNoNewtonStep) {
  Bar bar(order(), "linear_elastic");
  bar.solve(GetParam());
  EXPECT_EQ(bar.report.newton_iterations, 2) << "one a load step: its predictor";
  EXPECT_EQ(bar.solver->factorisations(), 1) << "of one matrix";
}

TEST_P(Multigrid, DerivativesAreExact) {
  Bar bar(order(), "neo_hookean", 10);
  bar.solve(GetParam());
  const auto f = bar.functional();
  check_adjoint_against_tangent(*f, f->start());
  if (rank_count() > 1) return;
  check_taylor(*f, f->start());
  check_hessian(*f, f->start());
}

// Thin slices are slow by multigrid and cheap to factor.
TEST(MultigridByItself, IsLeftWhereFactorsAreCheaper) {
  Bar bar(2);
  bar.solve("mumps_cholesky");
  const auto exact = bar.solved;
  bar.solve(std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{.rtol = 1e-13, .multigrid_from = 1}));
  EXPECT_EQ(bar.solver->method(), "mumps_cholesky");
  EXPECT_GT(bar.report.linear_iterations, 12) << "it began with multigrid";
  for (int step : {0, 1}) EXPECT_LT(off(exact->state(step), bar.solved->state(step)), 1e-10) << "step " << step;
}

// Cells as wide as they are long are neither.
TEST(MultigridByItself, StaysWhereItIsFast) {
  Bar bar(2, "neo_hookean", 4);
  bar.solve(std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{.rtol = 1e-13, .multigrid_from = 1}));
  EXPECT_EQ(bar.solver->method(), "cg_two_level");
}

// What devices do well costs no iterations.
TEST(MultigridByItself, ChebyshevAndFactorsNeedNoMoreIterations) {
  for (const int cells : {4, 10}) {
    Bar bar(2, "neo_hookean", cells);
    bar.solve("cg_two_level");
    const int before = bar.report.linear_iterations, steps = bar.report.newton_iterations;
    bar.solve("cg_p_multigrid");
    EXPECT_EQ(bar.report.newton_iterations, steps) << cells;
    EXPECT_LE(bar.report.linear_iterations, 1.15 * before) << cells;
    EXPECT_GT(bar.report.linear_iterations, steps) << "it iterates";
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Multigrid, testing::Values("cg_gamg", "cg_hypre", "cg_two_level", "cg_p_multigrid"));

}  // namespace
}  // namespace invar::gradient_test
