#include <gtest/gtest.h>

#include <set>

#include "libadjoint/optimize/optimizer_method.hpp"
#include "libadjoint/variable_transform.hpp"
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

TEST_P(GradientMethods, ReportAStartThatCannotBeEvaluated) {
  Function f = rosenbrock();
  f.fails = [](const Vector&) { return true; };
  const OptimizerResult r = minimize(f);
  EXPECT_FALSE(r.converged);
  EXPECT_TRUE(std::isnan(r.value));
  EXPECT_EQ(r.reason, "the start could not be evaluated: x is in the bad region");
}

// A slope has no minimum, and quadratic models of it no curvature: a result that says so, not an error of a library.
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

OptimizerResult levenberg_marquardt(ReducedFunctional& f, OptimizerOptions options = {}) {
  return make_optimizer("levenberg_marquardt", options)->minimize(f, f.start());
}

TEST(LevenbergMarquardt, RecoversTheParametersOfAnExponentialFit) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_TRUE(r.converged) << r.reason;
  // Zero residual at the truth: quadratic convergence, to round-off of residuals of order 1e3.
  EXPECT_NEAR(r.theta.shared[0], 0.3, 1e-8);
  EXPECT_NEAR(r.theta.shared[1], 0.4, 1e-8);
  EXPECT_LT(r.iterations, 20);
}

// Without the limit the first step takes τ from 80 s to where nothing depends on it, and the search ends there.
TEST(LevenbergMarquardt, LogarithmicVariablesDoNotLeap) {
  Fit leaping = relaxation_fit(1.0, 80);
  EXPECT_GT(std::abs(levenberg_marquardt(leaping).theta.shared[1] - std::log(0.7)), std::log(10.0));
  for (const double time : {80.0, 1e3, 0.02}) {
    Fit f = relaxation_fit(1.0, time);
    const double decade = VariableTransform(VariableTransform::Kind::log).largest_step();
    EXPECT_DOUBLE_EQ(decade, std::log(10.0));
    f.steps = {decade, decade};
    std::vector<double> before = f.x0;
    OptimizerOptions options;
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(std::abs(theta.shared[i] - before[i]), decade * (1 + 1e-14));
      before = theta.shared;
      return true;
    };
    const OptimizerResult r = levenberg_marquardt(f, options);
    EXPECT_TRUE(r.converged) << r.reason;
    // The search ends at 1e-8 of the residual at the start, which is of order 100 or 1 MPa of data that know 0.1 s.
    EXPECT_NEAR(r.theta.shared[0], std::log(2.0), 1e-6) << time;
    EXPECT_NEAR(r.theta.shared[1], std::log(0.7), 1e-6) << time;
    EXPECT_LT(r.iterations, 20) << time;
  }
}

// Steps that meet no limit are those of the method without it, to the last digit.
TEST(LevenbergMarquardt, ALimitThatIsNotMetChangesNothing) {
  Fit free = exponential_fit(0.3, 0.4, {-1.0, 0.05}), limited = free;
  limited.steps = {100, 100};
  const OptimizerResult a = levenberg_marquardt(free), b = levenberg_marquardt(limited);
  EXPECT_EQ(a.theta.shared, b.theta.shared);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

TEST(LevenbergMarquardt, SolvesEveryPointOnce) {
  for (const double upper : {infinity, 10.0}) {  // without and with Ceres' bounded line search
    Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
    f.up[1] = upper;
    const OptimizerResult r = levenberg_marquardt(f);
    ASSERT_TRUE(r.converged) << r.reason;
    const std::set<std::vector<double>> distinct(f.solves.begin(), f.solves.end());
    EXPECT_EQ(distinct.size(), f.solves.size());
    EXPECT_EQ(r.evaluations, static_cast<int>(f.solves.size()));
  }
}

TEST(LevenbergMarquardt, SolvesThePublishedMisra1aProblem) {
  // NIST Statistical Reference Datasets, Misra1a (nonlinear regression, y = b1 (1 − exp(−b2 x))),
  // certified b1 = 2.3894212918E+02, b2 = 5.5015643181E-04, residual sum of squares
  // 1.2455138894E-01, from the harder start (500, 1e-4).
  const std::vector<double> y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  const std::vector<double> x = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  Fit f({500, 1e-4}, 14);
  f.rho = [&](const Vector& b) -> Vector {
    return b[0] * (1 - (-b[1] * to_eigen(x)).array().exp()) - to_eigen(y).array();
  };
  f.drho = [&](const Vector& b) -> Matrix {
    const Eigen::ArrayXd e = (-b[1] * to_eigen(x)).array().exp();
    Matrix j(14, 2);
    j.col(0) = 1 - e;
    j.col(1) = b[0] * to_eigen(x).array() * e;
    return j;
  };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[0] / 2.3894212918E+02, 1, 1e-6);
  EXPECT_NEAR(r.theta.shared[1] / 5.5015643181E-04, 1, 1e-6);
  EXPECT_NEAR(2 * r.value / 1.2455138894E-01, 1, 1e-9);
}

