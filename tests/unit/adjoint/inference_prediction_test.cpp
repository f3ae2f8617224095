#include "libadjoint/inference/prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/inference/prediction_band.hpp"

namespace invar {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

const VariableTransform plain = VariableTransform::by_name("linear");

/// The line a + b x through data with σ = 0.3: its value at z has the variance σ² (1/n + (z − x̄)²/s_xx) by the
/// textbook of simple linear regression.
TEST(Prediction, OfALineIsTheTextbooks) {
  const VectorXd x = (VectorXd(6) << 0, 1, 2, 4, 5, 9).finished();
  const double sigma = 0.3, mean = x.mean(), sxx = (x.array() - mean).square().sum();
  MatrixXd j(6, 2);
  j.col(0).setOnes();
  j.col(1) = x;
  std::vector<FittedParameter> parameters = {{"a", plain, 1.0}, {"b", plain, 2.0}};
  const Uncertainty u = estimate_uncertainty(VectorXd::Constant(6, 0.1), j / sigma, parameters);
  for (const double z : {-2.0, 3.0, 20.0}) {
    const VectorXd g = (VectorXd(2) << 1, z).finished();
    EXPECT_NEAR(predicted_variance(g, u), sigma * sigma * (1.0 / 6 + std::pow(z - mean, 2) / sxx), 1e-12) << z;
    EXPECT_FALSE(depends_on_held(g, u));
  }
  // With b held by a bound only a varies: σ²/n, wherever the line is read.
  parameters[1].at_bound = true;
  const Uncertainty held = estimate_uncertainty(VectorXd::Constant(6, 0.1), j / sigma, parameters);
  const VectorXd g = (VectorXd(2) << 1, 20).finished(), without = (VectorXd(2) << 1, 0).finished();
  EXPECT_NEAR(predicted_variance(g, held), sigma * sigma / 6, 1e-12);
  EXPECT_TRUE(depends_on_held(g, held));
  EXPECT_FALSE(depends_on_held(without, held));
}

/// The line a + b x through data whose noise is known up to a factor: by the textbook of simple linear regression (Draper and
/// Smith, Applied Regression Analysis, 1998, sections 1.4 and 3.1) the line at x ± t s √(1/n + (x − x̄)²/s_xx), and a new
/// measurement there ± t s √(1 + 1/n + (x − x̄)²/s_xx), s² the sum of squares divided by n − 2.
TEST(PredictionBand, OfALineIsTheTextbooks) {
  const VectorXd x = (VectorXd(6) << 0, 1, 2, 4, 5, 9).finished();
  const VectorXd y = (VectorXd(6) << 1.2, 2.8, 5.3, 8.9, 11.2, 18.8).finished();
  const double mean = x.mean(), sxx = (x.array() - mean).square().sum();
  const double b = ((x.array() - mean) * (y.array() - y.mean())).sum() / sxx, a = y.mean() - b * mean;
  const VectorXd line = (a + b * x.array()).matrix();
  const double s = std::sqrt((y - line).squaredNorm() / 4);
  // Student's t of 4 degrees of freedom at p = 0.975, in closed form: t² = 4 (cos(⅓ arccos √α)/√α − 1), α = 4 p (1 − p) (Shaw, J. Comput.
  // Finance 9 (2006) 37).
  const double root = std::sqrt(4 * 0.975 * 0.025), t = 2 * std::sqrt(std::cos(std::acos(root) / 3) / root - 1);
  // The noise as it was guessed, wrongly; and the sign of a weight says nothing.
  for (const double weight : {1.0, -2.5}) {
    DataSet set;
    set.noise.assign(6, 0.7);
    set.weight = weight;
    MatrixXd j(6, 2);
    j.col(0).setConstant(weight / 0.7);
    j.col(1) = weight / 0.7 * x;
    const std::vector<FittedParameter> parameters = {{"a", plain, a}, {"b", plain, b}};
    UncertaintyOptions options;
    options.known_noise = false;
    const Uncertainty u = estimate_uncertainty(weight / 0.7 * (line - y), j, parameters, options);
    const PredictionBand band = prediction_band(set, {line.data(), line.data() + 6}, j, {{"a", plain}, {"b", plain}}, {a, b}, u);
    for (int i = 0; i < 6; ++i) {
      const double leverage = 1.0 / 6 + std::pow(x[i] - mean, 2) / sxx;
      EXPECT_NEAR(band.upper[i] - line[i], t * s * std::sqrt(leverage), 1e-12) << i;
      EXPECT_NEAR(line[i] - band.lower[i], t * s * std::sqrt(leverage), 1e-12) << i;
      EXPECT_NEAR(band.measured_upper[i] - line[i], t * s * std::sqrt(1 + leverage), 1e-12) << i;
      EXPECT_NEAR(line[i] - band.measured_lower[i], t * s * std::sqrt(1 + leverage), 1e-12) << i;
    }
  }
}

/// A weight says how much a value counts in the fit, not how well it was measured: the mean of two values, of which one has the weight 3.
TEST(PredictionBand, AWeightDoesNotChangeAKnownNoise) {
  const double sigma = 0.2, w = 3, mean = 1.5;
  DataSet set;
  set.noise = {sigma};
  set.weight = w;
  MatrixXd j(2, 1);
  j << w / sigma, 1 / sigma;
  const VectorXd rho = (VectorXd(2) << 0.01 * w, -0.09).finished();
  const Uncertainty u = estimate_uncertainty(rho, j, {{"mean", plain, mean}}, {.weights = (VectorXd(2) << w, 1).finished()});
  const PredictionBand band = prediction_band(set, {mean}, j.topRows(1), {{"mean", plain}}, {mean}, u);
  const double error = sigma * std::hypot(w * w, 1) / (w * w + 1);  // of (9 y₁ + y₂)/10
  EXPECT_NEAR(band.upper[0] - mean, 1.9599640 * error, 1e-7);
  EXPECT_NEAR(band.measured_upper[0] - mean, 1.9599640 * std::hypot(error, sigma), 1e-7);
}

/// Without data on the curve there is the line's own band, the same.
TEST(PredictionBand, OfACurveWithoutDataIsItsConfidenceBand) {
  const VectorXd x = (VectorXd(4) << 0, 1, 2, 5).finished();
  MatrixXd j(4, 2);
  j.col(0).setOnes();
  j.col(1) = x;
  const std::vector<FittedParameter> parameters = {{"a", plain, 1.0}, {"b", plain, 2.0}};
  const double sigma = 0.3, mean = x.mean(), sxx = (x.array() - mean).square().sum();
  const Uncertainty u = estimate_uncertainty(VectorXd::Constant(4, 0.1), j / sigma, parameters);
  MatrixXd dy(2, 2);
  dy << 1, 3, 1, -8;  // the line at 3 and -8
  const PredictionBand band = prediction_band({7, -15}, dy, {{"a", plain}, {"b", plain}}, {1, 2}, u);
  const double at[] = {3, -8}, y[] = {7, -15};
  for (int i = 0; i < 2; ++i) {
    const double half = u.quantile * sigma * std::sqrt(0.25 + std::pow(at[i] - mean, 2) / sxx);
    EXPECT_NEAR(band.upper[i] - y[i], half, 1e-12);
    EXPECT_NEAR(y[i] - band.lower[i], half, 1e-12);
    EXPECT_TRUE(std::isnan(band.measured_lower[i]));
  }
}

TEST(PredictionBand, IsNoneWhereNothingIsKnown) {
  DataSet set;
  set.noise = {0.5, 0.5};
  const MatrixXd j = MatrixXd::Ones(2, 1);
  std::vector<FittedParameter> parameters = {{"a", plain, 1.0}};
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(2), j, parameters);
  EXPECT_TRUE(std::isfinite(prediction_band(set, {1, 1}, j, {{"a", plain}}, {1}, u).upper[1]));
  set.weight = 0;
  EXPECT_TRUE(std::isnan(prediction_band(set, {1, 1}, j, {{"a", plain}}, {1}, u).upper[1]));
  set.weight = 1;
  parameters[0].at_bound = true;
  const Uncertainty held = estimate_uncertainty(VectorXd::Zero(2), j, parameters);
  EXPECT_TRUE(std::isnan(prediction_band(set, {1, 1}, j, {{"a", plain}}, {1}, held).measured_upper[0]));
}

