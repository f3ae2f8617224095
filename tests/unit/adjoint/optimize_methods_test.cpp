#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer_choice.hpp"
#include "libadjoint/optimize/optimizer_method.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar {
namespace {

using namespace toy;

std::vector<std::string> methods_for_general_functionals() {
  std::vector<std::string> names;
  for (const OptimizerMethod& m : optimizer_methods())
    if (!m.constrained && m.objective == OptimizerMethod::Objective::any) names.emplace_back(m.name);
  return names;
}

class GradientMethods : public testing::TestWithParam<std::string> {
 protected:
  OptimizerResult minimize(ReducedFunctional& f, OptimizerOptions options = {}) const {
    options.max_iterations = 2000;
    return make_optimizer(GetParam(), options)->minimize(f, f.start());
  }
};
INSTANTIATE_TEST_SUITE_P(, GradientMethods, testing::ValuesIn(methods_for_general_functionals()));

TEST_P(GradientMethods, FindTheMinimumOfTheBanana) {
  Function f = rosenbrock();
  const OptimizerResult r = minimize(f);
  EXPECT_TRUE(r.converged) << r.reason;
  // The gradient at the start is 233: a relative one of 1e-8 with the smallest curvature 0.4 of
  // the Hessian at (1, 1) bounds the error by 6e-6.
  EXPECT_NEAR(r.theta.shared[0], 1, 6e-6);
  EXPECT_NEAR(r.theta.shared[1], 1, 6e-6);
  EXPECT_EQ(r.evaluations, f.calls);
  EXPECT_EQ(r.rejected, 0);
}

TEST_P(GradientMethods, StopAtAnActiveBound) {
  // With x ≤ 0.5 the minimum is (0.5, 0.25), where ∂f/∂x = −1: only the projected gradient
  // vanishes there.
  Function f = rosenbrock();
  f.up[0] = 0.5;
  const OptimizerResult r = minimize(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_EQ(r.theta.shared[0], 0.5);
  EXPECT_NEAR(r.theta.shared[1], 0.25, 1e-7);  // 233·1e-8 / curvature 200 = 1e-8
  EXPECT_NEAR(r.value, 0.25, 1e-12);
}

TEST_P(GradientMethods, GoAroundARegionThatCannotBeEvaluated) {
  // No descent path leaves |y − x²| ≤ 0.22 from this start (J = 4.84), but long steps do.
  Function f = rosenbrock({-1.2, 1.44});
  f.fails = [](const Vector& x) { return std::abs(x[1] - x[0] * x[0]) > 0.3; };
  const OptimizerResult r = minimize(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[0], 1, 1e-5);
  EXPECT_GT(r.rejected, 0);
  EXPECT_EQ(r.last_rejection, "x is in the bad region");
}

TEST_P(GradientMethods, NeverTakeAWallForTheResult) {
  // The minimum lies behind the wall: the result is an evaluable point and not called converged.
  Function f = rosenbrock();
  f.fails = [](const Vector& x) { return x[0] > 0.2; };
  const OptimizerResult r = minimize(f);
  EXPECT_FALSE(r.converged);
  EXPECT_TRUE(std::isfinite(r.value));
  EXPECT_LE(r.theta.shared[0], 0.2);
  EXPECT_LT(r.value, f.f(to_eigen(f.x0)));
  EXPECT_GT(r.rejected, 0);
  EXPECT_NE(r.reason.find("bad region"), std::string::npos) << r.reason;
}

/// (x − 1)² + (y − x)²/4 from (−1, ½), which no point with x > 0.2 can be evaluated of.
Function before_a_wall() {
  Function f({-1.0, 0.5});
  f.f = [](const Vector& x) { return std::pow(x[0] - 1, 2) + std::pow(x[1] - x[0], 2) / 4; };
  f.g = [](const Vector& x) -> Vector { return Eigen::Vector2d(2 * (x[0] - 1) - (x[1] - x[0]) / 2, (x[1] - x[0]) / 2); };
  f.h = [](const Vector&) -> Matrix { return Eigen::Matrix2d{{2.5, -0.5}, {-0.5, 0.5}}; };
  f.fails = [](const Vector& x) { return x[0] > 0.2; };
  return f;
}

// A line search that wants a small slope finds none between the iterate and the wall; what it finds is lower all the same. The wall is reached, and steps
// that it shortens are no sign of a minimum, however little they change the objective.
TEST_P(GradientMethods, ComeToRestAtAWallAndSaySo) {
  for (const double tolerance : {1e-12, 1e-2}) {
    SCOPED_TRACE(tolerance);
    Function f = before_a_wall();
    OptimizerOptions options;
    options.function_tolerance = tolerance;
    const OptimizerResult r = minimize(f, options);
    EXPECT_FALSE(r.converged) << r.reason;
    EXPECT_NEAR(r.theta.shared[0], 0.2, 1e-6);
    EXPECT_LE(r.theta.shared[0], 0.2);
    EXPECT_NE(r.reason.find("bad region. This need not be a minimum"), std::string::npos) << r.reason;
  }
}

TEST_P(GradientMethods, ReportAStartThatCannotBeEvaluated) {
  Function f = rosenbrock();
  f.fails = [](const Vector&) { return true; };
  const OptimizerResult r = minimize(f);
  EXPECT_FALSE(r.converged);
  EXPECT_TRUE(std::isnan(r.value));
  EXPECT_EQ(r.reason, "the start could not be evaluated: x is in the bad region");
}

// A linear function has no minimum and no curvature: the result reports this, without an error of a library.
TEST_P(GradientMethods, ReportAnObjectiveThatFallsWithoutEnd) {
  Function f({1.0, 2.0});
  f.f = [](const Vector& x) { return 3 * x[0] - x[1]; };
  f.g = [](const Vector&) -> Vector { return Eigen::Vector2d(3, -1); };
  f.h = [](const Vector&) -> Matrix { return Matrix::Zero(2, 2); };
  const OptimizerResult r = minimize(f);
  EXPECT_FALSE(r.converged) << r.reason;
  EXPECT_FALSE(r.reason.empty());
}

TEST_P(GradientMethods, RefuseAStartOutsideTheBounds) {
  Function f = rosenbrock();
  f.lo[1] = 2;
  EXPECT_THROW(minimize(f), std::invalid_argument);
}

TEST_P(GradientMethods, PassAnExceptionOn) {
  Function f = rosenbrock();
  const auto value = f.f;
  f.f = [&](const Vector& x) {
    if (f.calls > 5) throw std::runtime_error("disk full");
    return value(x);
  };
  EXPECT_THROW(
      {
        try {
          minimize(f);
        } catch (const std::runtime_error& e) {
          EXPECT_STREQ(e.what(), "disk full");
          throw;
        }
      },
      std::runtime_error);
}

TEST_P(GradientMethods, ReportEveryIterationAndStopOnRequest) {
  Function f = rosenbrock();
  std::vector<IterationReport> seen;
  OptimizerOptions options;
  options.on_iteration = [&](const IterationReport& report, const DesignVector& theta) {
    EXPECT_DOUBLE_EQ(report.value, f.f(to_eigen(theta.shared)));
    seen.push_back(report);
    return seen.size() < 4;
  };
  const OptimizerResult r = minimize(f, options);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen.front().iteration, 0);
  EXPECT_DOUBLE_EQ(seen.front().relative_gradient, 1);
  EXPECT_EQ(seen.back().iteration, 3);
  EXPECT_GT(seen.back().step, 0);
  EXPECT_LT(seen.back().value, seen.front().value);
  EXPECT_TRUE(r.stopped);
  EXPECT_FALSE(r.converged);
}

TEST_P(GradientMethods, ScaleOfTheObjectiveDoesNotMatter) {
  // The same banana in units a million times larger and smaller.
  for (const double c : {1e6, 1e-6}) {
    Function f = rosenbrock(), original = rosenbrock();
    f.f = [=](const Vector& x) { return c * original.f(x); };
    f.g = [=](const Vector& x) -> Vector { return c * original.g(x); };
    f.h = [=](const Vector& x) -> Matrix { return c * original.h(x); };
    const OptimizerResult r = minimize(f);
    EXPECT_TRUE(r.converged) << c << ' ' << r.reason;
    EXPECT_NEAR(r.theta.shared[0], 1, 6e-6) << c;
  }
}

TEST_P(GradientMethods, MinimiseOverAFieldSpreadOverTheRanks) {
  Distributed f(17);
  const OptimizerResult r = minimize(f);
  EXPECT_TRUE(r.converged) << r.reason;
  // Along (a, q) = (1, 2 sin i) the curvature is 2 / (1 + 4 Σ sin² i) = 0.057, the gradient at the
  // start about 6: 1e-8 of it leaves an error of 1e-6.
  EXPECT_NEAR(r.theta.shared[0], 1, 1e-6);
  EXPECT_NEAR(r.theta.shared[1], -2, 1e-6);
  ASSERT_EQ(r.theta.local.size(), f.local());
  for (int i = f.first; i < f.last; ++i)
    EXPECT_NEAR(r.theta.local[static_cast<std::size_t>(i - f.first)], std::sin(i), 1e-6);
}

TEST_P(GradientMethods, KeepAFieldWithinItsBoundsAndOffTheWall) {
  // With q ≤ 0.5 < wall the bound is active where sin i > 0.5 / a²; the stationarity of a is
  // checked on the analytic gradient by the convergence test itself.
  Distributed f(17);
  f.field_upper = 0.5;
  f.wall = 0.5;
  OptimizerResult r = minimize(f);
  EXPECT_TRUE(r.converged) << r.reason;
  const double a = r.theta.shared[0];
  for (int i = f.first; i < f.last; ++i)
    EXPECT_NEAR(r.theta.local[static_cast<std::size_t>(i - f.first)],
                std::min(0.5, a * a * std::sin(i)), 2e-6);
  // The wall alone: one rank's failure must reach all.
  f.field_upper = infinity;
  r = minimize(f);
  EXPECT_FALSE(r.converged);
  EXPECT_GT(r.rejected, 0);
  for (const double q : r.theta.local) EXPECT_LE(q, 0.5);
}

TEST(MakeOptimizer, KnowsItsNames) {
  for (const std::string& name : optimizer_names()) EXPECT_TRUE(make_optimizer(name, {}));
  EXPECT_THROW(make_optimizer("simplex", {}), std::invalid_argument);
  EXPECT_EQ(methods_for_general_functionals().front(), optimizer_names().front());
}

/// Every combination of facts gets a method that its own entry allows.
TEST(OptimizerChoice, IsAMethodForTheProblem) {
  for (int bits = 0; bits < 16; ++bits) {
    const SearchFacts facts{.constraints = (bits & 1) != 0, .sum_of_squares = (bits & 2) != 0, .prior = (bits & 4) != 0, .fields = (bits & 8) != 0};
    const OptimizerMethod& method = optimizer_method(suitable_optimizer(facts));
    EXPECT_TRUE(method.constrained || !facts.constraints) << bits;
    EXPECT_TRUE(method.objective == OptimizerMethod::Objective::any || facts.sum_of_squares) << bits;
    EXPECT_FALSE(method.second_derivatives) << bits;  // not every process has them
    const bool dense = method.name == "levenberg_marquardt" || method.name == "sqp";  // in the number of variables
    EXPECT_FALSE(facts.fields && dense) << bits;
  }
  EXPECT_EQ(suitable_optimizer({}), optimizer_names().front());
}

}  // namespace
}  // namespace invar
