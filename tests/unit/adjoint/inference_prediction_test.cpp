#include "libadjoint/inference/prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

/// Data that see p q alone, both logarithmic: the product is determined, and neither p nor p / q.
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

}  // namespace
}  // namespace invar
