#include "libadjoint/inference/uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/inference/deleted_residuals.hpp"
#include "tests/support/dense.hpp"

namespace invar {
namespace {

using Eigen::ArrayXd, Eigen::MatrixXd, Eigen::VectorXd;

const VariableTransform linear = VariableTransform::by_name("linear");
const VariableTransform logarithmic = VariableTransform::by_name("log");

bool mentions(const Uncertainty& u, const std::string& text) {
  for (const std::string& finding : u.findings)
    if (finding.find(text) != std::string::npos) return true;
  return false;
}

/// The line a + b x through noisy data, by the textbook formulas of simple linear regression.
class Line : public testing::Test {
 protected:
  const ArrayXd x = (ArrayXd(6) << 0, 1, 2, 4, 5, 9).finished();
  const ArrayXd y = (ArrayXd(6) << 1.1, 2.9, 5.2, 8.7, 11.3, 18.9).finished();
  const double sxx = (x - x.mean()).square().sum();
  const double b = ((x - x.mean()) * y).sum() / sxx, a = y.mean() - b * x.mean();
  const ArrayXd misfit = a + b * x - y;
  const std::vector<FittedParameter> parameters = {{"a", linear, a}, {"b", linear, b}};

  MatrixXd design() const {
    MatrixXd j(6, 2);
    j.col(0).setOnes();
    j.col(1) = x;
    return j;
  }
};

TEST_F(Line, KnownNoise) {
  const double sigma = 0.3;
  const Uncertainty u = estimate_uncertainty(misfit / sigma, design() / sigma, parameters);
  const double v = sigma * sigma;
  EXPECT_NEAR(u.covariance(1, 1), v / sxx, 1e-14);
  EXPECT_NEAR(u.covariance(0, 0), v * (1. / 6 + std::pow(x.mean(), 2) / sxx), 1e-14);
  EXPECT_NEAR(u.covariance(0, 1), -v * x.mean() / sxx, 1e-14);
  EXPECT_NEAR(u.correlation(0, 1), -x.mean() / std::sqrt(sxx / 6 + std::pow(x.mean(), 2)), 1e-12);
  EXPECT_EQ(u.degrees_of_freedom, 4);
  EXPECT_NEAR(u.quantile, 1.959963985, 1e-9);  // normal, 97.5 %
  EXPECT_NEAR(u.parameters[1].upper - b, u.quantile * sigma / std::sqrt(sxx), 1e-12);
  EXPECT_NEAR(b - u.parameters[1].lower, u.quantile * sigma / std::sqrt(sxx), 1e-12);
  EXPECT_TRUE(u.findings.empty()) << u.findings[0];
  EXPECT_EQ(u.null_directions.cols(), 0);
}

/// The weighted fit is a linear map of the data: its derivatives by the data, found by fits to other data, give the covariance and the
/// expected misfit of independent errors.
TEST_F(Line, WeightsDoNotChangeAKnownNoise) {
  const double sigma = 0.3;
  const VectorXd w = (VectorXd(6) << 10, 1, -1, 0, 0.2, 3).finished();
  const MatrixXd J = w.asDiagonal() * design() / sigma;
  const auto fit = [&](const VectorXd& of) { return test::least_squares(J, w.cwiseProduct(of) / sigma); };
  const VectorXd at = fit(y.matrix()), rho = J * at - VectorXd(w.cwiseProduct(y.matrix()) / sigma);
  MatrixXd covariance = MatrixXd::Zero(2, 2);
  double expected = 0;
  for (int i = 0; i < 6; ++i) {
    const VectorXd moved = fit(sigma * VectorXd::Unit(6, i));
    covariance += moved * moved.transpose();
    VectorXd left = VectorXd::Unit(6, i) - design() * moved / sigma;
    left[3] = 0;  // no datum
    expected += left.squaredNorm();
  }
  const std::vector<FittedParameter> fitted = {{"a", linear, at[0]}, {"b", linear, at[1]}};
  const Uncertainty u = estimate_uncertainty(rho, J, fitted, {.weights = w});
  EXPECT_LT((u.covariance - covariance).norm(), 1e-12 * covariance.norm());
  EXPECT_EQ(u.data, 5);
  EXPECT_EQ(u.degrees_of_freedom, 3);
  VectorXd off = (at[0] + at[1] * x - y).matrix() / sigma;
  off[3] = 0;
  EXPECT_NEAR(u.chi_squared, off.squaredNorm(), 1e-10);
  // A misfit that is too large inflates by its ratio to the expected one.
  const Uncertainty large = estimate_uncertainty(30 * rho, J, fitted, {.weights = w});
  EXPECT_NEAR(large.noise_variance, 900 * off.squaredNorm() / expected, 1e-8);
}

TEST_F(Line, ValuesOfNoWeightAreNoData) {
  const auto some = [&](const VectorXd& all, int rows) { return VectorXd(all.head(rows)); };
  VectorXd w = VectorXd::Ones(6), rho = misfit.matrix();
  MatrixXd J = design();
  w.tail(2).setZero(), rho.tail(2).setZero(), J.bottomRows(2).setZero();
  for (const bool known : {true, false}) {
    const Uncertainty with = estimate_uncertainty(rho, J, parameters, {.weights = w, .known_noise = known});
    const Uncertainty without = estimate_uncertainty(some(rho, 4), J.topRows(4), parameters, {.known_noise = known});
    EXPECT_EQ(with.degrees_of_freedom, 2);
    EXPECT_NEAR(with.parameters[1].upper, without.parameters[1].upper, 1e-12);
    EXPECT_NEAR(with.negative_log_evidence, without.negative_log_evidence, 1e-12);
  }
}

/// Four residuals of a mean square are one value, as their sum of squares is.
TEST_F(Line, AMeanSquareIsOneValue) {
  VectorXd counts = VectorXd::Ones(6);
  counts.tail(4).setConstant(0.25);
  const Uncertainty u = estimate_uncertainty(misfit.matrix(), design(), parameters, {.counts = counts, .known_noise = false});
  EXPECT_EQ(u.data, 3);
  EXPECT_NEAR(u.noise_variance, misfit.square().sum(), 1e-12);  // one degree of freedom
}

TEST_F(Line, EstimatedNoise) {
  const Uncertainty u =
      estimate_uncertainty(misfit, design(), parameters, {.known_noise = false});
  const double s2 = misfit.square().sum() / 4;
  EXPECT_NEAR(u.noise_variance, s2, 1e-13);
  EXPECT_NEAR(u.parameters[1].standard_error, std::sqrt(s2 / sxx), 1e-13);
  EXPECT_NEAR(u.quantile, 2.776445105, 1e-8);  // table of Student's t, 4 degrees, 97.5 %
  // A common factor on the weights changes nothing.
  const Uncertainty w =
      estimate_uncertainty(50 * misfit, 50 * design(), parameters, {.known_noise = false});
  EXPECT_NEAR(w.parameters[0].standard_error, u.parameters[0].standard_error, 1e-13);
}

/// A deleted residual is the difference from the line through the other points, over the standard error of a new value there.
TEST_F(Line, DeletedResidualsAreThoseOfFitsToTheOtherData) {
  const Uncertainty u = estimate_uncertainty(misfit, design(), parameters, {.known_noise = false});
  ASSERT_EQ(u.deleted_residuals.size(), 6);
  for (int i = 0; i < 6; ++i) {
    ArrayXd weight = ArrayXd::Ones(6);
    weight[i] = 0;
    const double mean_x = (weight * x).sum() / 5, mean_y = (weight * y).sum() / 5, s = (weight * (x - mean_x).square()).sum();
    const double slope = (weight * (x - mean_x) * y).sum() / s;
    const double variance = (weight * (mean_y + slope * (x - mean_x) - y).square()).sum() / 3;
    const double difference = mean_y + slope * (x[i] - mean_x) - y[i];
    EXPECT_NEAR(u.deleted_residuals[i], difference / std::sqrt(variance * (1 + 1. / 5 + std::pow(x[i] - mean_x, 2) / s)), 1e-11);
  }
  const double p = 1 - 0.05 / 7;  // of two degrees of freedom P(|t| < x) = x/√(2 + x²)
  EXPECT_NEAR(outlier_limit(7, 3), p * std::sqrt(2 / (1 - p * p)), 1e-9);
}

/// Where a search stopped early, residuals are not orthogonal to J, and a datum that alone determines a direction would seem millions of standard deviations off.
TEST(DeletedResiduals, SayNothingWhereTheFitHasNotEnded) {
  const MatrixXd J = (MatrixXd(4, 1) << 1, 0.01, 0.01, 0.01).finished();
  const VectorXd rho = (VectorXd(4) << 1, 0.02, -0.01, 0.005).finished();
  const VectorXd t = deleted_residuals(rho, J, MatrixXd::Constant(1, 1, 1 / J.squaredNorm()), 3);
  EXPECT_EQ(t[0], 0);
  EXPECT_LT(t.cwiseAbs().maxCoeff(), 1);
}

TEST_F(Line, MisfitBeyondTheStatedNoiseIsReported) {
  const double sigma = 0.02;  // χ² is 225 times that of σ = 0.3
  const Uncertainty u = estimate_uncertainty(misfit / sigma, design() / sigma, parameters);
  EXPECT_TRUE(mentions(u, "misfit is larger than the stated noise"));
  // Intervals are then as if the noise had been estimated.
  const Uncertainty estimated = estimate_uncertainty(misfit, design(), parameters, {.known_noise = false});
  EXPECT_NEAR(u.parameters[0].standard_error, estimated.parameters[0].standard_error, 1e-12);
  EXPECT_EQ(u.quantile, estimated.quantile);
}

TEST_F(Line, AParameterAtABoundIsConditionedOn) {
  std::vector<FittedParameter> held = parameters;
  held[0].at_bound = true;
  const Uncertainty u = estimate_uncertainty(misfit, design(), held);
  EXPECT_TRUE(u.parameters[0].at_bound);
  EXPECT_TRUE(std::isnan(u.parameters[0].standard_error));
  EXPECT_TRUE(std::isnan(u.parameters[0].lower));
  EXPECT_NEAR(u.covariance(1, 1), 1 / x.square().sum(), 1e-14);  // slope with known intercept
  EXPECT_EQ(u.degrees_of_freedom, 5);
  EXPECT_TRUE(mentions(u, "'a' is at its bound"));
}

TEST_F(Line, AsManyDataAsParametersLeaveNoEstimateOfTheNoise) {
  const Uncertainty u = estimate_uncertainty(misfit.head(2), design().topRows(2), parameters,
                                             {.known_noise = false});
  EXPECT_TRUE(std::isnan(u.parameters[0].standard_error));
  EXPECT_TRUE(mentions(u, "no more data"));
}

TEST(Uncertainty, AgreesWithTheCertifiedErrorsOfMisra1a) {
  // NIST Statistical Reference Datasets, Misra1a: y = b1 (1 − exp(−b2 x)).
  const ArrayXd y = (ArrayXd(14) << 10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76,
                     55.05, 61.01, 66.40, 75.47, 81.78).finished();
  const ArrayXd x = (ArrayXd(14) << 77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8,
                     477.3, 536.8, 593.1, 689.1, 760.0).finished();
  const double b1 = 2.3894212918E+02, b2 = 5.5015643181E-04;
  MatrixXd j(14, 2);
  j.col(0) = 1 - (-b2 * x).exp();
  j.col(1) = b1 * x * (-b2 * x).exp();
  const VectorXd rho = b1 * j.col(0).array() - y;
  // b1 linear with a scale, b2 logarithmic: dρ/dθ by the chain rule.
  const auto scaled = VariableTransform::by_name("linear", 100);
  j.col(0) *= 100;
  j.col(1) *= b2;
  const Uncertainty u = estimate_uncertainty(
      rho, j, {{"b1", scaled, b1 / 100}, {"b2", logarithmic, std::log(b2)}},
      {.known_noise = false});
  EXPECT_NEAR(u.parameters[0].standard_error / 2.7070075241E+00, 1, 1e-6);
  EXPECT_NEAR(u.parameters[1].standard_error / 7.2668688436E-06, 1, 1e-6);
  EXPECT_NEAR(std::sqrt(u.noise_variance) / 1.0187876330E-01, 1, 1e-8);
  EXPECT_NEAR(u.quantile, 2.178812830, 1e-8);  // Student's t, 12 degrees, 97.5 %
  // The logarithmic interval: b2 · exp(± t s / b2).
  const double factor = std::exp(u.quantile * 7.2668688436E-06 / b2);
  EXPECT_NEAR(u.parameters[1].upper / (b2 * factor), 1, 1e-8);
  EXPECT_NEAR(u.parameters[1].lower * factor / b2, 1, 1e-8);
  // b1 and b2 of a nearly straight curve are known to be strongly correlated.
  EXPECT_LT(u.correlation(0, 1), -0.99);
}

/// Elongation traction·x/young with an offset, all parameters but the offset logarithmic.
class Bar : public testing::Test {
 protected:
  const ArrayXd x = ArrayXd::LinSpaced(5, 1, 3);
  const double young = 3e6, traction = 2e4, offset = 0.1;

