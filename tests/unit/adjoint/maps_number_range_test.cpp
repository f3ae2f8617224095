#include "libadjoint/maps/number_range.hpp"

#include <gtest/gtest.h>

namespace invar {
namespace {

using Scale = VariableTransform::Kind;

TEST(NumberRange, AttainableBoundsLieInside) {
  const NumberRange positive{.lower = 0, .lower_open = true}, not_negative{.lower = 0};
  EXPECT_DOUBLE_EQ(closed_bounds(positive, 1e5, Scale::linear)[0], 0.1);
  EXPECT_EQ(closed_bounds(positive, 1e5, Scale::log)[0], 0) << "a logarithmic variable never attains zero";
  EXPECT_EQ(closed_bounds(not_negative, 3, Scale::linear)[0], 0);
  const NumberRange poisson{-1, 0.5, true, true};
  for (const Scale kind : {Scale::linear, Scale::log}) {
    const auto [lower, upper] = closed_bounds(poisson, 0.45, kind);
    EXPECT_TRUE(poisson.contains(lower) && poisson.contains(upper));
    EXPECT_NEAR(upper, 0.5 - 5e-8, 1e-15);
    EXPECT_NEAR(lower, -1 + 1.45e-6, 1e-15);
  }
}

TEST(NumberRange, WithoutBounds) {
  const auto [lower, upper] = closed_bounds(NumberRange(), 3, Scale::linear);
  EXPECT_EQ(lower, -INFINITY);
  EXPECT_EQ(upper, INFINITY);
  EXPECT_FALSE(NumberRange().bounded());
  EXPECT_FALSE((NumberRange{.lower = 0, .lower_open = true}.contains(0)));
  EXPECT_TRUE(NumberRange{.lower = 0}.contains(0));
}

}  // namespace
}  // namespace invar
