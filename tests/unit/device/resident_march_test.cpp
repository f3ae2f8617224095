// Everything on the device: equation, matrix and factors. What of this depends on the number of steps: nothing.
#include <cstdlib>

#include "libadjoint/static_case.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/unit/device/device_march.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::device_test {
namespace {

std::shared_ptr<Device> device_with_cudss() {
  return !test::cudss_is_replaced() && cuda_device() ? cuda_device() : make_device(Device::Kind::emulation);
}

/// The objective reads two states on the host, and adds to two in the sweep. The load by which factors are probed is written once for a matrix. Nothing
/// else travels.
TEST(ResidentMarch, NumberOfStepsDoesNotMatterToTheHost) {
  using enum TimeScheme::Kind;
  ASSERT_EQ(test::cudss_is_named, 0);
  setenv("STAND_IN_SEARCH", "1", 1);  // flow without matching has pivots that vanish: MUMPS would take over, on the host
  for (const auto& [process, kind] : {std::pair(&swinging_strip, newmark), std::pair(&swinging_strip, generalised_alpha), std::pair(&swinging_strip, bdf2),
                                      std::pair(&growing_flow, bdf2), std::pair(&growing_flow, sdirk2)})
    for (const int steps : {6, 18}) {
      SCOPED_TRACE(testing::Message() << (process == &growing_flow ? "flow, " : "strip, ") << static_cast<int>(kind) << ", " << steps << " steps");
      const March host = march(process(), nullptr, kind, {}, {.steps = steps});
      const March found = march(process(), device_with_cudss(), kind, {}, {steps, "cudss", true});
      expect_same(found, host);
      EXPECT_GE(found.solves, steps);
      EXPECT_GE(found.adjoint_solves, steps);
      EXPECT_EQ(found.in_march, 2 + 1);
      EXPECT_EQ(found.in_sweep, 2);
    }
  unsetenv("STAND_IN_SEARCH");
}

/// Newton steps, adjoints and another design have the same pattern, which is analysed once.
TEST(ResidentMarch, OneAnalysisServesAll) {
  if (!test::cudss_is_replaced()) GTEST_SKIP() << "the original does not count";
  const long before = test::cudss_analyses();
  const March strip = march(swinging_strip(), device_with_cudss(), TimeScheme::Kind::newmark, {}, {6, "cudss", true});
  EXPECT_GE(strip.solves + strip.adjoint_solves, 12);
  EXPECT_EQ(test::cudss_analyses() - before, 1);
}

/// A bar that is bent by a third of its length, by two moduli: states and adjoints of both.
TEST(ResidentMarch, OneAnalysisServesLoadStepsAdjointsAndDesigns) {
  if (!test::cudss_is_replaced()) GTEST_SKIP() << "the original does not count";
  for (const bool there : {false, true}) {
    SCOPED_TRACE(there ? "matrix on the device" : "matrix on the host");
    test::SolidProblem bar(make_box({0, 0, 0}, {3, 1, 1}, {2, 1, 1}, Shape::tetrahedron, 2), SolidKind::spatial, {.comm = PETSC_COMM_SELF});
    bar.material("neo_hookean", {10, 0.3});
    bar.hold({"left"}, [](int, const double*) { return 0.0; });
    bar.traction("right", [](int i, const double*) { return i == 1 ? -0.12 : 0.0; });
    bar.finish();
    const auto device = device_with_cudss();
    if (there) move_to_device(*bar.residual(), solid_device_forms(), device), keep_matrix_on_device(*bar.residual(), device);
    const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_SELF, LinearSolverOptions{.method = "cudss_ldlt", .dear_from = HUGE_VAL});
    StaticCase bent("bar", bar.residual(), solver, {0.5, 1.0}, 0.0, {});
    const long before = test::cudss_analyses();
    Controls design = bar.residual()->control_values();
    double sagged[2];
    for (const bool softer : {false, true}) {
      if (softer) design[0][0] *= 0.8;
      const ProcessReport report = bent.run(design);
      ASSERT_TRUE(report.ok) << report.reason;
      EXPECT_GE(report.newton_iterations, 6);
      for (const int step : {0, 1}) {
        Controls gradient;
        for (const auto& values : design) gradient.emplace_back(values.size(), 0.0);
        const SolveReport adjoint = bent.state_vjp(step, bent.state(step), gradient);
        EXPECT_TRUE(adjoint.converged) << adjoint.reason;
        EXPECT_NE(gradient[0][0], 0);
      }
      PetscReal length = 0;
      check(VecNorm(bent.state(1), NORM_2, &length));
      sagged[softer] = length;
    }
    EXPECT_GT(sagged[1], 1.05 * sagged[0]) << "another state";
    EXPECT_GE(solver->factorisations(), 12);
    EXPECT_EQ(test::cudss_analyses() - before, 1);
  }
}

}  // namespace
}  // namespace invar::device_test