  MatrixXd sensitivity() const {
    MatrixXd j(5, 3);
    j.col(0) = -traction / young * x;
    j.col(1) = traction / young * x;
    j.col(2).setOnes();
    return j / 1e-3;
  }
  std::vector<FittedParameter> parameters() const {
    return {{"young", logarithmic, std::log(young)},
            {"traction", logarithmic, std::log(traction)},
            {"offset", linear, offset}};
  }
};

TEST_F(Bar, NamesTheCombinationThatTheDataDetermine) {
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(5), sensitivity(), parameters());
  ASSERT_EQ(u.null_directions.cols(), 1);
  EXPECT_NEAR(u.null_directions(0, 0), u.null_directions(1, 0), 1e-12);  // both by the same factor
  EXPECT_NEAR(u.null_directions(2, 0), 0, 1e-12);
  EXPECT_FALSE(u.parameters[0].identifiable);
  EXPECT_FALSE(u.parameters[1].identifiable);
  EXPECT_EQ(u.parameters[0].standard_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(u.parameters[0].lower, 0);  // a logarithmic parameter stays positive
  EXPECT_TRUE(mentions(u, "only enter as the combination 'young' / 'traction'")) << u.findings[0];
  // The offset keeps its interval: a line with unknown slope.
  const double sxx = (x - x.mean()).square().sum();
  EXPECT_TRUE(u.parameters[2].identifiable);
  EXPECT_NEAR(u.parameters[2].standard_error,
              1e-3 * std::sqrt(1. / 5 + std::pow(x.mean(), 2) / sxx), 1e-12);
}

TEST_F(Bar, IgnoresTheUnitsOfTheParameters) {
  // The same parameters, linear in Pa instead of logarithmic.
  MatrixXd j = sensitivity();
  j.col(0) /= young;
  j.col(1) /= traction;
  auto p = parameters();
  p[0] = {"young", linear, young};
  p[1] = {"traction", linear, traction};
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(5), j, p);
  EXPECT_TRUE(mentions(u, "only enter as the combination 'young' / 'traction'"));
  EXPECT_TRUE(u.parameters[2].identifiable);
}

TEST_F(Bar, NamesAParameterWithoutInfluence) {
  MatrixXd j = sensitivity();
  j.col(0).setZero();
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(5), j, parameters());
  EXPECT_TRUE(mentions(u, "'young' has no influence"));
  EXPECT_FALSE(u.parameters[0].identifiable);
  EXPECT_TRUE(u.parameters[1].identifiable);
}

