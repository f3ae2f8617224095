#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer_method.hpp"
#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

OptimizerOptions tight() {
  OptimizerOptions options;
  options.gradient_tolerance = 1e-7;
  options.constraint_tolerance = 1e-9;
  return options;
}

OptimizerResult run(const std::string& method, ReducedFunctional& f, OptimizerOptions options = tight()) {
  return make_optimizer(method, options)->minimize(f, f.start());
}

void expect_at(const OptimizerResult& r, const std::vector<double>& x, double tolerance) {
  ASSERT_EQ(r.theta.shared.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(r.theta.shared[i], x[i], tolerance) << i;
}

std::vector<std::string> constrained_methods() {
  std::vector<std::string> names;
  for (const OptimizerMethod& m : optimizer_methods())
    if (m.constrained) names.emplace_back(m.name);
  return names;
}
class ConstrainedMethods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, ConstrainedMethods, testing::ValuesIn(constrained_methods()));

TEST_P(ConstrainedMethods, SizeTheCantileverOfSvanberg) {
  const Problem p = cantilever();
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, 1.340, 5e-4);             // as published
  expect_at(r, p->minimiser, 6e-4);              // published to 5e-4
  EXPECT_NEAR(r.value, p->optimum, 1e-9);        // analytic
  EXPECT_LE(r.violation, 1e-9);
  EXPECT_LE(r.evaluations, 30);
}

TEST_P(ConstrainedMethods, SizeTheTwoBarsOfSvanberg) {
  const Problem p = two_bars();
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, 1.51, 5e-3);
  EXPECT_NEAR(r.value, p->optimum, 1e-9);
  expect_at(r, p->minimiser, 1e-6);
  EXPECT_LE(r.evaluations, 30);
}

TEST_P(ConstrainedMethods, SolvePublishedProblems) {
  // Values of 71 and 100 are published to ten digits. The minimiser is as exact as 1e-7 of the start
  // gradient, at most 90, over the curvature.
  for (const auto& [number, accuracy] :
       {std::pair{6, 1e-9}, {7, 1e-9}, {35, 1e-9}, {39, 1e-9}, {40, 1e-9}, {43, 1e-7}, {71, 1e-7},
        {100, 1e-6}}) {
    SCOPED_TRACE(number);
    const Problem p = hock_schittkowski(number);
    const OptimizerResult r = run(GetParam(), *p);
    EXPECT_TRUE(r.converged) << r.reason;
    EXPECT_NEAR(r.value, p->optimum, accuracy);
    expect_at(r, p->minimiser, 1e-5);
    EXPECT_LE(r.violation, 1e-9);  // equations too
    EXPECT_LE(r.evaluations, 60);
    EXPECT_EQ(r.rejected, 0);
  }
}

TEST_P(ConstrainedMethods, EndExactlyAtActiveBounds) {
  const Problem p = hock_schittkowski(71);
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_EQ(r.theta.shared[0], 1);
  // The cantilever with thickness limits that hold on both sides.
  const Problem beam = cantilever();
  beam->up[0] = 5.5;
  beam->lo[4] = 3;
  const OptimizerResult b = run(GetParam(), *beam);
  EXPECT_TRUE(b.converged) << b.reason;
  EXPECT_EQ(b.theta.shared[0], 5.5);
  EXPECT_EQ(b.theta.shared[4], 3);
  // The three others by the same formula under what deflection is left.
  const double left = 1 - 61 / std::pow(5.5, 3) - 1. / 27;
  const double a[] = {37, 19, 7};
  double sum = 0;
  for (const double ai : a) sum += std::pow(ai, .25);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(b.theta.shared[1 + i], std::pow(a[i], .25) * std::cbrt(sum / left), 1e-5);
}

TEST_P(ConstrainedMethods, BeginWhereTheConstraintsAreViolated) {
  for (const double x0 : {1.0, 1.5, 10.0}) {  // deflections 125, 37 and 0.125
    const Problem p = cantilever();
    p->x0.assign(5, x0);
    const OptimizerResult r = run(GetParam(), *p);
    EXPECT_TRUE(r.converged) << x0 << ' ' << r.reason;
    EXPECT_NEAR(r.value, p->optimum, 1e-9) << x0;
    EXPECT_LE(r.evaluations, 60) << x0;
  }
  const Problem q = hock_schittkowski(43);
  q->x0 = {4, -3, 5, 6};
  const OptimizerResult r = run(GetParam(), *q);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, -44, 1e-7);
  EXPECT_LE(r.evaluations, 60);
}