/// A straight line y = a x whose data also depend on 1/τ, less and less as ln τ grows: the least J lies at infinity, and near it J is the
/// same to all digits that its own error leaves.
Fit line_beside_infinity(double scatter) {
  Fit f({1.0, 0.0}, 8);
  f.steps = {1.0, std::log(10.0)};
  f.rho = [scatter](const Vector& x) -> Vector {
    Vector r(8);
    for (int i = 0; i < 8; ++i) {
      const double t = 0.2 * (i + 1), noise = 0.03 * std::sin(7.0 * i);
      r[i] = x[0] * t * (1 + t * t * std::exp(-x[1])) - 2 * t * (1 - 1e-3 * t * t) - noise;
      r[i] *= 1 + scatter * std::sin(1e7 * x[1] + i);  // what a solver's tolerance leaves, without a derivative
    }
    return r;
  };
  f.drho = [](const Vector& x) -> Matrix {
    Matrix j(8, 2);
    for (int i = 0; i < 8; ++i) {
      const double t = 0.2 * (i + 1);
      j(i, 0) = t * (1 + t * t * std::exp(-x[1]));
      j(i, 1) = -x[0] * t * t * t * std::exp(-x[1]);
    }
    return j;
  };
  return f;
}

TEST(LevenbergMarquardt, StopsWhereAVariableMovesAndTheObjectiveDoesNot) {
  for (const double scatter : {0.0, 1e-12, 1e-10}) {
    Fit f = line_beside_infinity(scatter);
    double moved = 0;
    OptimizerOptions options;
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      moved = theta.shared[1];
      return true;
    };
    const OptimizerResult r = levenberg_marquardt(f, options);
    EXPECT_TRUE(r.converged) << r.reason;
    EXPECT_EQ(r.reason, "the objective no longer changes in its first nine digits, although 'x1' does: the data hardly depend on it here") << scatter;
    EXPECT_LT(r.evaluations, 30) << scatter;
    EXPECT_GT(moved, std::log(1e6)) << scatter;
    // The slope is that of the fit of a straight line.
    double ty = 0, tt = 0;
    for (int i = 0; i < 8; ++i) {
      const double t = 0.2 * (i + 1);
      tt += t * t;
      ty += t * (2 * t * (1 - 1e-3 * t * t) + 0.03 * std::sin(7.0 * i));
    }
    EXPECT_NEAR(r.theta.shared[0], ty / tt, 1e-4);
  }
}

TEST(LevenbergMarquardt, StopsAtAnActiveBoundAndLeavesFixedVariables) {
  // The banana as residuals, x ≤ 0.5: minimum (0.5, 0.25) with J = ½·0.25.
  Fit f({-1.2, 1.0, 7.0}, 2);
  f.up[0] = 0.5;
  f.lo[2] = f.up[2] = 7.0;
  f.rho = [](const Vector& x) -> Vector {
    return Eigen::Vector2d(10 * (x[1] - x[0] * x[0]), 1 - x[0]);
  };
  f.drho = [](const Vector& x) -> Matrix {
    Matrix j(2, 3);
    j << -20 * x[0], 10, 0, -1, 0, 0;
    return j;
  };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_EQ(r.theta.shared[0], 0.5);
  EXPECT_NEAR(r.theta.shared[1], 0.25, 1e-7);
  EXPECT_EQ(r.theta.shared[2], 7.0);
  EXPECT_NEAR(r.value, 0.125, 1e-10);
  EXPECT_LE(r.relative_gradient, 1e-6);
}

