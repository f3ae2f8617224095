#include "libadjoint/variable_transform.hpp"

#include <gtest/gtest.h>

namespace invar {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(VariableTransform, DerivativesAreThoseOfTheMap) {
  for (const auto& map : {VariableTransform::by_name("linear", 2e5),
                          VariableTransform::by_name("log", 2e5),
                          VariableTransform::by_name("log", -3.0)})
    for (const double t : {-1.3, 0.0, 0.7}) {
      const double h = 1e-4, scale = std::abs(map.scale());  // truncation h²/6 e^0.7 = 3e-9
      const double p = map.physical(t), up = map.physical(t + h), down = map.physical(t - h);
      EXPECT_NEAR(map.derivative(t) / scale, (up - down) / (2 * h) / scale, 1e-8);
      EXPECT_NEAR(map.second_derivative(t) / scale, (up - 2 * p + down) / (h * h) / scale, 1e-7);
      EXPECT_NEAR(map.coordinate(p), t, 1e-14);
    }
}

TEST(VariableTransform, MapsKnownValues) {
  EXPECT_DOUBLE_EQ(VariableTransform::by_name("linear", 10).physical(0.5), 5);
  EXPECT_DOUBLE_EQ(VariableTransform::by_name("log", 10).physical(std::log(0.5)), 5);
  EXPECT_DOUBLE_EQ(VariableTransform::by_name("log", -10).physical(0), -10);
}

TEST(VariableTransform, TransformsBounds) {
  using A = std::array<double, 2>;
  EXPECT_EQ(VariableTransform::by_name("linear", -2).bounds(-4, 8), (A{-4, 2}));
  EXPECT_EQ(VariableTransform::by_name("linear", 2).bounds(-infinity, 8), (A{-infinity, 4}));
  const auto log = VariableTransform::by_name("log", 1);
  EXPECT_EQ(log.bounds(1, std::exp(2.0)), (A{0, 2}));
  EXPECT_EQ(log.bounds(0, infinity), (A{-infinity, infinity}));
  EXPECT_EQ(log.bounds(-5, 1), (A{-infinity, 0}));
  EXPECT_EQ(VariableTransform::by_name("log", -1).bounds(-std::exp(1.0), -1), (A{0, 1}));
  EXPECT_THROW(log.bounds(-2, -1), std::invalid_argument);
  EXPECT_THROW(log.bounds(2, 1), std::invalid_argument);
}

TEST(VariableTransform, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(VariableTransform::by_name("log10"), std::invalid_argument);
  EXPECT_THROW(VariableTransform::by_name("log", 0), std::invalid_argument);
  EXPECT_THROW(VariableTransform::by_name("log", 2).coordinate(-1), std::invalid_argument);
  EXPECT_THROW(VariableTransform::by_name("log", 2).coordinate(0), std::invalid_argument);
}

}  // namespace
}  // namespace invar