TEST_P(ConstrainedMethods, SayWhenNoPointMeetsTheConstraints) {
  const auto squared = [](const ComplexVector& x) { return x.cwiseProduct(x).sum(); };
  ConstrainedFunction p({2, 1}, [](const ComplexVector& x) { return x.sum(); }, {at_most(-1)},
                        [=](const ComplexVector& x) { return stack({squared(x)}); });
  const OptimizerResult r = run(GetParam(), p);
  EXPECT_FALSE(r.converged);
  EXPECT_NEAR(r.violation, 1, 1e-3) << r.reason;  // the least there is, at 0
}

TEST_P(ConstrainedMethods, KeepARangeAndAnEquationTogether) {
  // Nearest point to (3, 3, 0) with 1 ≤ x + y ≤ 2 and x − z = 0.5: Lagrange's conditions give
  // x = (y, …): minimise (x−3)² + (y−3)² + (x−½)² on x + y = 2.
  ConstrainedFunction p(
      {0, 0, 0},
      [](const ComplexVector& x) {
        return std::pow(x[0] - 3.0, 2) + std::pow(x[1] - 3.0, 2) + x[2] * x[2];
      },
      {{"sum", 1, 2, 0.1}, {"difference", 0.5, 0.5, 10}},
      [](const ComplexVector& x) { return stack({x[0] + x[1], x[0] - x[2]}); });
  OptimizerResult r = run(GetParam(), p);
  EXPECT_TRUE(r.converged) << r.reason;
  // x = 2 − y: derivative of (x−3)² + (−1−x)² + (x−½)² is 6x − 5.
  expect_at(r, {5. / 6, 7. / 6, 1. / 3}, 1e-6);
  // With the target below, the other limit holds: (x+3)² + (4−x)² + (x−½)², y = 1 − x.
  p.objective = [](const ComplexVector& x) {
    return std::pow(x[0] + 3.0, 2) + std::pow(x[1] + 3.0, 2) + x[2] * x[2];
  };
  r = run(GetParam(), p);
  EXPECT_TRUE(r.converged) << r.reason;
  expect_at(r, {0.5, 0.5, 0}, 1e-6);
}

TEST_P(ConstrainedMethods, GoAroundPointsThatCannotBeEvaluated) {
  // Half of the way to the optimum of the cantilever, too thin a tip: x₅ < 2.1 or any x > 6.3.
  const Problem p = cantilever();
  p->fails = [](const Vector& x) { return x[4] < 2.1 || x.maxCoeff() > 6.05; };
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, p->optimum, 1e-9);
  EXPECT_GT(r.rejected, 0);
  EXPECT_EQ(r.last_rejection, "x is in the bad region");
  EXPECT_LE(r.evaluations, 60);
}

TEST_P(ConstrainedMethods, NeverTakeAWallForTheResult) {
  const Problem p = cantilever();
  p->fails = [](const Vector& x) { return x[4] < 3; };
  OptimizerOptions options = tight();
  options.max_iterations = 500;
  const OptimizerResult r = run(GetParam(), *p, options);
  EXPECT_FALSE(r.converged);
  EXPECT_GE(r.theta.shared[4], 3);
  EXPECT_LT(r.value, 1.56);
  EXPECT_GT(r.rejected, 0);
  EXPECT_NE(r.reason.find("bad region"), std::string::npos) << r.reason;
}

