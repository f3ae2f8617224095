#include "libadjoint/time/truncated_sweeps.hpp"

#include <gtest/gtest.h>

#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/time/march_trust.hpp"
#include "tests/unit/adjoint/time_objective.hpp"

namespace invar::toy {
namespace {

struct FirstUnknown {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>&, double) const { return {y[0][0]}; }
};

/// u̇ + λ u = 0 with a designed λ.
struct Decay : PlainModel {
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double) const { return {y[1][0] + d[0] * y[0][0]}; }
  template <class T>
  Column<T> initial(Level, const Column<T>&) const { return {T(1)}; }
};

/// By backward Euler each of 100 steps has the same share in d/dλ of (1 + λ h)⁻¹⁰⁰ = u(2).
TEST(FullSweeps, LastAsLongAsTheyLive) {
  auto toy = std::make_shared<Toy<Decay>>(Decay(), std::vector{control("lambda")}, Controls{{1.0}});
  MarchOptions options = tight();
  options.horizon = 30;
  const std::shared_ptr<TransientCase> process = march(toy, TimeScheme(TimeScheme::Kind::backward_euler, 1), uniform(2, 100), options);
  process->terms() = {{.name = "end", .observable = observe(toy, 1, FirstUnknown{}), .steps = {100}}};
  DesignEntry lambda;
  lambda.name = "lambda", lambda.start = 1, lambda.lower = 0, lambda.upper = 10;
  lambda.targets = {{0, 0}};
  CaseFunctional functional(std::vector{process}, {std::make_shared<NumberDesign>(std::vector{lambda})}, PETSC_COMM_WORLD);
  const auto gradient = [&] {
    DesignVector g;
    EXPECT_TRUE(functional.gradient(functional.start(), g).ok);
    return g;
  };
  const std::vector<TruncatedSweeps> sweeps{{process.get(), 30, false}};
  const double whole = -2 / 1.02 * std::pow(1.02, -100);
  const DesignVector kept = gradient();
  EXPECT_NEAR(kept.shared[0], 0.3 * whole, 1e-12);
  DesignVector full;
  {
    const FullSweeps alive(functional, sweeps);
    full = gradient();
    EXPECT_NEAR(full.shared[0], whole, 1e-12);
  }
  EXPECT_NEAR(gradient().shared[0], 0.3 * whole, 1e-12);

  EXPECT_EQ(shortenings(sweeps), std::vector<std::string>{"case march: horizon of 30 steps"});
  EXPECT_EQ(shortenings({{process.get(), 0, true}}), std::vector<std::string>{"case march: states in single precision"});
  EXPECT_TRUE(shortenings({{process.get(), 0, false}}).empty());
  const TruncatedGradient left = compare_shortened(kept, full, shortenings(sweeps), functional.comm());
  EXPECT_NEAR(left.relative_error, 0.7, 1e-10);
  EXPECT_NEAR(left.cosine, 1, 1e-12);
}

TEST(MarchTrust, ResidualsOfALinearEquationAreRoundOff) {
  auto toy = std::make_shared<Toy<Decay>>(Decay(), std::vector{control("lambda")}, Controls{{1.0}});
  const auto process = march(toy, TimeScheme(TimeScheme::Kind::backward_euler, 1), uniform(2, 10));
  int told = 0;
  process->on_step = [&](int, const NewtonReport&) { ++told; };
  StepResiduals residuals;
  residuals.listen(*process);
  for (int run = 1; run <= 2; ++run) {  // of the last run alone
    ASSERT_TRUE(process->run(toy->control_values()).ok);
    EXPECT_EQ(residuals.relative().size(), 10u);
    EXPECT_LT(residuals.largest(), 1e-12);
    EXPECT_EQ(told, 10 * run) << "what listened before still does";
  }
}

TEST(MarchTrust, ByTime) {
  const std::vector<double> times{0, 1, 3};
  MarchReport report;
  report.adjoint_residuals = {{3, 1e-9}, {2, 5e-9}, {1 + 1e-12, 2e-9}, {0.5, 1e-9}, {0, 7e-9}};
  EXPECT_EQ(adjoint_residuals_by_time(report, times), (std::vector<double>{7e-9, 2e-9, 5e-9}));
  const std::vector<MarchReport::Trouble> troubles{{0, 1, true, ""}, {1, 2, false, ""}, {1, 2, true, ""}, {1, 0.5, true, ""}};
  EXPECT_EQ(divisions_by_time(troubles, times), (std::vector<double>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(swept_time({1, 1, 0.5, 0.25}, 0), 2.75);
  EXPECT_DOUBLE_EQ(swept_time({1, 1, 0.5, 0.25}, 2), 0.75);
  EXPECT_DOUBLE_EQ(swept_time({1, 1}, 7), 2);
}

TEST(MarchTrust, AnAdjointThatGrowsByOrdersOfMagnitudeSaysLittle) {
  EXPECT_FALSE(grows_beyond_meaning(-1, 100));
  EXPECT_FALSE(grows_beyond_meaning(1, 9));   // e⁹ = 8103
  EXPECT_TRUE(grows_beyond_meaning(1, 9.3));  // e⁹·³ = 10938
  MarchReport report;
  report.adjoint_solves = 2;
  EXPECT_FALSE(has_growth_rate(report)) << "a line through two points fits anything";
  report.adjoint_solves = 3;
  EXPECT_TRUE(has_growth_rate(report));
}

}  // namespace
}  // namespace invar::toy