// Exact data of which the fit finds a parameter that is zero but for round-off: it is determined as well as any other.
TEST(Uncertainty, AParameterNearZeroHasItsInfluence) {
  const MatrixXd j = 1e3 * MatrixXd::Identity(2, 2);
  for (const double near : {0.0, 1e-17, -1e-12}) {
    const Uncertainty u = estimate_uncertainty(VectorXd::Zero(2), j, {{"a", VariableTransform::by_name("linear", 0.02), 0.5}, {"b", VariableTransform::by_name("linear", 0.02), near}});
    EXPECT_TRUE(u.parameters[1].identifiable) << near;
    EXPECT_NEAR(u.parameters[1].standard_error, 0.02e-3, 1e-12) << near;
    EXPECT_TRUE(u.findings.empty()) << u.findings[0];
  }
}

TEST_F(Bar, WarnsOfNearlyIndistinguishableParameters) {
  MatrixXd j = sensitivity();
  j(0, 0) *= 1.02;  // the data see the difference, barely
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(5), j, parameters());
  EXPECT_TRUE(u.parameters[0].identifiable);
  EXPECT_TRUE(mentions(u, "'young' and 'traction' are nearly indistinguishable"));
  EXPECT_GT(u.collinearity, 20);
  EXPECT_GT(u.correlation(0, 1), 0.99);
}

