#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "libadjoint/sampling/distribution.hpp"
#include "libadjoint/sampling/sample_statistics.hpp"
#include "libadjoint/sampling/sobol_indices.hpp"
#include "libadjoint/sampling/unit_points.hpp"

namespace invar {
namespace {

using DistributionKind = Distribution::Kind;

/// Ishigami and Homma (1990) with a = 7, b = 0.1: its variance and indices are known in closed form.
TEST(Sampling, IndicesOfIshigamisFunction) {
  constexpr int blocks = 4096;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Eigen::MatrixXd u = saltelli_points(blocks, 3, seed);
    Eigen::VectorXd f(u.rows());
    for (Eigen::Index i = 0; i < u.rows(); ++i) {
      const Eigen::RowVectorXd x = std::numbers::pi * (2 * u.row(i).array() - 1);
      f(i) = std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
    }
    const SobolIndices s = sobol_indices(f, 3);
    EXPECT_EQ(s.used, blocks);
    EXPECT_NEAR(s.variance, 13.8446, 0.1);
    const double first[] = {0.3139, 0.4424, 0}, total[] = {0.5576, 0.4424, 0.2437};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.first(i), first[i], 0.01) << "input " << i << ", seed " << seed;
      EXPECT_NEAR(s.total(i), total[i], 0.01) << "input " << i << ", seed " << seed;
    }
  }
}

/// Independent blocks, many times: the scatter of the indices is the error estimated from one set of blocks.
TEST(Sampling, ErrorsOfIndicesAreTheirScatter) {
  constexpr int blocks = 200, repeats = 300;
  Eigen::Matrix<double, 4, 1> sum = Eigen::Matrix<double, 4, 1>::Zero(), squares = sum, said = sum;
  for (int seed = 1; seed <= repeats; ++seed) {
    const Eigen::MatrixXd u = random_points(blocks, 4, seed);
    const auto f = [](double x, double y) { return x + x * y; };
    Eigen::VectorXd values(4 * blocks);
    for (int j = 0; j < blocks; ++j)
      values.segment(4 * j, 4) << f(u(j, 0), u(j, 1)), f(u(j, 2), u(j, 3)), f(u(j, 2), u(j, 1)), f(u(j, 0), u(j, 3));
    const SobolIndices s = sobol_indices(values, 2);
    const Eigen::Matrix<double, 4, 1> now(s.first(0), s.first(1), s.total(0), s.total(1));
    sum += now;
    squares += now.cwiseAbs2();
    said += Eigen::Matrix<double, 4, 1>(s.first_error(0), s.first_error(1), s.total_error(0), s.total_error(1)) / repeats;
  }
  for (int k = 0; k < 4; ++k) {
    const double scatter = std::sqrt((squares(k) - sum(k) * sum(k) / repeats) / (repeats - 1));
    EXPECT_NEAR(said(k) / scatter, 1, 0.15) << k;  // that of 300 draws is known to 4 %
  }
}

TEST(Sampling, BlocksWithAMissingValueAreLeftOut) {
  const Eigen::MatrixXd u = saltelli_points(256, 2, 1);
  Eigen::VectorXd f = u.col(0) + 2 * u.col(1);
  f(5) = NAN;
  const SobolIndices s = sobol_indices(f, 2);
  EXPECT_EQ(s.used, 255);
  EXPECT_NEAR(s.first(0), 0.2, 0.02);
  EXPECT_NEAR(s.total(1), 0.8, 0.02);
}

/// The root mean square over scrambles of the error of a mean, of a smooth function with the mean 1.
double mean_error(int n) {
  double squares = 0;
  constexpr int scrambles = 16;
  for (int seed = 1; seed <= scrambles; ++seed) {
    const Eigen::MatrixXd u = sobol_points(n, 4, seed);
    double mean = 0;
    for (int i = 0; i < n; ++i) {
      double product = 1;
      for (int k = 0; k < 4; ++k) product *= std::exp(u(i, k)) / (std::numbers::e - 1);
      mean += product / n;
    }
    squares += (mean - 1) * (mean - 1) / scrambles;
  }
  return std::sqrt(squares);
}

TEST(Sampling, SobolsSequenceIntegratesFasterThanOneOverN) {
  const double slope = std::log(mean_error(4096) / mean_error(64)) / std::log(4096.0 / 64);
  EXPECT_LE(slope, -0.9);
  EXPECT_GE(slope, -2.5) << "more than any scramble can do";
}

