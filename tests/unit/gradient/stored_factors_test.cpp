// Factorisations of the forward sweep that the reverse sweep reuses, and those of a load step that the next ones reuse.
#include "tests/unit/gradient/stored_factors.hpp"

#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

template <class Spec>
const Spec& problem_named(const std::vector<Spec>& all, const char* name) {
  const auto at = std::ranges::find(all, name, &Spec::name);
  EXPECT_NE(at, all.end()) << name;
  return *at;
}

TEST(StoredFactors, OfASolidChangeNoGradient) {
  const std::vector<TransientSolidSpec> all = all_transient_solids();
  TransientSolidSpec s = problem_named(all, "euler_floor");
  s.body.refinement = 3;
  check_kept_factors(make_transient(s, PETSC_COMM_WORLD));
}

TEST(StoredFactors, OfStagesChangeNoGradient) {
  TransientSolidSpec s{.name = "stages", .scheme = TimeScheme::Kind::sdirk2};
  s.body.refinement = 3;
  check_kept_factors(make_transient(s, PETSC_COMM_WORLD));
}

TEST(StoredFactors, OfAFlowChangeNoGradient) {
  const auto all = all_transient_flows();
  EXPECT_EQ(check_kept_factors(make_transient(problem_named(all, "bdf2_linearised"), PETSC_COMM_WORLD, 0)).adjoint_factorisations, 0);  // linear in each step
}

#ifdef INVAR_SUITESPARSE
// From a hundred unknowns on a small march keeps UMFPACK's factors over several steps, and tangent and reverse sweeps use them.
TEST(StoredFactors, OfSmallMarchesByUmfpackChangeNoGradient) {
  if (rank_count() > 1) GTEST_SKIP() << "one process";
  const std::vector<TransientSolidSpec> all = all_transient_solids();
  for (const char* name : {"alpha_floor", "bdf2_nearly_incompressible", "newmark_shape"}) {
    SCOPED_TRACE(name);
    TransientSolidSpec s = problem_named(all, name);
    s.body.refinement = 14;
    const TransientProblem p = make_transient(s, PETSC_COMM_WORLD);
    ASSERT_GT(p.dofs->n_global(), 150);
    const std::size_t bytes = Trajectory::Options().ram_bytes;
    const GradientInMemory own(p, bytes, false), kept(p, bytes, true, "umfpack");
    EXPECT_LT(kept.solver->factorisations(), own.solver->factorisations());
    check_adjoint_against_tangent(*kept.functional, kept.functional->start());
    expect_same_gradient(kept, own, 1e-9);  // steps on the factors of others end elsewhere within Newton's tolerance
  }
}
#endif

/// The gradient of all observables over three load steps, by a solver on whose factors of this many iterations or more count as dear.
struct GradientOverSteps {
  std::shared_ptr<LinearSolver> solver;
  std::shared_ptr<StaticCase> solved;
  std::unique_ptr<CaseFunctional> functional;
  Evaluation value;
  DesignVector gradient;

  GradientOverSteps(const SolidProblem& p, double dear_from)
      : solver(std::make_shared<LinearSolver>(PETSC_COMM_WORLD, LinearSolverOptions{.method = "mumps", .rtol = 1e-13, .dear_from = dear_from})),
        solved(p.make_case(solver)) {
    const ProcessReport report = solved->run(p.residual->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    functional = make_functional(p, *solved, -1);
    value = functional->gradient(functional->start(), gradient);
    EXPECT_TRUE(value.ok) << value.reason;
  }
};

// Factors of bodies as small as these are not dear by themselves, on any number of ranks. Steps on the factors of others end elsewhere
// within Newton's tolerance, 1e-13.
TEST(StoredFactors, OfEarlierLoadStepsChangeNoGradient) {
  for (const Volume volume : {Volume::compressible, Volume::nearly_incompressible}) {
    ProblemSpec s;
    s.kind = SolidKind::spatial;
    s.volume = volume;
    s.material = "mooney_rivlin";
    s.cell = {Shape::tetrahedron, 2};
    s.refinement = 2;
    s.follower_pressure = true;
    s.times = {0.3, 0.6, 1.0};
    SCOPED_TRACE(name_of(s));
    const SolidProblem problem = make_problem(s, PETSC_COMM_WORLD);
    const GradientOverSteps fresh(problem, HUGE_VAL), kept(problem, 0);
    EXPECT_LT(2 * kept.solver->factorisations(), fresh.solver->factorisations());
    check_adjoint_against_tangent(*kept.functional, kept.functional->start());
    EXPECT_NEAR(kept.value.value, fresh.value.value, 1e-11 * std::abs(fresh.value.value));
    double size = 0;
    for (double v : fresh.gradient.shared) size = std::max(size, std::abs(v));
    ASSERT_GT(size, 0.0);
    for (std::size_t i = 0; i < fresh.gradient.shared.size(); ++i)
      EXPECT_NEAR(kept.gradient.shared[i], fresh.gradient.shared[i], 1e-10 * size) << fresh.functional->names()[i];
  }
}

}  // namespace
}  // namespace invar::gradient_test
