// Gauss-Newton by conjugate gradients on sums of squares of few numbers; fields with a prior: room `design`, gaussian_inference_test.cpp.
#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer_method.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar {
namespace {

using namespace toy;

OptimizerResult gauss_newton(ReducedFunctional& f, OptimizerOptions options = {}) {
  return make_optimizer("gauss_newton", options)->minimize(f, f.start());
}

TEST(GaussNewton, RecoversTheParametersOfAnExponentialFit) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const OptimizerResult r = gauss_newton(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.theta.shared[0], 0.3, 1e-7);
  EXPECT_NEAR(r.theta.shared[1], 0.4, 1e-7);
  EXPECT_LT(r.iterations, 20);
}

TEST(GaussNewton, StopsAtAnActiveBound) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  f.up[1] = 0.35;
  const OptimizerResult r = gauss_newton(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_EQ(r.theta.shared[1], 0.35);
  const OptimizerResult other = make_optimizer("levenberg_marquardt", {})->minimize(f, f.start());
  EXPECT_NEAR(r.theta.shared[0], other.theta.shared[0], 1e-6);
}

/// Every step leads to inadmissible points: the search ends at the best admissible point and is not reported as converged.
TEST(GaussNewton, EndsBeforeAWallAndSaysSo) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const double start = f.value(f.start()).value;
  f.fails = [](const Vector& x) { return x.maxCoeff() > 0.45; };
  const OptimizerResult r = gauss_newton(f);
  EXPECT_FALSE(r.converged);
  EXPECT_NE(r.reason.find("x is in the bad region"), std::string::npos) << r.reason;
  EXPECT_LT(r.value, start);
  EXPECT_LE(r.theta.shared[1], 0.45);
}

TEST(GaussNewton, ReportsAStartThatCannotBeEvaluated) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  f.fails = [](const Vector&) { return true; };
  const OptimizerResult r = gauss_newton(f);
  EXPECT_FALSE(r.converged);
  EXPECT_NE(r.reason.find("start"), std::string::npos);
}

TEST(GaussNewton, RefusesWhatIsNoSumOfSquares) {
  Function banana = rosenbrock();
  EXPECT_THROW(gauss_newton(banana), std::invalid_argument);
}

}  // namespace
}  // namespace invar
