#include <gtest/gtest.h>

#include "libadjoint/optimize/multi_start.hpp"
#include "tests/unit/adjoint/optimize_problems.hpp"

namespace invar {
namespace {

using namespace toy;

/// The method in pieces of `length` iterations, each in a fresh optimiser that knows but the numbers
/// saved at the last iterate of the piece before. `way` takes every iterate that is reported.
OptimizerResult in_pieces(const std::string& method, ReducedFunctional& f, OptimizerOptions options,
                          int length, std::vector<std::vector<double>>& way) {
  std::vector<double> saved;
  for (bool first = true;; first = false) {
    std::unique_ptr<Optimizer> optimizer;
    int left = length;
    options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      way.push_back(theta.shared);
      saved = optimizer->state();
      return --left > 0;
    };
    optimizer = make_optimizer(method, options);
    if (!first) optimizer->restore(saved);
    const OptimizerResult r = optimizer->minimize(f, f.start());
    if (!r.stopped || r.converged || way.size() > 500) return r;
  }
}

OptimizerResult whole(const std::string& method, ReducedFunctional& f, OptimizerOptions options,
                      std::vector<std::vector<double>>& way) {
  options.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
    way.push_back(theta.shared);
    return true;
  };
  return make_optimizer(method, options)->minimize(f, f.start());
}

/// With bounds that come and go, and with rejected points.
TEST(LevenbergMarquardt, ContinuesBitForBit) {
  for (const double upper : {infinity, 0.35}) {
    for (const double wall : {infinity, 0.5, 0.45}) {
      Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
      f.up[1] = upper;
      f.fails = [&](const Vector& x) { return x.maxCoeff() > wall; };
      std::vector<std::vector<double>> straight, pieces;
      const OptimizerResult expected = whole("levenberg_marquardt", f, {}, straight);
      ASSERT_GT(expected.iterations, 3);
      for (const int length : {1, 2}) {
        pieces.clear();
        f.state.reset();
        const OptimizerResult r = in_pieces("levenberg_marquardt", f, {}, length, pieces);
        EXPECT_EQ(pieces, straight);
        EXPECT_EQ(r.theta, expected.theta);
        EXPECT_EQ(r.value, expected.value);
        EXPECT_EQ(r.reason, expected.reason);
        EXPECT_EQ(r.relative_gradient, expected.relative_gradient);
        EXPECT_EQ(r.iterations, expected.iterations);
        EXPECT_EQ(r.evaluations, expected.evaluations);
        EXPECT_EQ(r.rejected, expected.rejected);
      }
    }
  }
}

TEST(LevenbergMarquardt, GoesOnWhenItsLimitIsRaised) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  std::vector<std::vector<double>> straight;
  const OptimizerResult expected = whole("levenberg_marquardt", f, {}, straight);
  std::vector<double> saved;
  std::unique_ptr<Optimizer> optimizer;
  OptimizerOptions options;
  options.max_iterations = 2;
  options.on_iteration = [&](const IterationReport&, const DesignVector&) {
    saved = optimizer->state();
    return true;
  };
  optimizer = make_optimizer("levenberg_marquardt", options);
  EXPECT_EQ(optimizer->minimize(f, f.start()).reason, "the limit of 2 iterations is reached");
  const auto more = make_optimizer("levenberg_marquardt", {});
  more->restore(saved);
  const OptimizerResult r = more->minimize(f, f.start());
  EXPECT_EQ(r.theta, expected.theta);
  EXPECT_EQ(r.iterations, expected.iterations);
}

TEST(LevenbergMarquardt, RefusesAStateOfAnotherProblem) {
  Fit f = exponential_fit(0.3, 0.4, {-1.0, 0.05});
  const auto optimizer = make_optimizer("levenberg_marquardt", {});
  optimizer->minimize(f, f.start());
  Fit other({1.0}, 1);
  other.rho = [](const Vector& x) -> Vector { return x; };
  other.drho = [](const Vector&) -> Matrix { return Matrix::Identity(1, 1); };
  const auto fresh = make_optimizer("levenberg_marquardt", {});
  fresh->restore(optimizer->state());
  EXPECT_THROW(fresh->minimize(other, other.start()), std::invalid_argument);
  EXPECT_TRUE(fresh->minimize(other, other.start()).converged) << "the next run begins anew";
}

