// What a fit predicts of data that it was not shown: textbook formulas of a line, and how often bands contain what they should.
#include "libadjoint/inference/held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

namespace invar::held_out_data {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

const VariableTransform plain_line = VariableTransform::by_name("linear");

/// The line a + b x through (x, y) by least squares, and the statistics of simple linear regression.
struct Line {
  VectorXd x, y;
  double a = 0, b = 0, mean = 0, sxx = 0, s = 0;

  Line(VectorXd at, VectorXd measured) : x(std::move(at)), y(std::move(measured)) {
    mean = x.mean();
    sxx = (x.array() - mean).square().sum();
    b = ((x.array() - mean) * (y.array() - y.mean())).sum() / sxx;
    a = y.mean() - b * mean;
    s = std::sqrt((y.array() - a - b * x.array()).square().sum() / static_cast<double>(x.size() - 2));
  }
  static MatrixXd jacobian(const VectorXd& x) {
    MatrixXd j(x.size(), 2);
    j.col(0).setOnes();
    j.col(1) = x;
    return j;
  }
  /// sigma: known noise, or 0.
  Uncertainty uncertainty(double sigma) const {
    UncertaintyOptions options;
    options.known_noise = sigma > 0;
    const double unit = sigma > 0 ? sigma : 1;
    return estimate_uncertainty((a + b * x.array() - y.array()) / unit, jacobian(x) / unit, {{"a", plain_line, a}, {"b", plain_line, b}}, options);
  }
  HeldOutFit predict(const VectorXd& at, const VectorXd& measured, double sigma) const {
    const double unit = sigma > 0 ? sigma : 1;
    const VectorXd line = a + b * at.array();
    const HeldOutSet set{0, 0, (line - measured) / unit, jacobian(at) / unit};
    return assess_held_out("new", {line.data(), line.data() + line.size()}, {measured.data(), measured.data() + measured.size()}, std::vector<double>(line.size(), unit), set,
                           {{"a", plain_line}, {"b", plain_line}}, {a, b}, uncertainty(sigma));
  }
};

VectorXd noise(std::mt19937& random, Eigen::Index n, double sigma) {
  std::normal_distribution<double> normal(0, sigma);
  return VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

// Draper and Smith, Applied Regression Analysis, 1998, section 3.1: a new value at x differs from the line by s √(1 + 1/n + (x − x̄)²/s_xx).
TEST(HeldOut, OfALineIsTheTextbooks) {
  const VectorXd x = (VectorXd(6) << 0, 1, 2, 4, 5, 9).finished(), y = (VectorXd(6) << 1.2, 2.8, 5.3, 8.9, 11.2, 18.8).finished();
  const VectorXd at = (VectorXd(3) << -2, 3, 20).finished(), measured = (VectorXd(3) << -3.1, 7.3, 40.2).finished();
  const Line line(x, y);
  for (const double sigma : {0.0, 0.3}) {
    const double s = sigma > 0 ? sigma : line.s;
    const HeldOutFit fit = line.predict(at, measured, sigma);
    double ratio = 0, squares = 0, scatter = 0;
    for (int i = 0; i < 3; ++i) {
      const double difference = line.a + line.b * at[i] - measured[i];
      ratio += std::pow(difference / s, 2) / (1 + 1.0 / 6 + std::pow(at[i] - line.mean, 2) / line.sxx) / 3;
      squares += difference * difference, scatter += std::pow(measured[i] - measured.mean(), 2);
    }
    EXPECT_EQ(fit.data, 3);
    EXPECT_EQ(fit.banded, 3);
    EXPECT_NEAR(fit.ratio, ratio, 1e-12 * ratio);
    EXPECT_NEAR(fit.r_squared, 1 - squares / scatter, 1e-14);
    EXPECT_NEAR(fit.root_mean_square, std::sqrt(squares / 3), 1e-14);
    EXPECT_EQ(fit.widening, 1);
    EXPECT_TRUE(fit.finding.empty());
  }
  // Of a single value the ratio has exactly the distribution F(1, n − 2): that of the square of Student's t, for 4 degrees of freedom
  // P(|T| > t) = 1 − s (3 − s²)/2 with s = t/√(4 + t²).
  const HeldOutFit one = line.predict(at.head(1), measured.head(1), 0);
  const double t = std::sqrt(one.ratio), sine = t / std::sqrt(4 + t * t);
  EXPECT_NEAR(one.chance, 1 - sine * (3 - sine * sine) / 2, 1e-12);
  EXPECT_TRUE(std::isnan(one.r_squared));
}

// A correct model: of new values 95 % lie in the band, and one set in a thousand is called a misfit (Satterthwaite's approximation: fewer than ten).
TEST(HeldOut, BandsOfACorrectModelContainNewData) {
  std::mt19937 random(3);
  const VectorXd x = VectorXd::LinSpaced(12, 0, 1), at = VectorXd::LinSpaced(8, 1, 2);
  for (const double sigma : {0.0, 0.05}) {
    int outside = 0, widened = 0;
    constexpr int sets = 2000;
    for (int k = 0; k < sets; ++k) {
      const Line line(x, (1 + 2 * x.array()).matrix() + noise(random, 12, 0.05));
      const HeldOutFit fit = line.predict(at, (1 + 2 * at.array()).matrix() + noise(random, 8, 0.05), sigma);
      outside += fit.outside, widened += fit.widening != 1;
    }
    const double share = outside / (8.0 * sets);
    if (std::getenv("INVAR_PRINT")) std::printf("correct model, noise %s: %.2f %% outside, %d of %d widened\n", sigma > 0 ? "known" : "estimated", 100 * share, widened, sets);
    EXPECT_NEAR(share, 0.05, 0.01);  // values of one set are correlated: a standard error of 0.3 %
    EXPECT_LE(widened, 10);
  }
}

// The truth is outside the model: a parabola. The line's bands know its noise only, and miss most values beyond its data. The factor found
// with every second of the new values makes the bands contain the others.
TEST(HeldOut, WidenedBandsContainWhatAWrongModelMisses) {
  std::mt19937 random(5);
  const auto truth = [](const VectorXd& x) -> VectorXd { return (1 + 2 * x.array() + 0.6 * x.array().square()).matrix(); };
  const VectorXd x = VectorXd::LinSpaced(12, 0, 1), at = VectorXd::LinSpaced(10, 1, 2);
  int covered = 0, covered_widened = 0, found = 0;
  constexpr int sets = 500;
  double factor = 0;
  for (int k = 0; k < sets; ++k) {
    const Line line(x, truth(x) + noise(random, 12, 0.02));
    const VectorXd measured = truth(at) + noise(random, 10, 0.02);
    const std::vector<Eigen::Index> shown{0, 2, 4, 6, 8}, others{1, 3, 5, 7, 9};
    const HeldOutFit fit = line.predict(at(shown), measured(shown), 0), rest = line.predict(at(others), measured(others), 0);
    found += fit.widening > 1;
    factor += fit.widening / sets;
    covered += rest.banded - rest.outside;
    const Uncertainty u = line.uncertainty(0);
    for (const Eigen::Index i : others) {  // by the textbook's formula
      const double half = u.quantile * line.s * std::sqrt(1 + 1.0 / 12 + std::pow(at[i] - line.mean, 2) / line.sxx);
      covered_widened += std::abs(line.a + line.b * at[i] - measured[i]) < fit.widening * half;
    }
  }
  if (std::getenv("INVAR_PRINT"))
    std::printf("wrong model: %.1f %% covered, %.1f %% by bands that are %.1f times as wide; %d of %d found\n", covered / (0.05 * sets), covered_widened / (0.05 * sets), factor, found, sets);
  EXPECT_GE(found, sets * 95 / 100);
  EXPECT_LT(covered, 0.6 * 5 * sets);
  EXPECT_GT(covered_widened, 0.93 * 5 * sets);
}

}  // namespace
}  // namespace invar::held_out_data