/// Data that depend on p q only, both logarithmic: the product is determined, but neither p nor p / q.
TEST(Prediction, OfWhatDataDoNotSee) {
  const VariableTransform scaled = VariableTransform::by_name("log");
  const std::vector<double> theta{std::log(2.0), std::log(5.0)};
  const std::vector<FittedParameter> parameters = {{"p", scaled, theta[0]}, {"q", scaled, theta[1]}};
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(3), MatrixXd::Constant(3, 2, 10.0), parameters);
  ASSERT_EQ(u.null_directions.cols(), 1);
  const std::vector<DesignVariable> variables = {{"p", scaled}, {"q", scaled}};
  const auto change = [&](double by_p, double by_q) {
    return unseen_change((VectorXd(2) << by_p, by_q).finished(), variables, theta, u);
  };
  EXPECT_NEAR(change(10, 10), 0, 1e-12) << "p q";
  EXPECT_NEAR(change(0.4, -0.4), 2, 1e-12) << "p / q";
  EXPECT_NEAR(change(2, 0), 1, 1e-12) << "p";
}

/// A parameter that influences neither the data nor the quantity does not make the quantity undetermined.
TEST(Prediction, OfWhatHardlyMatters) {
  const std::vector<double> theta{2, 5};
  const std::vector<FittedParameter> parameters = {{"p", plain, theta[0]}, {"silent", plain, theta[1]}};
  MatrixXd j = MatrixXd::Constant(3, 2, 10.0);
  j.col(1).setConstant(1e-30);
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(3), j, parameters);
  ASSERT_EQ(u.null_directions.cols(), 1);
  const auto change = [&](double by_silent) {
    return unseen_change((VectorXd(2) << 1, by_silent).finished(), {{"p", plain}, {"silent", plain}}, theta, u);
  };
  EXPECT_EQ(change(1e-30), 0);
  EXPECT_NEAR(change(1e-3), 1, 1e-12);
}

/// Of a normal distribution 95 % lie within: erf(k/√2), k the half width in standard deviations.
TEST(Prediction, OfANormalDistributionHolds95Percent) {
  const PredictedInterval i = normal_interval(3, 4);
  EXPECT_DOUBLE_EQ(i.standard_error, 2);
  EXPECT_NEAR(0.5 * (i.lower + i.upper), 3, 1e-14);
  EXPECT_NEAR(std::erf((i.upper - i.lower) / (2 * i.standard_error) / std::sqrt(2.0)), 0.95, 1e-12);
  EXPECT_EQ(normal_interval(3, -1e-20).standard_error, 0);  // round-off of a variance that vanishes
}

}  // namespace
}  // namespace invar
