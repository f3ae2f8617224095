#include "libadjoint/verify/verification.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "libadjoint/verify/parameter_shift.hpp"
#include "libadjoint/verify/refined_tolerance.hpp"
#include "tests/support/dense.hpp"

namespace invar {
namespace {

using Outcome = VerificationCheck::Outcome;

// f(h) = L + C h^p: order and limit come out exactly, and the index is 1.25 times the finest value's relative error.
TEST(GridConvergence, FindsTheOrderTheLimitAndTheErrorOfAPowerSeries) {
  for (const double p : {0.7, 1.0, 2.0, 3.5})
    for (const double ratio : {1.5, 2.0}) {
      const double limit = 4, c = -0.3;
      std::vector<double> f;
      for (int k = 0; k < 3; ++k) f.push_back(limit + c * std::pow(std::pow(ratio, -k), p));
      const GridConvergence g = grid_convergence(f, ratio, 1);
      EXPECT_TRUE(g.monotone);
      EXPECT_NEAR(g.order, p, 1e-9);
      EXPECT_NEAR(g.limit, limit, 1e-9);
      EXPECT_NEAR(g.gci, 1.25 * std::abs(f[2] - limit) / std::abs(f[2]), 1e-9);
      EXPECT_GE(g.gci_of_run * std::abs(f[2]), std::abs(f[0] - limit));
    }
}

// The example of NASA's NPARC Alliance, "Examining spatial (grid) convergence": the pressure recovery of an inlet on
// three grids of ratio 2 has the order 1.786170, the index 0.103083 % and the limit 0.97130.
TEST(GridConvergence, AgreesWithThePublishedExample) {
  const double f[] = {0.96178, 0.96854, 0.97050};
  const GridConvergence g = grid_convergence(f, 2, 2);
  EXPECT_NEAR(g.order, 1.786170, 1e-6);
  EXPECT_NEAR(100 * g.gci, 0.103083, 1e-6);
  EXPECT_NEAR(g.limit, 0.97130, 1e-5);
}

TEST(GridConvergence, GoesByTheAssumedOrderWhereNoneIsObserved) {
  const double two[] = {1.0, 1.3}, oscillating[] = {1.0, 1.3, 1.2}, diverging[] = {1.0, 1.1, 1.3};
  const GridConvergence g = grid_convergence(two, 2, 2);
  EXPECT_NEAR(g.gci, 3 * 0.3 / 3 / 1.3, 1e-14);
  EXPECT_TRUE(std::isnan(g.order));
  for (const auto& f : {oscillating, diverging}) {
    const GridConvergence h = grid_convergence({f, 3}, 2, 1);
    EXPECT_FALSE(h.monotone);
    EXPECT_EQ(h.safety, 3);
    EXPECT_NEAR(h.gci, 3 * std::abs(f[2] - f[1]) / f[2], 1e-14);
  }
  const double equal[] = {2, 2, 2};
  EXPECT_EQ(grid_convergence(equal, 2, 1).gci, 0);
  EXPECT_THROW(grid_convergence({two, 1}, 2, 1), std::invalid_argument);
  EXPECT_THROW(grid_convergence(two, 1, 1), std::invalid_argument);
}

TEST(Verification, TheLeastShareDecides) {
  const ClaimedGain claimed{10, 2};
  Verification v{claimed, 0.5, {measured_check("mesh", claimed, {{9, 3, 0}}, 2), measured_check("order", claimed, {{10, 7, 0}}, 0)}};
  EXPECT_NEAR(v.checks[0].share, 0.75, 1e-15);
  EXPECT_NEAR(v.checks[0].change, 0.5, 1e-15);
  EXPECT_NEAR(v.survives(), 0.375, 1e-15);
  EXPECT_FALSE(v.passed());
  EXPECT_NE(v.verdict().find("not verified: 37.5 % of the gain survives (the least of mesh, order, by order)"), std::string::npos) << v.verdict();
  v.survive = 0.3;
  EXPECT_TRUE(v.passed());
  EXPECT_EQ(v.verdict().find("verified: 37.5 %"), 0u) << v.verdict();
}

TEST(Verification, NothingSurvivesOfWhatIsWorseThanTheStart) {
  const ClaimedGain claimed{10, 2};
  VerificationCheck worse = measured_check("corners", claimed, {{10, 4e8, 0}}, 0);
  worse.reason = "40 % of the body hang on corners";
  const Verification v{claimed, 0.5, {measured_check("mesh", claimed, {{10, 2.1, 0}}, 2), worse}};
  EXPECT_FALSE(v.passed());
  EXPECT_EQ(v.verdict(), "not verified: nothing of the gain survives (the least of mesh, corners, by corners); 40 % of the body hang on corners; at least 50 % is required");
}

// A lighter body gains by what it must not do.
TEST(Verification, BrokenConstraintsAreNotVerified) {
  const ClaimedGain claimed{10, 2};
  Verification v{claimed, 0.5, {measured_check("mesh", claimed, {{10, 2, 0.02}}, 2), measured_check("black_white", claimed, {{10, 1, 1.32}}, 0)}};
  EXPECT_GT(v.survives(), 0.99);
  EXPECT_FALSE(v.passed());
  EXPECT_EQ(v.verdict().find("not verified: 100 % of the gain survives"), 0u) << v.verdict();
  EXPECT_NE(v.verdict().find("a constraint is violated by 1.32 of its scale (black_white), of which 0.1 is accepted"), std::string::npos) << v.verdict();
  v.violation = 1.4;
  EXPECT_TRUE(v.passed());
  v.checks[0].levels.back().violation = std::nan("");
  EXPECT_FALSE(v.passed());
}

TEST(Verification, WhatCannotBeToldIsSaidAndCountsForNothing) {
  const ClaimedGain claimed{10, 2};
  Verification v{claimed, 0.5, {unmeasured_check("step", Outcome::undecided, "there are no steps")}};
  EXPECT_TRUE(std::isnan(v.survives()));
  EXPECT_FALSE(v.passed());
  EXPECT_EQ(v.verdict(), "not verified: no check was conclusive: cannot tell by step, because there are no steps");
  v.checks.push_back(measured_check("mesh", claimed, {{10, 2, 0}}, 1));
  EXPECT_TRUE(v.passed());
  EXPECT_NE(v.verdict().find("cannot tell by step"), std::string::npos);
  v.checks.push_back(unmeasured_check("order", Outcome::failed, "diverged"));
  EXPECT_EQ(v.survives(), 0);
  EXPECT_FALSE(v.passed());
}

TEST(Verification, AnotherStartFindsTheSameABetterOrAWorseOptimum) {
  const ClaimedGain claimed{10, 2};
  EXPECT_EQ(repeated_check("start", claimed, {10, 2.01, 0}, 0.01).reason, "the same optimum");
  EXPECT_NE(repeated_check("start", claimed, {10, 2.01, 0}, 0.4).reason.find("another design, just as good"), std::string::npos);
  EXPECT_NE(repeated_check("start", claimed, {10, 1, 0}, 0.4).reason.find("a better optimum"), std::string::npos);
  EXPECT_NE(repeated_check("start", claimed, {10, 3, 0}, 0.4).reason.find("a worse optimum"), std::string::npos);
}

TEST(Verification, NoGainHasNoShare) {
  const ClaimedGain none{2, 2};
  const VerificationCheck check = measured_check("mesh", none, {{2, 2, 0}}, 1);
  EXPECT_EQ(check.outcome, Outcome::undecided);
  EXPECT_FALSE(Verification({none, 0.5, {check}}).passed());
}

// What nobody asked for is said, and decides nothing.
TEST(Verification, ReportsDoNotDecide) {
  const ClaimedGain claimed{10, 2};
  VerificationCheck body = measured_check("fitted", claimed, {{10, 9, 0.5}}, 0);
  body.asked = false;
  body.reason = "a torn body";
  Verification v{claimed, 0.5, {body}};
  EXPECT_TRUE(v.passed());
  EXPECT_EQ(v.verdict(), "fitted: a torn body");
  v.checks.push_back(measured_check("mesh", claimed, {{10, 3, 0}}, 1));
  EXPECT_TRUE(v.passed());
  EXPECT_NEAR(v.survives(), 7.0 / 8, 1e-12);
  v.checks[0].asked = true;
  EXPECT_FALSE(v.passed());
  v.checks[0].asked = false;
  v.checks[1] = unmeasured_check("mesh", Outcome::undecided, "there is none");
  v.checks[0].outcome = Outcome::described;
  EXPECT_FALSE(v.passed());
}

// A line through data: the fit of y = a x + b to shifted data moves by exactly the shift, and the interval decides.
TEST(ParameterShift, OfALinearFitIsTheFitToTheOtherModel) {
  Eigen::MatrixXd J(4, 2);
  J << 1, 0, 1, 1, 1, 2, 1, 3;
  const Eigen::VectorXd data = Eigen::Vector4d(0.1, 0.9, 2.2, 2.8), other = data + J * Eigen::Vector2d(0.2, -3.0);
  const Eigen::Vector2d fit = test::least_squares(J, data);
  const std::vector<FittedParameter> parameters = {{"b", VariableTransform(), fit[0], false}, {"a", VariableTransform(), fit[1], false}};
  const Uncertainty u = estimate_uncertainty(J * fit - data, J, parameters, {.known_noise = true});
  const std::vector<ParameterShift> s = parameter_shifts({J * fit - other, J}, {J * fit - data, J}, {VariableTransform(), VariableTransform()}, {fit[0], fit[1]}, u);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_NEAR(s[0].shifted - s[0].value, 0.2, 1e-12);
  EXPECT_NEAR(s[1].shifted - s[1].value, -3.0, 1e-12);
  EXPECT_NEAR(s[1].of_interval, 3.0 / (s[1].value - u.parameters[1].lower), 1e-12);
  const ClaimedGain claimed{10, 2};
  Verification v{claimed, 0.5, {measured_check("mesh", claimed, {{10, 2, 0}}, 1)}};
  EXPECT_TRUE(v.passed());
  v.checks[0].shifts = s;
  EXPECT_FALSE(v.passed());
  EXPECT_NE(v.verdict().find("a moves from"), std::string::npos) << v.verdict();
}

/// Errors of one step of y' = −y by backward Euler (accuracy 1) and the midpoint rule (2), against exp(−h): a step of half the length has the
/// error that its tolerance is.
TEST(RefinedTolerance, OfDividedStepsIsTheirError) {
  const auto euler = [](double h) { return std::abs(1 / (1 + h) - std::exp(-h)); };
  const auto midpoint = [](double h) { return std::abs((1 - h / 2) / (1 + h / 2) - std::exp(-h)); };
  constexpr double h = 1e-3;
  for (const int level : {1, 2}) {
    const double shorter = h / (1 << level);
    EXPECT_NEAR(tolerance_of_divided_steps(euler(h), level, 1) / euler(shorter), 1, 2 * h);
    EXPECT_NEAR(tolerance_of_divided_steps(midpoint(h), level, 2) / midpoint(shorter), 1, 2 * h);
  }
}

TEST(RefinedTolerance, OfSolversIsNotBelowRoundOff) {
  EXPECT_DOUBLE_EQ(tightened_tolerance(1e-3), 1e-5);
  EXPECT_DOUBLE_EQ(tightened_relative_tolerance(1e-6), 1e-8);
  EXPECT_DOUBLE_EQ(tightened_relative_tolerance(1e-13), 1e-14);
  EXPECT_DOUBLE_EQ(tightened_relative_tolerance(std::nullopt), 1e-14);
}

}  // namespace
}  // namespace invar