TEST(Uncertainty, KeepsIndependentPairsApart) {
  // ρ depends on p0·p2 and on p1²·p3 only.
  const ArrayXd t = ArrayXd::LinSpaced(6, 0, 1);
  MatrixXd j(6, 4);
  j.col(0) = j.col(2) = t;
  j.col(3) = t.square() + 1;
  j.col(1) = 2 * j.col(3);
  std::vector<FittedParameter> p;
  for (const char* name : {"p0", "p1", "p2", "p3"}) p.push_back({name, logarithmic, 0.3});
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(6), j, p);
  ASSERT_EQ(u.null_directions.cols(), 2);
  EXPECT_TRUE(mentions(u, "combination 'p0' · 'p2'"));
  EXPECT_TRUE(mentions(u, "combination 'p1' · 'p3'^0.5"));
  EXPECT_EQ(u.degrees_of_freedom, 4);
}

TEST(Uncertainty, MoreParametersThanDataIsUnidentifiableNotAnError) {
  MatrixXd j(1, 2);
  j << 1, 2;
  const Uncertainty u = estimate_uncertainty(VectorXd::Zero(1), j,
                                             {{"a", logarithmic, 0}, {"b", logarithmic, 0}});
  EXPECT_TRUE(mentions(u, "combination 'a' · 'b'^2"));
}

TEST(Uncertainty, RefusesWhatDoesNotFit) {
  const MatrixXd j = MatrixXd::Ones(3, 1);
  const std::vector<FittedParameter> p = {{"a", linear, 1}};
  EXPECT_THROW(estimate_uncertainty(VectorXd::Zero(2), j, p), std::invalid_argument);
  EXPECT_THROW(estimate_uncertainty(VectorXd::Zero(3), j, {}), std::invalid_argument);
  EXPECT_THROW(estimate_uncertainty(VectorXd::Constant(3, NAN), j, p), std::invalid_argument);
  EXPECT_THROW(estimate_uncertainty(VectorXd::Zero(3), j, p, {.confidence = 95}),
               std::invalid_argument);
}

}  // namespace
}  // namespace invar
