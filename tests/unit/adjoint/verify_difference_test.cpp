// Differences by variable: of smooth functions, of functions with a kink in the derivative, in noise, at bounds.
// The derivative and, for the smooth and the kinked, the error of a plain quotient are known in closed form.
#include <gtest/gtest.h>

#include "libadjoint/verify/certify.hpp"
#include "libadjoint/verify/difference_quotient.hpp"
#include "tests/unit/adjoint/verify_toys.hpp"

namespace invar {
namespace {

using namespace toy;

/// x + ½ c (x − a)₊²: f' has a kink at a, as of a contact that opens; f'(0) = 1 for a ≥ 0.
double kinked(double x, double c, double a) { return x + 0.5 * c * std::pow(std::max(x - a, 0.0), 2); }

DifferenceQuotient at_zero(const std::function<double(double)>& f, DifferenceQuotientOptions options) {
  return extrapolated_difference([&](double x) { return Evaluation::success(f(x)); }, f(0), options);
}

TEST(DifferenceQuotient, RemovesTheErrorOfTheStep) {
  // The plain quotient errs by (50 h)²/6 of the derivative: 1 % at this step.
  const auto f = [](double x) { return std::sin(50 * x) / 50; };
  for (const bool central : {true, false}) {
    const DifferenceQuotient d =
        at_zero(f, {.first_step = 5e-3, .error_wanted = 1e-8, .noise = 1e-18, .central = central, .side = -1});
    EXPECT_LE(std::abs(d.value - 1), d.error);
    EXPECT_LE(d.error, 1e-8) << central;
  }
}

TEST(DifferenceQuotient, ItsErrorCoversTheTruthWhereverAKinkLies) {
  int all = 0, covered = 0;
  for (const double c : {-1.0, 1.0, 100.0, 1e4})
    for (int k = 0; k <= 500; ++k) {
      const double a = k == 0 ? 0.0 : 1e-8 * std::pow(1e5, k / 500.0);  // up to 1e-3
      const DifferenceQuotient d =
          at_zero([&](double x) { return kinked(x, c, a); }, {.error_wanted = 1e-6, .noise = 1e-19});
      ++all;
      if (std::abs(d.value - 1) <= d.error) ++covered;
    }
  EXPECT_GE(covered, 0.99 * all) << covered << " of " << all;  // it is an estimate
}

TEST(DifferenceQuotient, LeavesOutStepsThatCannotBeEvaluated) {
  const auto f = [](double x) {
    return x > 1e-5 ? Evaluation::failure("too far") : Evaluation::success(std::exp(x));
  };
  const DifferenceQuotient d = extrapolated_difference(f, 1, {.noise = 1e-16});
  EXPECT_NEAR(d.value, 1, 1e-9);
  EXPECT_LT(d.error, 1e-8);
  const auto nowhere = [](double) { return Evaluation::failure("too far"); };
  EXPECT_EQ(extrapolated_difference(nowhere, 1, {}).failure, "too far");
}

/// One entry of the table for f at x = 0.3, with a relative error of the derivative.
CertificateEntry entry_of(const std::function<double(double)>& f, double derivative, double error, double lower = -1,
                          double upper = 1) {
  Function toy({0.3});
  toy.lo = {lower};
  toy.up = {upper};
  toy.fails = [=](const Vector& x) { return x[0] < lower || x[0] > upper; };
  toy.f = [=](const Vector& x) { return f(x[0]); };
  toy.g = [=](const Vector&) -> Vector { return Vector::Constant(1, derivative * (1 + error)); };
  return finite_difference_table(toy, toy.start()).at(0);
}

TEST(FiniteDifferences, FindAnErrorOfOneInAHundredThousandOfASmoothFunction) {
  // Lengths over which the derivative changes: 1, and 0.03, where a plain quotient at 1e-4 errs by 2e-6.
  for (const double k : {1.0, 30.0}) {
    const auto f = [=](double x) { return std::exp(k * x) / k; };
    for (const double lower : {-1.0, 0.3, 0.3 - 1e-5}) {  // inside, at the bound, near it
      const CertificateEntry right = entry_of(f, std::exp(0.3 * k), 0, lower);
      EXPECT_TRUE(right.passed) << k << " " << lower << " " << right.measured << " " << right.tolerance;
      EXPECT_LE(right.reference_error, 1e-6);
      for (const double error : {1e-5, -1e-5}) {
        const CertificateEntry wrong = entry_of(f, std::exp(0.3 * k), error, lower);
        EXPECT_FALSE(wrong.passed || wrong.undecided) << k << " " << lower << " " << wrong.measured;
      }
    }
  }
}

TEST(FiniteDifferences, FindItOfAFunctionWithAKinkToo) {
  for (int k = 0; k <= 200; ++k) {
    const double a = k == 0 ? 0.0 : 1e-8 * std::pow(1e5, k / 200.0);  // up to 1e-3
    const auto f = [=](double x) { return kinked(x - 0.3, 1, a); };
    EXPECT_TRUE(entry_of(f, 1, 0).passed) << a;
    for (const double error : {1e-5, -1e-5}) EXPECT_FALSE(entry_of(f, 1, error).passed) << a << " " << error;
    const auto sharp = [=](double x) { return kinked(x - 0.3, 100, a); };
    EXPECT_TRUE(entry_of(sharp, 1, 0).passed) << a;
    for (const double error : {1e-3, -1e-3}) EXPECT_FALSE(entry_of(sharp, 1, error).passed) << a << " " << error;
    if (a < 1e-6) continue;
    EXPECT_TRUE(entry_of(f, 1, 0, 0.3).passed) << "one-sided, " << a;
    EXPECT_FALSE(entry_of(f, 1, 1e-4, 0.3).passed) << "one-sided, " << a;
  }
}

TEST(FiniteDifferences, SayWhereTheyCannotTell) {
  // A kink at the point itself so sharp that quotients at the smallest step still err by a tenth.
  const auto sharp = [](double x) { return kinked(x - 0.3, 1e6, 0); };
  const CertificateEntry crude = entry_of(sharp, 1, 0);
  EXPECT_TRUE(crude.undecided);
  EXPECT_FALSE(crude.passed);
  EXPECT_GT(crude.reference_error, 1e-4);
  EXPECT_FALSE(entry_of(sharp, 1, 100).undecided);  // contradicted however crude
  EXPECT_FALSE(entry_of(sharp, 1, 100).passed);

  // Scatter within ± 0.5e-5.
  const auto noisy = [](double x) {
    const double scatter = 1e5 * std::sin(1e12 * x);
    return x + 1e-5 * (scatter - std::floor(scatter) - 0.5);
  };
  EXPECT_TRUE(entry_of(noisy, 1, 0).undecided);

  Certificate certificate{{crude}};
  EXPECT_FALSE(certificate.passed());  // nothing is proved
  certificate.entries.push_back({.check = "dot product", .passed = true});
  EXPECT_TRUE(certificate.passed());
  const std::string table = certificate.table();
  for (const char* words : {"unsure", "cannot tell: the difference is too uncertain; difference known within ", "1 of 2 checks passed, 1 cannot tell"})
    EXPECT_NE(table.find(words), std::string::npos) << table;
  certificate.entries.push_back({.check = "dot product"});
  EXPECT_FALSE(certificate.passed());
}

TEST(FiniteDifferences, TakeGreaterStepsInNoise) {
  // Scatter within ± 0.5e-12, 3e-13 in the mean square: ten times that leaves 2e-8 uncertain at a step of 1e-4,
  // of a derivative of 0.01 thus 2e-6.
  const auto noisy = [](double x) {
    const double scatter = 1e5 * std::sin(1e12 * x);
    return 0.01 * std::exp(x - 0.3) + 1e-12 * (scatter - std::floor(scatter) - 0.5);
  };
  const CertificateEntry right = entry_of(noisy, 0.01, 0);
  EXPECT_TRUE(right.passed) << right.measured;
  EXPECT_LE(right.reference_error, 1e-6);
  EXPECT_FALSE(entry_of(noisy, 0.01, 1e-5).passed);
}

}  // namespace
}  // namespace invar