TEST(LevenbergMarquardt, RejectsPointsThatCannotBeEvaluated) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  f.fails = [](const Vector& x) { return x[1] > 0.45; };  // the way overshoots to k = 0.5
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[1], 0.4, 1e-8);
  EXPECT_GT(r.rejected, 0);
  EXPECT_EQ(r.last_rejection, "x is in the bad region");
}

TEST(LevenbergMarquardt, DoesNotCallAWallConverged) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  f.fails = [](const Vector& x) { return x[1] > 0.3; };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_FALSE(r.converged);
  EXPECT_LE(r.theta.shared[1], 0.3);
  EXPECT_TRUE(std::isfinite(r.value));
  EXPECT_NE(r.reason.find("bad region"), std::string::npos) << r.reason;
}

TEST(LevenbergMarquardt, KeepsTheLastPointWhenOnlyTheJacobianFails) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const auto jacobian = f.drho;
  f.drho = [&](const Vector& x) -> Matrix {
    return x[0] == -1.0 ? jacobian(x) : Matrix::Constant(20, 2, std::nan(""));
  };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.theta, f.start());
  EXPECT_NE(r.reason.find("not a finite number"), std::string::npos) << r.reason;
}

TEST(LevenbergMarquardt, ReportsAStartThatCannotBeEvaluated) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  f.fails = [](const Vector&) { return true; };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.reason, "the start could not be evaluated: x is in the bad region");
}

TEST(LevenbergMarquardt, RecognisesAStartThatIsTheOptimum) {
  // Nonzero residuals: a straight line through noisy data, started at its normal equations.
  Matrix a(5, 2);
  a << 1, 0, 1, 1, 1, 2, 1, 3, 1, 4;
  Vector y(5);
  y << 0.1, 0.9, 2.2, 2.8, 4.3;
  const Vector best = a.colPivHouseholderQr().solve(y);
  Fit f(to_std(best), 5);
  f.rho = [&](const Vector& x) -> Vector { return a * x - y; };
  f.drho = [&](const Vector&) -> Matrix { return a; };
  const OptimizerResult r = levenberg_marquardt(f);
  EXPECT_TRUE(r.converged);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_EQ(r.evaluations, 1);
}

TEST(LevenbergMarquardt, RefusesWhatItCannotMinimise) {
  Function banana = rosenbrock();
  EXPECT_THROW(levenberg_marquardt(banana), std::invalid_argument);

  struct WithPenalty : Fit {
    explicit WithPenalty(Fit fit) : Fit(std::move(fit)) {}
    Evaluation residuals(const DesignVector& t, Vector& out) override {
      Evaluation e = Fit::residuals(t, out);
      e.value += 1.0;
      return e;
    }
  } f(exponential_fit(0.3, 0.4, {-1.0, 0.05}));
  EXPECT_THROW(levenberg_marquardt(f), std::invalid_argument);
}

TEST(LevenbergMarquardt, ReportsIterationsAndStopsOnRequest) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  std::vector<IterationReport> seen;
  OptimizerOptions options;
  options.on_iteration = [&](const IterationReport& report, const DesignVector& theta) {
    EXPECT_DOUBLE_EQ(report.value, 0.5 * f.rho(to_eigen(theta.shared)).squaredNorm());
    seen.push_back(report);
    return seen.size() < 3;
  };
  const OptimizerResult r = levenberg_marquardt(f, options);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_DOUBLE_EQ(seen[0].relative_gradient, 1);
  EXPECT_EQ(seen[2].iteration, 2);
  EXPECT_GT(seen[2].step, 0);
  EXPECT_TRUE(r.stopped);

  options.on_iteration = {};
  options.max_iterations = 1;
  const OptimizerResult limited = levenberg_marquardt(f, options);
  EXPECT_EQ(limited.iterations, 1);
  EXPECT_EQ(limited.reason, "the limit of 1 iterations is reached");
}

TEST(MakeOptimizer, KnowsItsNames) {
  for (const std::string& name : optimizer_names()) EXPECT_TRUE(make_optimizer(name, {}));
  EXPECT_THROW(make_optimizer("simplex", {}), std::invalid_argument);
  EXPECT_EQ(methods_for_general_functionals().front(), optimizer_names().front());
}

}  // namespace
}  // namespace invar