TEST_P(ConstrainedMethods, RejectAPointWhoseConstraintGradientsFail) {
  struct Failing : ConstrainedFunction {
    using ConstrainedFunction::ConstrainedFunction;
    int failures = 2;
    Evaluation constraint_gradients(const DesignVector& t, std::vector<double>& c,
                                    std::vector<DesignVector>& g) override {
      if (t.shared != x0 && failures-- > 0) return Evaluation::failure("no adjoint");
      return ConstrainedFunction::constraint_gradients(t, c, g);
    }
  };
  const Problem original = cantilever();
  Failing p(original->x0, original->objective, original->infos, original->constraint);
  p.lo = original->lo;
  p.up = original->up;
  const OptimizerResult r = run(GetParam(), p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_NEAR(r.value, original->optimum, 1e-9);
  EXPECT_EQ(r.rejected, 2);
  EXPECT_EQ(r.last_rejection, "no adjoint");
}

TEST_P(ConstrainedMethods, AskForGradientsAtAcceptedPointsOnly) {
  struct Counting : ConstrainedFunction {
    using ConstrainedFunction::ConstrainedFunction;
    int gradients_asked = 0, constraint_gradients_asked = 0;
    Evaluation gradient(const DesignVector& t, DesignVector& g) override {
      ++gradients_asked;
      return ConstrainedFunction::gradient(t, g);
    }
    Evaluation constraint_gradients(const DesignVector& t, std::vector<double>& c, std::vector<DesignVector>& g) override {
      ++constraint_gradients_asked;
      return ConstrainedFunction::constraint_gradients(t, c, g);
    }
  };
  const Problem original = cantilever();
  Counting p(original->x0, original->objective, original->infos, original->constraint);
  p.lo = original->lo;
  p.up = original->up;
  const OptimizerResult r = run(GetParam(), p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_GT(r.evaluations, r.iterations);
  EXPECT_EQ(p.gradients_asked, r.iterations + 1);
  EXPECT_EQ(p.constraint_gradients_asked, r.iterations + 1);
}

TEST_P(ConstrainedMethods, ReportAStartThatCannotBeEvaluated) {
  const Problem p = cantilever();
  p->fails = [](const Vector&) { return true; };
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_FALSE(r.converged);
  EXPECT_TRUE(std::isnan(r.value));
  EXPECT_EQ(r.theta, p->start());
  EXPECT_EQ(r.reason, "the start could not be evaluated: x is in the bad region");
}

TEST_P(ConstrainedMethods, RecogniseAStartThatIsTheOptimum) {
  const Problem p = hock_schittkowski(43);
  p->x0 = p->minimiser;
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_LE(r.evaluations, 10);
  EXPECT_NEAR(r.value, -44, 1e-9);
}

TEST_P(ConstrainedMethods, DoNotCareForUnits) {
  // Grams instead of tonnes, a constraint in other units, variables in micrometres.
  const Problem p = cantilever(), q = cantilever();
  q->objective = [&](const ComplexVector& x) { return 1e6 * p->objective(1e-6 * x); };
  q->constraint = [&](const ComplexVector& x) -> ComplexVector { return 1e3 * p->constraint(1e-6 * x); };
  q->infos = {{"g", -infinity, 1e3, 1e3}};
  for (std::size_t i = 0; i < 5; ++i) q->x0[i] *= 1e6, q->lo[i] *= 1e6, q->up[i] *= 1e6;
  const OptimizerResult a = run(GetParam(), *p), b = run(GetParam(), *q);
  EXPECT_TRUE(b.converged) << b.reason;
  EXPECT_EQ(b.evaluations, a.evaluations);
  EXPECT_NEAR(b.value / a.value, 1e6, 1e-3);
}

TEST_P(ConstrainedMethods, LeaveFixedVariablesAlone) {
  // The third thickness counts a million times as much, but is not to be changed.
  const Problem p = cantilever();
  p->lo[2] = p->up[2] = p->x0[2];
  p->objective = [](const ComplexVector& x) { return 0.0624 * (x.sum() + 1e6 * (x[2] - 5.0)); };
  const OptimizerResult r = run(GetParam(), *p);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_EQ(r.theta.shared[2], 5);
  const double a[] = {61, 37, 7, 1};  // the others as above under what deflection is left
  double sum = 0;
  for (const double ai : a) sum += std::pow(ai, .25);
  EXPECT_NEAR(r.value, 0.0624 * (5 + sum * std::cbrt(sum / (1 - 19. / 125))), 1e-9);
}

TEST_P(ConstrainedMethods, NeedNoConstraints) {
  const auto squares = [](const ComplexVector& x) {
    return std::pow(x[0] - 1.0, 2) + 4.0 * std::pow(x[1] + 2.0, 2) + 0.5 * (x[0] - 1.0) * x[1];
  };
  ConstrainedFunction p({5, 5}, squares, {}, {});
  p.lo[1] = -1;
  const OptimizerResult r = run(GetParam(), p);
  EXPECT_TRUE(r.converged) << r.reason;
  // With y at its bound 2 (x − 1) − ½ = 0; 1e-7 of the start gradient, 59, by the curvature 2.
  expect_at(r, {1.25, -1}, 3e-6);
  EXPECT_EQ(r.violation, 0);
}

TEST_P(ConstrainedMethods, RefuseWrongProblems) {
  const Problem p = cantilever();
  p->infos[0].scale = 0;
  EXPECT_THROW(run(GetParam(), *p), std::invalid_argument);
  p->infos[0] = {"g", 2, 1, 1};
  EXPECT_THROW(run(GetParam(), *p), std::invalid_argument);
  p->infos[0] = at_most(1);
  p->lo[0] = 6;
  EXPECT_THROW(run(GetParam(), *p), std::invalid_argument);
}

TEST_P(ConstrainedMethods, ReportTheViolation) {
  const Problem p = cantilever();
  p->x0.assign(5, 2);
  p->infos[0].scale = 0.5;
  std::vector<IterationReport> seen;
  OptimizerOptions options = tight();
  options.on_iteration = [&](const IterationReport& report, const DesignVector& theta) {
    const double c = p->constraint(to_eigen(theta.shared).cast<Complex>())[0].real();
    EXPECT_DOUBLE_EQ(report.violation, std::max(c - 1, 0.0) / 0.5);
    EXPECT_EQ(report.constraints, std::vector<double>{c});
    EXPECT_EQ(report.iteration, static_cast<int>(seen.size()));
    seen.push_back(report);
    return true;
  };
  const OptimizerResult r = run(GetParam(), *p, options);
  EXPECT_DOUBLE_EQ(seen.front().violation, (125. / 8 - 1) / 0.5);
  EXPECT_EQ(seen.back().violation, r.violation);
  EXPECT_EQ(seen.back().evaluations, r.evaluations);
  options.max_iterations = 3;
  seen.clear();
  EXPECT_EQ(run(GetParam(), *p, options).reason, "the limit of 3 iterations is reached");
}

TEST_P(ConstrainedMethods, ContinueBitForBit) {
  for (const int number : {7, 43, 71, 100}) {
    const Problem p = hock_schittkowski(number);
    p->fails = [](const Vector& x) { return x[1] > 5.2; };  // rejections belong to the state, too
    std::vector<std::vector<double>> whole, parts;
    OptimizerOptions options = tight();
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      whole.push_back(theta.shared);
      return true;
    };
    const OptimizerResult expected = run(GetParam(), *p, options);
    ASSERT_GT(expected.iterations, 6);

    // In pieces of two iterations, each in a fresh optimiser that knows but the saved numbers.
    std::vector<double> saved;
    OptimizerResult r;
    for (int piece = 0; piece < 200; ++piece) {
      std::unique_ptr<Optimizer> optimizer;
      int left = 2;
      options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
        parts.push_back(theta.shared);
        saved = optimizer->state();
        return --left > 0;
      };
      optimizer = make_optimizer(GetParam(), options);
      if (piece > 0) optimizer->restore(saved);
      r = optimizer->minimize(*p, p->start());
      if (!r.stopped || r.converged) break;
    }
    EXPECT_EQ(parts, whole) << number;
    EXPECT_EQ(r.reason, expected.reason);
    EXPECT_EQ(r.evaluations, expected.evaluations);
    EXPECT_EQ(r.value, expected.value);
  }
}

TEST_P(ConstrainedMethods, RefuseAStateThatIsNotTheirs) {
  const Problem p = cantilever(), other = two_bars();
  const auto optimizer = make_optimizer(GetParam(), tight());
  optimizer->minimize(*p, p->start());
  std::vector<double> state = optimizer->state();
  const auto fresh = make_optimizer(GetParam(), tight());
  fresh->restore(state);
  EXPECT_THROW(fresh->minimize(*other, other->start()), std::invalid_argument);
  state.pop_back();
  EXPECT_THROW(fresh->restore(state), std::invalid_argument);
  EXPECT_THROW(fresh->restore({}), std::invalid_argument);
  EXPECT_THROW(make_optimizer(GetParam() == "mma" ? "sqp" : "mma", {})->restore(optimizer->state()),
               std::invalid_argument);
  EXPECT_TRUE(fresh->minimize(*other, other->start()).converged);
}

}  // namespace
}  // namespace invar
