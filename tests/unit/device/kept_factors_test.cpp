// Factors of a direct method that serve several steps of a static solve.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::device_test {
namespace {

struct Answer {
  VecHandle state;
  double by_modulus = 0;  // derivative of the mean displacement over all load steps
  int newton = 0, factorisations = 0;
};

/// A bar of P2 tetrahedra that a dead load bends by a third of its length in five steps, twice with the same case.
Answer bend(const char* method, double dear_from) {
  test::SolidProblem bar(make_box({0, 0, 0}, {3, 1, 1}, {3, 1, 1}, Shape::tetrahedron, 2), SolidKind::spatial, {.comm = PETSC_COMM_SELF});
  bar.material("neo_hookean", {10, 0.3});
  bar.hold({"left"}, [](int, const double*) { return 0.0; });
  bar.traction("right", [](int i, const double*) { return i == 1 ? -0.12 : 0.0; });
  bar.finish();
  LoadSteppingOptions options;
  options.newton.rtol = 1e-13;
  const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = method, .dear_from = dear_from});
  StaticCase bent("bar", bar.residual(), solver, {0.2, 0.4, 0.6, 0.8, 1.0}, 0.0, options);
  Answer answer;
  std::vector<double> first;
  for (const bool again : {false, true}) {
    const int before = solver->factorisations();
    const ProcessReport report = bent.run(bar.residual()->control_values());
    EXPECT_TRUE(report.ok) << report.reason;
    answer.newton = report.newton_iterations;
    answer.factorisations = solver->factorisations() - before;
    answer.state = zeros_like(bent.state(4));
    check(VecCopy(bent.state(4), answer.state));
    // The run before leaves no trace, although its factors are those of the loaded bar.
    const LocalArray numbers(answer.state);
    const std::vector<double> here(numbers.data(), numbers.data() + bar.dofs()->n_local());
    if (again) {
      EXPECT_EQ(here, first);
    }
    first = here;
  }
  const VecHandle mean = zeros_like(answer.state);
  check(VecSet(mean, 1.0 / double(bar.dofs()->n_global())));
  for (int step = 0; step < 5; ++step) {
    Controls gradient;
    for (const auto& values : bar.residual()->control_values()) gradient.emplace_back(values.size(), 0.0);
    const SolveReport adjoint = bent.state_vjp(step, mean, gradient);
    EXPECT_TRUE(adjoint.converged) << adjoint.reason;
    answer.by_modulus += gradient[0][0];
  }
  return answer;
}

/// Factors that cost ten iterations are kept, as in every run; such that cost any number, in none.
TEST(KeptFactors, OfStaticStepsGiveTheSameStatesAndDerivatives) {
  const Answer kept = bend("cudss_ldlt", 10), fresh = bend("umfpack", HUGE_VAL);
  EXPECT_GE(fresh.factorisations, fresh.newton - 5);  // a step may need none after its prediction
  EXPECT_LE(3 * kept.factorisations, fresh.factorisations);
  double difference = 0, size = 0;
  check(VecAXPY(kept.state, -1.0, fresh.state));
  check(VecNorm(kept.state, NORM_INFINITY, &difference));
  check(VecNorm(fresh.state, NORM_INFINITY, &size));
  EXPECT_GT(size, 0.3);
  EXPECT_LE(difference, 1e-10 * size);
  EXPECT_NEAR(kept.by_modulus, fresh.by_modulus, 1e-10 * std::abs(fresh.by_modulus));
}

}  // namespace
}  // namespace invar::device_test
