#include <gtest/gtest.h>

#include <set>

#include "libadjoint/optimize/optimizer_method.hpp"
#include "libadjoint/variable_transform.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar {
namespace {

using namespace toy;

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

// Steps below the limit are bitwise those of the method without limit.
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

// From 1.3917 a Gauss-Newton step of arctan x leads to −1.3913, where J is the same in three digits: it is refused, shortened, and the search
// goes on to the root.
TEST(LevenbergMarquardt, AnOvershootToTheSameValueIsNoEnd) {
  Fit f({1.3917}, 1);
  f.rho = [](const Vector& x) -> Vector { return x.array().atan(); };
  f.drho = [](const Vector& x) -> Matrix { return Matrix::Constant(1, 1, 1 / (1 + x[0] * x[0])); };
  OptimizerOptions options;
  options.function_tolerance = 1e-3;
  const OptimizerResult r = levenberg_marquardt(f, options);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[0], 0, 1e-3);
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
  const Vector best = test::least_squares(a, y);
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

}  // namespace
}  // namespace invar