/// What TAO knows is lost, and said to be; what the run has reached is not.
class TaoMethods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, TaoMethods, testing::Values("quasi_newton", "conjugate_gradient"));

TEST_P(TaoMethods, GoOnFromTheLastIterate) {
  EXPECT_NE(make_optimizer(GetParam(), {})->lost_on_restore(), "");
  Function f = rosenbrock();
  OptimizerOptions options;
  options.max_iterations = 2000;
  std::vector<std::vector<double>> straight, way;
  whole(GetParam(), f, options, straight);
  std::vector<double> saved;
  double value = infinity;
  for (int piece = 0; piece < 2; ++piece) {
    std::unique_ptr<Optimizer> optimizer;
    options.on_iteration = [&](const IterationReport& report, const DesignVector& theta) {
      EXPECT_EQ(report.iteration, static_cast<int>(way.size()));
      EXPECT_LT(report.value, value);
      value = report.value;
      way.push_back(theta.shared);
      saved = optimizer->state();
      return piece == 1 || report.iteration < 7;
    };
    optimizer = make_optimizer(GetParam(), options);
    if (piece == 1) optimizer->restore(saved);
    const OptimizerResult r = optimizer->minimize(f, f.start());
    EXPECT_EQ(r.stopped, piece == 0);
    EXPECT_EQ(r.converged, piece == 1);
    EXPECT_EQ(r.iterations, static_cast<int>(way.size()) - 1);
    EXPECT_EQ(r.theta.shared, way.back());
  }
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(way[k], straight[k]) << k;
  EXPECT_NEAR(way.back()[0], 1, 6e-6);
  EXPECT_NEAR(way.back()[1], 1, 6e-6);
}

/// An iterate is known by its numbers, not by how often it has been stopped at: the state of a restored run
/// that does nothing is the state it was given.
TEST_P(TaoMethods, AFinishedRunStaysFinished) {
  Function f = rosenbrock();
  const auto optimizer = make_optimizer(GetParam(), {.max_iterations = 2000});
  const OptimizerResult first = optimizer->minimize(f, f.start());
  const auto again = make_optimizer(GetParam(), {.max_iterations = 2000});
  again->restore(optimizer->state());
  const OptimizerResult r = again->minimize(f, f.start());
  EXPECT_TRUE(r.converged) << r.reason;
  EXPECT_EQ(r.theta, first.theta);
  EXPECT_EQ(r.iterations, first.iterations);
  EXPECT_EQ(r.evaluations, first.evaluations + 1);
}

TEST(MultiStart, ContinuesBitForBit) {
  const Problem p = hock_schittkowski(43);
  MultiStartOptions options{.starts = 5, .lower = std::vector<double>(4, -1.0), .upper = std::vector<double>(4, 1.0)};
  std::vector<std::vector<double>> straight;
  OptimizerOptions settings;
  settings.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
    straight.push_back(theta.shared);
    return true;
  };
  const MultiStartResult expected = multi_start(*make_optimizer("sqp", settings), *p, p->start(), options);

  std::vector<std::vector<double>> pieces;
  std::vector<double> saved;
  MultiStartResult all;
  for (int piece = 0; piece < 200; ++piece) {
    std::unique_ptr<Optimizer> optimizer;
    int left = 3;
    std::vector<OptimizerResult> done = options.done, done_when_saved = done;
    settings.on_iteration = [&](const IterationReport&, const DesignVector& theta) {
      pieces.push_back(theta.shared);
      saved = optimizer->state();
      done_when_saved = done;
      return --left > 0;
    };
    options.on_result = [&](const OptimizerResult& r) { done.push_back(r); };
    optimizer = make_optimizer("sqp", settings);
    if (piece > 0) optimizer->restore(saved);
    all = multi_start(*optimizer, *p, p->start(), options);
    options.done = done_when_saved;
    if (!all.results.back().stopped) break;
  }
  EXPECT_EQ(pieces, straight);
  ASSERT_EQ(all.results.size(), expected.results.size());
  EXPECT_EQ(all.best_start, expected.best_start);
  for (std::size_t k = 0; k < all.results.size(); ++k) {
    EXPECT_EQ(all.results[k].theta, expected.results[k].theta);
    EXPECT_EQ(all.results[k].reason, expected.results[k].reason);
    EXPECT_EQ(all.results[k].evaluations, expected.results[k].evaluations);
  }
}

}  // namespace
}  // namespace invar
