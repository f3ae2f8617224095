#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/model_evidence.hpp"

namespace invar {
namespace {

/// m numbers with the deviation 1, and two models: their mean is 0, or it is free with a prior of deviation 1 about the mean found. The
/// evidence of the second is exp(−χ²/2)/√(m + 1), exactly.
TEST(ModelEvidence, IsThatOfAPriorThatSaysAsMuchAsOneDatum) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0.3, 1);
  for (const int m : {20, 200, 2000}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < m; ++i) {
      const double x = noise(random);
      sum += x, squares += x * x;
    }
    const double mean = sum / m, at_zero = squares, at_mean = squares - m * mean * mean;
    const double by_schwarz = negative_log_evidence(ModelFit{at_zero, m, 0}) - negative_log_evidence(ModelFit{at_mean, m, 1});
    const double exact = 0.5 * (at_zero - at_mean) - 0.5 * std::log(m + 1.0);
    EXPECT_NEAR(by_schwarz, exact, 0.5 / m);
  }
}

/// The probability of the right model among two that contain each other goes to 1 as data grow; a needless parameter is found out.
TEST(ModelEvidence, FindsANeedlessParameter) {
  int right = 0;
  constexpr int times = 200, m = 400;
  for (int k = 0; k < times; ++k) {
    std::mt19937 random(100 + k);
    std::normal_distribution<double> noise(0, 1);
    double sum = 0, squares = 0;
    for (int i = 0; i < m; ++i) {
      const double x = noise(random);
      sum += x, squares += x * x;
    }
    for (const bool known : {true, false}) {
      const auto p = model_probabilities({negative_log_evidence(ModelFit{squares, m, 0, known}), negative_log_evidence(ModelFit{squares - sum * sum / m, m, 1, known})});
      EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
      right += p[0] > 0.5;
    }
  }
  // wrong where a squared standard normal number exceeds ln m = 5.99: 1.4 %
  EXPECT_GE(right, 0.96 * 2 * times);
}

/// Errors that come in equal pairs: 2 m values tell what m tell, and their evidence differs in the same way.
TEST(ModelEvidence, OfPairsOfEqualErrorsIsThatOfOneOfEach) {
  constexpr int m = 60;
  const double chi_squared[] = {70, 61.5};
  for (const bool known : {true, false}) {
    double difference[2];
    for (const bool pairs : {false, true}) {
      ModelFit fits[2];
      for (int k = 0; k < 2; ++k)
        fits[k] = pairs ? ModelFit{2 * chi_squared[k], 2 * m, 1 + k, known, 2, m} : ModelFit{chi_squared[k], m, 1 + k, known};
      const std::vector<double> e = negative_log_evidence(fits);
      difference[pairs] = e[1] - e[0];
    }
    EXPECT_NEAR(difference[1], difference[0], 1e-12);
  }
}

/// The residuals of a wrong model are correlated by its error: the closest fit tells what the noise is.
TEST(ModelEvidence, TheClosestFitTellsTheNoise) {
  const ModelFit wrong{4000, 100, 2, true, 30, 3}, right{90, 100, 3}, needless{88, 100, 4};
  const std::vector<double> e = negative_log_evidence(std::vector{wrong, right, needless});
  EXPECT_NEAR(e[0] - e[1], 0.5 * (4000 - 90 - std::log(100)), 1e-11);
  EXPECT_NEAR(e[2] - e[1], 0.5 * (88 - 90 + std::log(100)), 1e-11);
}

/// Huge misfits neither overflow nor lose the order.
TEST(ModelEvidence, OfFarModels) {
  const auto p = model_probabilities({1e6, 1e6 + 2, 5e6});
  EXPECT_NEAR(p[0] / p[1], std::exp(2), 1e-12);
  EXPECT_EQ(p[2], 0);
}

/// A force curve in its right unit, with differences of 3 % that alternate.
std::vector<double> readings(double factor) {
  std::vector<double> d;
  for (int i = 1; i <= 12; ++i) d.push_back(factor * std::sqrt(i) * (i % 2 ? 1.03 : 0.97));
  return d;
}

