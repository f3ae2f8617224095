#include "libadjoint/time_statistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "libadjoint/maps/sampled_extremum.hpp"

namespace invar::time_statistics {
namespace {

using std::numbers::pi;

/// Equal steps of h, all of them in the window, weighted by trapezia.
struct Signal {
  std::vector<double> times, y, weights;
  template <class F>
  Signal(double end, int steps, F&& f) {
    for (int k = 0; k <= steps; ++k) {
      times.push_back(end * k / steps);
      y.push_back(f(times.back()));
      weights.push_back((k == 0 || k == steps ? 0.5 : 1.0) / steps);
    }
  }
  TimeStatistic made(const std::string& word) const { return {time_statistic_kind(word), times, weights}; }
  double of(const std::string& word) const { return made(word).value(y); }
  std::vector<double> gradient(const std::string& word) const { return made(word).gradient(y); }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Signal swing() {
  return {5, 203, [](double t) { return 0.7 + 0.3 * std::exp(-0.4 * t) * std::cos(2 * pi * 1.3 * t + 0.4); }};
}

TEST(TimeStatistic, OfASineIsWhatItMustBe) {
  const Signal sine(4, 400, [](double t) { return 0.2 + 3 * std::sin(2 * pi * t); });
  EXPECT_NEAR(sine.of("mean"), 0.2, 1e-12);
  EXPECT_NEAR(sine.of("rms"), 3 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(sine.of("range"), 6, 1e-5);
  EXPECT_NEAR(sine.of("frequency"), 1, 1e-6);
  // ∂rms/∂y along y − mean is rms: it grows with the amplitude
  std::vector<double> apart = sine.y;
  for (double& v : apart) v -= 0.2;
  EXPECT_NEAR(dot(sine.gradient("rms"), apart), 3 / std::sqrt(2.0), 1e-12);
}

TEST(TimeStatistic, DampingIsThatOfTheSwing) {  // ζ = 0.4 / ω
  EXPECT_NEAR(swing().of("decay"), 0.4 / (2 * pi * 1.3), 2e-4);
}

TEST(TimeStatistic, DerivativesAreThoseOfDifferences) {
  for (const char* statistic : {"mean", "rms", "min", "max", "range", "frequency", "decay"}) {
    Signal s = swing();
    const std::vector<double> g = s.gradient(statistic);
    const double h = 1e-6, size = std::sqrt(dot(g, g));
    EXPECT_GT(size, 0) << statistic;
    for (std::size_t k = 0; k < s.y.size(); ++k) {
      const double y = s.y[k];
      s.y[k] = y + h;
      const double up = s.of(statistic);
      s.y[k] = y - h;
      const double down = s.of(statistic);
      s.y[k] = y;
      EXPECT_NEAR(g[k], (up - down) / (2 * h), 1e-6 * size) << statistic << ", value " << k;
    }
  }
}

/// Neither shift nor amplitude of a signal changes its frequency or damping, nor a shift its r.m.s. and range.
TEST(TimeStatistic, DerivativesVanishWhereNothingChanges) {
  const Signal s = swing();
  const double mean = s.of("mean");
  const std::vector<double> ones(s.y.size(), 1.0);
  std::vector<double> apart = s.y;
  for (double& v : apart) v -= mean;
  for (const char* statistic : {"frequency", "decay", "rms", "range"})
    EXPECT_NEAR(dot(s.gradient(statistic), ones), 0, 1e-10) << statistic;
  for (const char* statistic : {"frequency", "decay"}) EXPECT_NEAR(dot(s.gradient(statistic), apart), 0, 1e-10) << statistic;
}

TEST(TimeStatistic, NoneIsNotANumber) {
  const Signal line(1, 10, [](double t) { return t; });
  EXPECT_TRUE(std::isnan(line.of("decay")));
  EXPECT_TRUE(std::isnan(line.of("frequency")));
}

TEST(TimeStatistic, ExtremaBetweenPointsAreThoseOfTheParabola) {
  std::vector<double> y;
  for (int i = 0; i <= 10; ++i) y.push_back(2 - (i - 4.3) * (i - 4.3));
  EXPECT_NEAR(spaced_extremum(y, true), 2, 1e-12);
  // where the parabola's top is, the three values count as Lagrange's polynomials there
  const std::vector<double> g = spaced_extremum_gradient(y, true);
  const double x = 0.3;
  EXPECT_NEAR(g[3], 0.5 * x * (x - 1), 1e-12);
  EXPECT_NEAR(g[4], 1 - x * x, 1e-12);
  EXPECT_NEAR(g[5], 0.5 * x * (x + 1), 1e-12);
  EXPECT_NEAR(std::accumulate(g.begin(), g.end(), 0.0), 1, 1e-12);
}

}  // namespace
}  // namespace invar::time_statistics
