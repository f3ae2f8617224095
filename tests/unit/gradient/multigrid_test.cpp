// Static solids on Krylov methods: predictors are coarse, Newton's systems inexact, hierarchies serve several of them.
// None of it may show in the states or in their derivatives.
#include "libfem/solid/rigid_body_modes.hpp"
#include "libfem/space/prolongation.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"

namespace invar::gradient_test {
namespace {

/// A bent bar of 24 cells under all loads that are conservative, in two steps.
class Bar {
 public:
  explicit Bar(int order, const std::string& material = "neo_hookean")
      : problem_(make_problem(spec_of(order, material), PETSC_COMM_WORLD)) {
    problem_.residual->set_near_null_space(rigid_body_modes(*problem_.dofs));
    if (order < 2) return;
    const DofMap linear(problem_.mesh, {{"u_x", 1}, {"u_y", 1}, {"u_z", 1}}, PETSC_COMM_WORLD);
    problem_.residual->set_prolongation(prolongation_from_linear(linear, *problem_.dofs, problem_.residual->constrained_rows()));
  }
  void solve(const std::string& method) {
    problem_.spec.solver = method;
    solver = problem_.make_solver();
    solved = problem_.make_case(solver);
    report = solved->run(problem_.residual->control_values());
    ASSERT_TRUE(report.ok) << report.reason;
  }
  std::unique_ptr<CaseFunctional> functional() { return make_functional(problem_, *solved, -1); }

  std::shared_ptr<LinearSolver> solver;
  std::shared_ptr<StaticCase> solved;
  ProcessReport report;

 private:
  static ProblemSpec spec_of(int order, const std::string& material) {
    ProblemSpec spec;
    spec.kind = SolidKind::spatial;
    spec.material = material;
    spec.cell = {Shape::hexahedron, order};
    spec.refinement = 24;
    spec.follower_pressure = false;
    spec.times = {0.4, 1.0};
    return spec;
  }
  SolidProblem problem_;
};

class Multigrid : public testing::TestWithParam<const char*> {
 protected:
  int order() const { return GetParam() == std::string("cg_two_level") ? 2 : 1; }
};

TEST_P(Multigrid, FindsTheStatesOfADirectSolver) {
  Bar bar(order());
  bar.solve("mumps_cholesky");
  const auto exact = bar.solved;
  bar.solve(GetParam());
  for (int step : {0, 1}) {
    Vec expected = exact->state(step);
    PetscReal off = 0, size = 0;
    VecHandle difference = zeros_like(expected);
    check(VecWAXPY(difference, -1, expected, bar.solved->state(step)));
    check(VecNorm(difference, NORM_INFINITY, &off));
    check(VecNorm(expected, NORM_INFINITY, &size));
    // Residuals of 1e-13 of the load, magnified by the conditioning of thin cells.
    EXPECT_LT(off, 1e-10 * size) << "step " << step;
  }
  // Every Newton step and every predictor has a system of its own.
  EXPECT_LT(bar.solver->factorisations(), bar.report.newton_iterations);
}

// Linear equations are solved by the predictor alone, coarse as it begins.
TEST_P(Multigrid, LinearEquationsNeedNoNewtonStep) {
  Bar bar(order(), "linear_elastic");
  bar.solve(GetParam());
  EXPECT_EQ(bar.report.newton_iterations, 2) << "one a load step: its predictor";
  EXPECT_EQ(bar.solver->factorisations(), 1) << "of one matrix";
}

TEST_P(Multigrid, DerivativesAreExact) {
  Bar bar(order());
  bar.solve(GetParam());
  const auto f = bar.functional();
  check_adjoint_against_tangent(*f, f->start());
  if (rank_count() > 1) return;
  check_taylor(*f, f->start());
  check_hessian(*f, f->start());
}

INSTANTIATE_TEST_SUITE_P(Methods, Multigrid, testing::Values("cg_gamg", "cg_hypre", "cg_two_level"));

}  // namespace
}  // namespace invar::gradient_test