TEST(CurveDoubt, TellsASignAndAUnitFromAModelThatIsWrong) {
  const auto model = readings(1);
  EXPECT_EQ(curve_doubt("force", model, readings(1.3)), "");
  EXPECT_NE(curve_doubt("force", model, readings(-0.5)).find("opposite sign"), std::string::npos);
  EXPECT_NE(curve_doubt("force", model, readings(1000)).find("'force' are 1e+03 times the model"), std::string::npos);
  EXPECT_NE(curve_doubt("force", model, readings(1e-3)).find("0.001 times"), std::string::npos);
  auto other = readings(1);  // no multiple of the model
  for (std::size_t i = 0; i < other.size(); ++i) other[i] *= i < 6 ? -1 : 2;
  EXPECT_EQ(curve_doubt("force", model, other), "");
  EXPECT_EQ(curve_doubt("force", std::vector<double>(12, 0.0), model), "");
}

FittedModel fitted(const char* name, double chi_squared, int data, int parameters) {
  FittedModel m{.name = name, .negative_log_evidence = 0, .chi_squared = chi_squared, .degrees_of_freedom = double(data - parameters),
                .data = double(data), .effective_data = double(data)};
  m.numbers = {chi_squared, data, parameters};
  return m;
}

/// Two fits with known noise: −ln evidence differs by ½ Δχ² + ½ ln(data) for every parameter more.
TEST(ModelComparison, OrdersModelsByTheirEvidence) {
  const std::vector<FittedModel> models{fitted("poor", 130, 100, 2), fitted("needless", 99, 100, 4), fitted("right", 100, 100, 3)};
  const ModelComparison c = compare_models(models);
  EXPECT_EQ(c.reason, "");
  EXPECT_EQ(c.order, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_NEAR(c.negative_log_evidence[0] - c.negative_log_evidence[2], 0.5 * (130 - 100 - std::log(100)), 1e-12);
  EXPECT_NEAR(c.negative_log_evidence[1] - c.negative_log_evidence[2], 0.5 * (99 - 100 + std::log(100)), 1e-12);
  EXPECT_NEAR(c.probability[2] / c.probability[1], std::exp(0.5 * (99 - 100 + std::log(100))), 1e-9);
  EXPECT_FALSE(c.noise_of);
}

TEST(ModelComparison, NamesTheModelThatTellsTheCorrelationOfErrors) {
  std::vector<FittedModel> models{fitted("wrong", 900, 100, 2), fitted("right", 95, 100, 3)};
  models[0].numbers.effective_data = 5;
  EXPECT_FALSE(compare_models(models).noise_of) << "residuals of a wrong model are correlated by its error";
  models[1].numbers.effective_data = 30;
  EXPECT_EQ(compare_models(models).noise_of, std::optional<std::size_t>(1));
}

TEST(ModelComparison, OfFieldsTakesTheEvidenceOfEach) {
  std::vector<FittedModel> models{fitted("field", 300, 100, 60), fitted("number", 100, 100, 3)};
  models[0].of_field = true;
  models[0].negative_log_evidence = 40;
  models[1].negative_log_evidence = 42;
  const ModelComparison c = compare_models(models);
  EXPECT_EQ(c.order, (std::vector<std::size_t>{0, 1}));
  EXPECT_NEAR(c.probability[1], 1 / (1 + std::exp(2.0)), 1e-12);
  models[0].effective_data = 99;
  EXPECT_NE(compare_models(models).reason.find("seem correlated in field"), std::string::npos);
}

TEST(ModelComparison, IsOfTheSameDataOnly) {
  EXPECT_NE(compare_models(std::vector{fitted("alone", 90, 100, 2)}).reason, "");
  EXPECT_NE(compare_models(std::vector{fitted("a", 90, 100, 2), fitted("b", 90, 101, 2)}).reason, "");
  std::vector<FittedModel> models{fitted("a", 90, 100, 2), fitted("b", 90, 100, 2)};
  models[1].known_noise = false;
  EXPECT_NE(compare_models(models).reason, "");
}

TEST(FittedModel, DescribesTheDataUpToTheNoise) {
  FittedModel m = fitted("m", 98, 100, 2);
  EXPECT_DOUBLE_EQ(m.misfit(), 1);
  EXPECT_TRUE(m.describes_the_data());
  m.excess_variance = 1;
  EXPECT_TRUE(m.describes_the_data());
  m.excess_variance = 4;
  EXPECT_FALSE(m.describes_the_data());
  m.known_noise = false;
  EXPECT_TRUE(std::isnan(m.misfit()));
  EXPECT_TRUE(m.describes_the_data()) << "the noise is what the fit has left";
}

}  // namespace
}  // namespace invar
