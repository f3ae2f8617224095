#include <gtest/gtest.h>

#include "libadjoint/optimize/optimizer.hpp"
#include "tests/unit/adjoint/optimize_bars.hpp"

namespace invar::field_designs {
namespace {

using namespace toy;

OptimizerOptions tight() {
  OptimizerOptions options;
  options.gradient_tolerance = 1e-7;
  options.constraint_tolerance = 1e-9;
  return options;
}

OptimizerResult run(ReducedFunctional& f, const OptimizerOptions& options = tight(), const char* method = "mma") {
  return make_optimizer(method, options)->minimize(f, f.start());
}

void expect_optimal(const Bars& f, const OptimizerResult& r, double tolerance) {
  const std::vector<double> x = f.optimum();
  EXPECT_NEAR(r.theta.shared[0], x[0], tolerance);
  double error = 0;
  for (int i = f.first; i < f.last; ++i)
    error = std::max(error, std::abs(r.theta.local[static_cast<std::size_t>(i - f.first)] -
                                     x[static_cast<std::size_t>(i) + 1]));
  EXPECT_LE(error, tolerance);
}

TEST(Mma, SharesAVolumeAmongTenThousandBarsOnAllRanks) {
  // Bounds hold on both sides; as inequality and as equation; from both sides of the volume.
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const bool equation : {false, true})
    for (const bool conservative : {true, false})
      for (const double start : {0.3, 0.55}) {
        if (ranks > 1 && (start < 0.5) != (equation == conservative)) continue;  // each with each once
        SCOPED_TRACE(testing::Message() << equation << conservative << start);
        Bars f(10000, MPI_COMM_WORLD);
        f.equation = equation;
        f.x_start = start;
        OptimizerOptions options = tight();
        options.conservative = conservative;
        const OptimizerResult r = run(f, options);
        EXPECT_TRUE(r.converged) << r.reason;
        EXPECT_LE(r.violation, 1e-9);
        EXPECT_LE(r.evaluations, 60);
        EXPECT_TRUE(conservative || r.evaluations == r.iterations + 1);
        const std::vector<double> x = f.optimum();
        EXPECT_EQ(*std::min_element(x.begin(), x.end()), f.x_lower);
        EXPECT_EQ(*std::max_element(x.begin() + 1, x.end()), f.x_upper);
        expect_optimal(f, r, 1e-4);
      }
}

TEST(InteriorPoint, SharesAVolumeAmongTenThousandBarsOnAllRanks) {
  for (const bool equation : {false, true}) {
    SCOPED_TRACE(equation);
    Bars f(10000, MPI_COMM_WORLD);
    f.equation = equation;
    const OptimizerResult r = run(f, tight(), "interior_point");
    EXPECT_TRUE(r.converged) << r.reason;
    EXPECT_LE(r.violation, 1e-9);
    EXPECT_LE(r.evaluations, 60);
    const std::vector<double> x = f.optimum();
    EXPECT_EQ(*std::min_element(x.begin(), x.end()), f.x_lower);
    EXPECT_EQ(*std::max_element(x.begin() + 1, x.end()), f.x_upper);
    expect_optimal(f, r, 1e-4);
  }
}

TEST(Mma, TakesFieldsWithoutUpperBounds) {
  Bars f(1000, MPI_COMM_WORLD);
  f.x_upper = HUGE_VAL;
  f.x_lower = 1e-3;
  const OptimizerResult r = run(f);
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_LE(r.evaluations, 60);
  expect_optimal(f, r, 1e-4);
}

TEST(Mma, GoesTheSameWayOnAnyNumberOfRanks) {
  Bars together(10000, MPI_COMM_WORLD), alone(10000, MPI_COMM_SELF);
  std::vector<DesignVector> ways[2];
  for (int k = 0; k < 2; ++k) {
    OptimizerOptions options = tight();
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      ways[k].push_back(theta);
      return true;
    };
    run(k == 0 ? together : alone, options);
  }
  ASSERT_EQ(ways[0].size(), ways[1].size());
  for (std::size_t it = 0; it < ways[0].size(); ++it) {
    double difference = std::abs(ways[0][it].shared[0] - ways[1][it].shared[0]);
    for (std::size_t i = 0; i < ways[0][it].local.size(); ++i)
      difference = std::max(difference,
                            std::abs(ways[0][it].local[i] -
                                     ways[1][it].local[i + static_cast<std::size_t>(together.first)]));
    EXPECT_LE(difference, 1e-12) << "iteration " << it;
  }
}

TEST(Mma, LearnsOfAFailureOnAnotherRank) {
  Bars f(1000, MPI_COMM_WORLD);
  f.wall = 0.5;  // inside the bounds that hold at the optimum
  OptimizerOptions options = tight();
  options.max_iterations = 300;
  OptimizerResult r = run(f, options);
  EXPECT_FALSE(r.converged);
  EXPECT_GT(r.rejected, 0);
  for (const double x : r.theta.local) EXPECT_LE(x, f.wall);
  // Beyond what is needed, the wall only shortens steps.
  f.wall = 0.61;
  f.x_upper = 3;
  f.volume = 0.45;
  r = run(f, options);
  EXPECT_TRUE(r.converged) << r.reason;
  expect_optimal(f, r, 1e-4);
}

TEST(Mma, LimitsTheMoveOfVariablesWithTwoBounds) {
  Bars f(100, MPI_COMM_WORLD);
  for (const double move : {0.05, 0.2}) {
    OptimizerOptions options = tight();
    options.max_move = move;
    DesignVector before = f.start();
    double longest = 0;
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      for (std::size_t i = 0; i < theta.local.size(); ++i)
        longest = std::max(longest, std::abs(theta.local[i] - before.local[i]));
      before = theta;
      return true;
    };
    run(f, options);
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_LE(longest, move * (f.x_upper - f.x_lower) * (1 + 1e-12));
    EXPECT_GE(longest, 0.02);
  }
}

TEST(Mma, ContinuesAFieldBitForBit) {
  Bars f(300, MPI_COMM_WORLD);
  const OptimizerResult whole = run(f);
  std::vector<double> saved;
  OptimizerOptions options = tight();
  std::unique_ptr<Optimizer> first;
  options.on_iteration = [&](const IterationReport& report, const DesignVector&) {
    saved = first->state();
    return report.iteration < 5;
  };
  first = make_optimizer("mma", options);
  EXPECT_TRUE(first->minimize(f, f.start()).stopped);
  const auto second = make_optimizer("mma", tight());
  second->restore(saved);
  const OptimizerResult r = second->minimize(f, f.start());
  EXPECT_EQ(r.theta, whole.theta);
  EXPECT_EQ(r.value, whole.value);
  EXPECT_EQ(r.iterations, whole.iterations);
  EXPECT_EQ(r.evaluations, whole.evaluations);
}

}  // namespace
}  // namespace invar::field_designs
