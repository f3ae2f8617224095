#include "libadjoint/optimize/multi_start.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

/// Himmelblau-like in one variable with many minima: (x − 3)²/20 − cos 2πx + 1 in each of two
/// variables, global minimum 0 at (3, 3), local ones near every integer.
Function egg_box(std::vector<double> start) {
  Function f(std::move(start));
  f.lo = {-5, -5};
  f.up = {10, 10};
  f.f = [](const Vector& x) {
    const auto a = x.array();
    return ((a - 3).square() / 20 - (2 * std::numbers::pi * a).cos() + 1).sum();
  };
  f.g = [](const Vector& x) -> Vector {
    const auto a = x.array();
    return (a - 3) / 10 + 2 * std::numbers::pi * (2 * std::numbers::pi * a).sin();
  };
  return f;
}

TEST(MultiStart, FindsALowerMinimumThanTheGivenStart) {
  Function f = egg_box({-4.9, 7.2});
  const auto optimizer = make_optimizer("quasi_newton", {});
  const OptimizerResult single = optimizer->minimize(f, f.start());
  const MultiStartResult all = multi_start(*optimizer, f, f.start(), {.starts = 20});
  ASSERT_EQ(all.results.size(), 20u);
  EXPECT_EQ(all.starts[0], f.start());
  EXPECT_DOUBLE_EQ(all.results[0].value, single.value);
  EXPECT_LT(all.best.value, single.value);
  for (const OptimizerResult& r : all.results) EXPECT_LE(all.best.value, r.value);
  EXPECT_EQ(all.results[static_cast<std::size_t>(all.best_start)].theta, all.best.theta);
}

TEST(MultiStart, DrawsALatinHypercubeThatTheSeedDecides) {
  Function f = egg_box({0, 0});
  const auto optimizer = make_optimizer("quasi_newton", {.max_iterations = 1});
  const int drawn = 10;
  const auto draw = [&](std::uint64_t seed) {
    return multi_start(*optimizer, f, f.start(), {.starts = drawn + 1, .seed = seed}).starts;
  };
  const auto starts = draw(7);
  EXPECT_EQ(draw(7), starts);
  EXPECT_NE(draw(8), starts);
  for (std::size_t i = 0; i < 2; ++i) {  // one in each of ten slices of [-5, 10]
    std::set<int> slices;
    for (std::size_t k = 1; k < starts.size(); ++k)
      slices.insert(static_cast<int>((starts[k].shared[i] + 5) / 15 * drawn));
    EXPECT_EQ(slices.size(), static_cast<std::size_t>(drawn));
    EXPECT_GE(*slices.begin(), 0);
    EXPECT_LT(*slices.rbegin(), drawn);
  }
}

TEST(MultiStart, SurvivesStartsThatCannotBeEvaluated) {
  Function f = egg_box({-4, -4});
  f.fails = [](const Vector& x) { return x[0] < 2; };  // the given start fails, and others
  const auto optimizer = make_optimizer("quasi_newton", {});
  const MultiStartResult all = multi_start(*optimizer, f, f.start(), {.starts = 12});
  EXPECT_TRUE(std::isnan(all.results[0].value));
  EXPECT_TRUE(std::isfinite(all.best.value));
  EXPECT_GT(all.best_start, 0);
  EXPECT_GE(all.best.theta.shared[0], 2);

  f.fails = [](const Vector&) { return true; };
  const MultiStartResult none = multi_start(*optimizer, f, f.start(), {.starts = 3});
  EXPECT_TRUE(std::isnan(none.best.value));
  EXPECT_NE(none.best.reason.find("could not be evaluated"), std::string::npos);
}

TEST(MultiStart, PrefersAFeasibleResultToALowerOne) {
  // min x on 1 ≤ x² ≤ 4; starts below −2 are lower, but not feasible.
  ConstrainedFunction f({1.5}, [](const ComplexVector& x) { return x[0]; }, {{"g", 1, 4, 1}},
                        [](const ComplexVector& x) { return stack({x[0] * x[0]}); });
  f.lo = {-10};
  f.up = {10};
  for (const std::string method : {"mma", "sqp"}) {
    const auto optimizer = make_optimizer(method, {.max_iterations = 60});
    const MultiStartResult all = multi_start(*optimizer, f, f.start(), {.starts = 6});
    EXPECT_NEAR(all.best.value, -2, 1e-6) << method;
    EXPECT_TRUE(all.best.feasible);
  }
  const auto hasty = make_optimizer("mma", {.max_iterations = 1});
  const MultiStartResult all = multi_start(*hasty, f, f.start(), {.starts = 6});
  EXPECT_TRUE(all.best.feasible);
  EXPECT_TRUE(std::any_of(all.results.begin(), all.results.end(), [&](const OptimizerResult& r) {
    return !r.feasible && r.value < all.best.value;
  }));
}

TEST(MultiStart, NeedsAFiniteRange) {
  Function f = rosenbrock();
  const auto optimizer = make_optimizer("quasi_newton", {});
  EXPECT_THROW(multi_start(*optimizer, f, f.start()), std::invalid_argument);
  MultiStartOptions options{.starts = 3, .lower = {-2, -2}, .upper = {2, 2}};
  EXPECT_NEAR(multi_start(*optimizer, f, f.start(), options).best.value, 0, 1e-10);
  options.upper = {2};
  EXPECT_THROW(multi_start(*optimizer, f, f.start(), options), std::invalid_argument);
}

}  // namespace
}  // namespace invar
