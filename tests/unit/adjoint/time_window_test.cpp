#include "libadjoint/time/time_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "libadjoint/time/time_grid.hpp"

namespace invar {
namespace {

constexpr WindowShape all_shapes[] = {WindowShape::square, WindowShape::hann, WindowShape::hann_squared, WindowShape::bump};

double average(const TimeWindow& w, const std::vector<double>& times, double (*f)(double)) {
  double sum = 0;
  for (std::size_t i = 0; i < w.steps.size(); ++i) sum += w.weights[i] * f(times[w.steps[i]]);
  return sum;
}

// The trapezoidal rule is exact for linear functions, whatever the steps.
TEST(TimeWindow, MeansOfLinearFunctionsAreExactOnUnevenSteps) {
  const std::vector<double> times{0, 0.5, 0.6, 1.1, 2, 2.2, 3};
  const TimeWindow w = time_window(times, 0.5, 2.2, WindowShape::square);
  EXPECT_EQ(w.steps, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_NEAR(average(w, times, [](double t) { return 3 * t - 1; }), 3 * (0.5 + 2.2) / 2 - 1, 1e-14);
}

// ∫ (1 − cos 2πs) cos 2πfs ds from 0 to 1 in closed form, f = 3.3 periods.
TEST(TimeWindow, HannWindowOfACosine) {
  const std::vector<double> times = uniform_times(0, 1, 4000);
  const auto a = [](double f) { return std::sin(2 * std::numbers::pi * f) / (2 * std::numbers::pi * f); };
  const auto cosine = [](double s) { return std::cos(2 * std::numbers::pi * 3.3 * s); };
  EXPECT_NEAR(average(time_window(times, 0, 1, WindowShape::square), times, cosine), a(3.3), 1e-6);
  EXPECT_NEAR(average(time_window(times, 0, 1, WindowShape::hann), times, cosine), a(3.3) - 0.5 * (a(4.3) + a(2.3)), 1e-6);
}

// The average of a signal over a non-integer number of periods converges to zero faster for smoother windows.
TEST(TimeWindow, SmootherWindowsConvergeFaster) {
  const std::vector<double> times = uniform_times(0, 1, 8000);
  double last = 1;
  for (const WindowShape shape : all_shapes) {
    const double mean = std::abs(average(time_window(times, 0, 1, shape), times, [](double s) { return std::cos(2 * std::numbers::pi * 60.3 * s); }));
    EXPECT_LT(mean, 0.2 * last) << static_cast<int>(shape);
    last = mean;
  }
}

TEST(TimeWindow, WeightsAddUpToOneAlsoWhereTimesFall) {
  const std::vector<double> rising{0, 0.2, 0.5, 0.6, 1};
  const std::vector<double> falling(rising.rbegin(), rising.rend());
  for (const WindowShape shape : all_shapes) {
    const TimeWindow up = time_window(rising, 0, 1, shape), down = time_window(falling, 0, 1, shape);
    EXPECT_NEAR(std::accumulate(up.weights.begin(), up.weights.end(), 0.0), 1, 1e-15);
    ASSERT_EQ(down.weights.size(), up.weights.size());
    for (std::size_t i = 0; i < up.weights.size(); ++i) EXPECT_NEAR(down.weights[up.weights.size() - 1 - i], up.weights[i], 1e-15);
  }
}

TEST(TimeWindow, FewerThanTwoTimesAreNoWindow) {
  EXPECT_TRUE(time_window({0, 1, 2}, 0.9, 1.1, WindowShape::square).steps.empty());
  EXPECT_TRUE(time_window({0, 1, 2}, 2, 0, WindowShape::hann).steps.empty());
  EXPECT_THROW(window_shape("gauss"), std::invalid_argument);
}

TEST(TimeGrid, WantedTimesAreMetExactly) {
  const double third = std::nextafter(1.0 / 3, 1.0);  // not that of the grid
  const std::vector<double> times = with_times(uniform_times(0, 1, 3), {0.2, third, 0.9});
  EXPECT_EQ(times, (std::vector<double>{0, 0.2, third, 2.0 / 3, 0.9, 1}));
}

TEST(TimeGrid, StepsThatDoNotLeadToTheEndAreFound) {
  bool fits = false;
  EXPECT_EQ(step_count(1, 2, 0.1, fits), 10);
  EXPECT_TRUE(fits);
  EXPECT_EQ(step_count(0, 1, 0.3, fits), 3);
  EXPECT_FALSE(fits);
}

TEST(TimeGrid, StepsAreDividedBetweenTimesThatStay) {
  const double third = 1.0 / 3;
  EXPECT_EQ(divided_times({0, third, 2}, 1), (std::vector<double>{0, third, 2}));
  const std::vector<double> four = divided_times({0.5, 1.5, 3.5}, 4);
  EXPECT_EQ(four, (std::vector<double>{0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 3.5}));
  EXPECT_EQ(divided_times({7}, 2), (std::vector<double>{7}));
  EXPECT_TRUE(divided_times({}, 2).empty());
}

TEST(TimeGrid, TimesOfSeveralProcessesAreMerged) {
  EXPECT_EQ(merged_times({0, 0.5, 1, 0, 0.25, 1 + 1e-12}), (std::vector<double>{0, 0.25, 0.5, 1}));
  EXPECT_TRUE(merged_times({}).empty());
}

}  // namespace
}  // namespace invar
