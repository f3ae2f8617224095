#include "libfem/design/boundary/spline_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace invar {
namespace {

/// The value of every function, also of those that vanish.
std::vector<double> values_at(const SplineBasis& basis, double s) {
  std::vector<double> all(basis.count(), 0.0);
  const auto support = basis.at(s);
  for (std::size_t i = 0; i < support.index.size(); ++i) all[support.index[i]] += support.value[i];
  return all;
}
void expect_values(const SplineBasis& basis, double s, const std::vector<double>& expected) {
  const auto values = values_at(basis, s);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-15) << "s " << s << ", " << i;
}

TEST(SplineBasis, AsManyControlsAsTheDegreeAllowsAreBernsteinPolynomials) {
  for (int degree : {0, 1, 2, 3, 7})
    for (double s : {0.0, 0.1, 0.5, 0.75, 1.0}) {
      std::vector<double> bernstein;
      for (int i = 0; i <= degree; ++i)
        bernstein.push_back(std::round(std::tgamma(degree + 1) / (std::tgamma(i + 1) * std::tgamma(degree - i + 1))) *
                            std::pow(s, i) * std::pow(1 - s, degree - i));
      expect_values(SplineBasis::clamped(degree, degree + 1), s, bernstein);
    }
}

// Values of cubic splines at their knots are tabulated in every book: 1/6, 2/3, 1/6 inside, and
// 1/4, 7/12, 1/6 one knot from a clamped end.
TEST(SplineBasis, CubicsHaveTheirKnownValuesAtKnots) {
  expect_values(SplineBasis::periodic(3, 5), 0.4, {0, 1. / 6, 2. / 3, 1. / 6, 0});
  expect_values(SplineBasis::periodic(3, 5), 0.0, {2. / 3, 1. / 6, 0, 0, 1. / 6});
  expect_values(SplineBasis::periodic(3, 5), 1.0, {2. / 3, 1. / 6, 0, 0, 1. / 6});
  expect_values(SplineBasis::clamped(3, 8), 0.2, {0, 1. / 4, 7. / 12, 1. / 6, 0, 0, 0, 0});
  expect_values(SplineBasis::clamped(3, 8), 0.0, {1, 0, 0, 0, 0, 0, 0, 0});
  expect_values(SplineBasis::clamped(3, 8), 1.0, {0, 0, 0, 0, 0, 0, 0, 1});
}

TEST(SplineBasis, SumsToOneAndReproducesTheParameter) {
  for (int degree : {1, 2, 3, 4})
    for (int count : {degree + 1, degree + 2, degree + 9})
      for (int k = 0; k <= 100; ++k) {
        const double s = k / 100.0;
        const SplineBasis clamped = SplineBasis::clamped(degree, count);
        double ones = 0, parameter = 0;
        const auto N = values_at(clamped, s);
        for (int i = 0; i < count; ++i) ones += N[i], parameter += N[i] * clamped.abscissa(i);
        EXPECT_NEAR(ones, 1, 1e-14);
        EXPECT_NEAR(parameter, s, 1e-14) << degree << " " << count;
        const auto P = values_at(SplineBasis::periodic(degree, count), s);
        EXPECT_NEAR(std::accumulate(P.begin(), P.end(), 0.0), 1, 1e-14);
      }
}

TEST(SplineBasis, PeriodicFunctionsAreOneFunctionShifted) {
  for (int degree : {1, 2, 3, 4}) {
    const SplineBasis basis = SplineBasis::periodic(degree, 7);
    for (int k = 0; k < 50; ++k) {
      const double offset = (k - 25) / 50.0;
      const double first = values_at(basis, basis.abscissa(0) + offset)[0];
      EXPECT_NEAR(values_at(basis, basis.abscissa(0) - offset)[0], first, 1e-14) << "even about its abscissa";
      for (int i = 1; i < 7; ++i) EXPECT_NEAR(values_at(basis, basis.abscissa(i) + offset)[i], first, 1e-14);
    }
  }
}

TEST(SplineBasis, NeedsMoreControlsThanItsDegree) {
  EXPECT_THROW(SplineBasis::clamped(3, 3), std::invalid_argument);
  EXPECT_THROW(SplineBasis::periodic(3, 3), std::invalid_argument);
  EXPECT_THROW(SplineBasis::clamped(-1, 3), std::invalid_argument);
}

}  // namespace
}  // namespace invar