/// Stratification: each of 2^m slices of every dimension contains one of the first 2^m points of a net; likewise for a Latin hypercube.
TEST(Sampling, EverySliceHasOnePoint) {
  constexpr int n = 128, d = 5;
  for (const Eigen::MatrixXd& u : {sobol_points(n, d, 7), latin_hypercube_points(n, d, 7)})
    for (int k = 0; k < d; ++k) {
      std::vector<int> slices;
      for (int i = 0; i < n; ++i) slices.push_back(static_cast<int>(u(i, k) * n));
      std::sort(slices.begin(), slices.end());
      for (int i = 0; i < n; ++i) EXPECT_EQ(slices[i], i);
    }
}

TEST(Sampling, MorePointsLeaveThoseBeforeAsTheyAre) {
  EXPECT_EQ(random_points(9, 3, 4), random_points(20, 3, 4).topRows(9));
  EXPECT_EQ(sobol_points(9, 3, 4), sobol_points(20, 3, 4).topRows(9));
  EXPECT_EQ(saltelli_points(3, 2, 4), saltelli_points(5, 2, 4).topRows(12));
  EXPECT_NE(random_points(9, 3, 4), random_points(9, 3, 5));
  EXPECT_NE(sobol_points(9, 3, 4), sobol_points(9, 3, 5));
  EXPECT_NE(latin_hypercube_points(9, 3, 4), latin_hypercube_points(9, 3, 5));
  const Eigen::MatrixXd u = random_points(4000, 2, 1);
  EXPECT_NEAR(u.col(0).mean(), 0.5, 0.02);
  EXPECT_NEAR((u.col(0).array() * u.col(1).array()).mean(), 0.25, 0.02) << "independent";
}

/// Moments and quantiles from textbooks.
TEST(Sampling, QuantilesOfDistributions) {
  EXPECT_NEAR((Distribution{DistributionKind::normal, {2, 3}}).quantile(0.975), 2 + 3 * 1.959963984540054, 1e-12);
  EXPECT_NEAR((Distribution{DistributionKind::lognormal, {1, 0.5}}).quantile(0.5), std::numbers::e, 1e-12);
  EXPECT_NEAR((Distribution{DistributionKind::uniform, {-1, 3}}).quantile(0.25), 0, 1e-15);
  EXPECT_NEAR((Distribution{DistributionKind::log_uniform, {1e4, 1e6}}).quantile(0.5), 1e5, 1e-8);
  EXPECT_NEAR((Distribution{DistributionKind::triangular, {0, 1, 2}}).quantile(0.125), 0.5, 1e-14);
  // What is left of a normal distribution above its mean is the half-normal one: median 0.67449 standard deviations.
  EXPECT_NEAR((Distribution{DistributionKind::normal, {0, 1}, 0, INFINITY}).quantile(0.5), 0.6744897501960817, 1e-12);
  EXPECT_NEAR((Distribution{DistributionKind::normal, {0, 1}, -INFINITY, 0}).quantile(0.5), -0.6744897501960817, 1e-12);
  // Far out the tail is exponential: its mean distance from the bound 30 is some 1/30.
  EXPECT_NEAR((Distribution{DistributionKind::normal, {0, 1}, 30, INFINITY}).quantile(0.5), 30 + std::numbers::ln2 / 30, 1e-4);
  EXPECT_LE((Distribution{DistributionKind::normal, {0.45, 0.01}, -INFINITY, 0.495}).quantile(1 - 1e-12), 0.495);
  EXPECT_STREQ((Distribution{DistributionKind::log_uniform, {-1, 1}}).mistake(), "numbers on a logarithmic scale must be positive");
  EXPECT_NE((Distribution{DistributionKind::uniform, {0, 1}, 2, 3}).mistake(), nullptr);
  EXPECT_EQ((Distribution{DistributionKind::triangular, {0, 0, 1}}).mistake(), nullptr);
}

TEST(Sampling, StatisticsAndParetoSet) {
  const SampleStatistics s = statistics_of({4, 1, 3, 2, 5});
  EXPECT_EQ(s.mean, 3);
  EXPECT_NEAR(s.standard_deviation, std::sqrt(2.5), 1e-15);
  EXPECT_EQ(s.median, 3);
  EXPECT_NEAR(s.q05, 1.2, 1e-15);
  EXPECT_NEAR(s.q95, 4.8, 1e-15);
  EXPECT_EQ(pareto_set({{1, 5}, {2, 2}, {5, 1}, {3, 3}, {2, 2}, {0, NAN}}), (std::vector<int>{0, 1, 2, 4}));
}

}  // namespace
}  // namespace invar
