#include <gtest/gtest.h>

#include "libadjoint/verify/certify.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"
#include "tests/unit/adjoint/verify_toys.hpp"

namespace invar {
namespace {

using namespace toy;

std::string names_of_failures(const Certificate& c) {
  std::string text;
  for (const CertificateEntry& e : c.entries)
    if (!e.passed) text += e.check + " (" + e.subject + ") ";
  return text;
}

TEST(Certify, PassesRightDerivatives) {
  Implicit f;
  const Certificate c = certify(f, f.start(), {.hessian = true});
  EXPECT_TRUE(c.passed()) << c.table();
  // 3 Taylor, 3 dot products, 2 differences, 3 + 3 Hessian expansions, 2 symmetries.
  EXPECT_EQ(c.entries.size(), 16u);
  for (const CertificateEntry& e : c.entries) {
    if (e.check == "taylor") {
      EXPECT_NEAR(e.measured, 2, 0.02) << c.table();
    }
    if (e.check == "hessian taylor") {
      EXPECT_NEAR(e.measured, 3, 0.02) << c.table();
    }
    if (e.check == "dot product") {
      EXPECT_LT(e.measured, 1e-13) << c.table();
    }
  }
}

TEST(Certify, FindsAWrongAdjoint) {
  // One part in ten thousand of one entry.
  for (const double error : {1e-4, -1e-4}) {
    Implicit f;
    f.gradient_error = error;
    for (const CertificateEntry& e : certify(f, f.start()).entries) {
      if (e.check == "taylor") {
        EXPECT_FALSE(e.passed) << e.subject << " " << e.measured;
      }
      if (e.check == "dot product") {
        EXPECT_FALSE(e.passed) << e.subject << " " << e.measured;
      }
      if (e.check == "finite difference") {
        EXPECT_EQ(e.passed, e.subject == "load") << e.measured;
      }
    }
  }
}

TEST(Certify, TellsAWrongTangentFromAWrongAdjoint) {
  Implicit f;
  f.tangent_error = 1e-6;
  for (const CertificateEntry& e : certify(f, f.start()).entries)
    EXPECT_EQ(e.passed, e.check != "dot product") << e.check << " " << e.subject;
}

TEST(Certify, FindsAWrongHessian) {
  Implicit f;
  f.hessian_error = 1e-3;
  for (const CertificateEntry& e : certify(f, f.start(), {.hessian = true}).entries)
    EXPECT_EQ(e.passed, e.check != "hessian taylor" && e.check != "hessian gradient")
        << e.check << " " << e.subject << " " << e.measured;
  f.hessian_error = 0;
  f.hessian_asymmetry = 1e-6;
  const Certificate c = certify(f, f.start(), {.hessian = true});
  EXPECT_NE(names_of_failures(c).find("hessian symmetry"), std::string::npos) << c.table();
}

TEST(Certify, WorksAtTheBounds) {
  // Implicit fails outside its bounds, so a step across one would show.
  for (const double sign : {1.0, -1.0}) {
    Implicit f;
    (sign > 0 ? f.up : f.lo) = f.start().shared;  // a corner of the box
    EXPECT_TRUE(certify(f, f.start(), {.hessian = true}).passed())
        << certify(f, f.start(), {.hessian = true}).table();
  }
  Implicit f;
  f.lo[0] = f.up[0] = f.start().shared[0];  // one variable fixed
  EXPECT_TRUE(certify(f, f.start()).passed()) << certify(f, f.start()).table();
}

TEST(Certify, BacksOffFromPointsThatCannotBeEvaluated) {
  Implicit f;
  f.fails_above = 0.4 + 1e-2;
  const Certificate c = certify(f, f.start(), {.directions = 4});
  EXPECT_TRUE(c.passed()) << c.table();
}

TEST(Certify, ReportsAPointThatCannotBeEvaluated) {
  Implicit f;
  f.fails_above = 0;
  const Certificate c = certify(f, f.start());
  EXPECT_FALSE(c.passed());
  EXPECT_NE(c.table().find("the stiffness is too large"), std::string::npos);
}

TEST(Certify, ACertificateWithoutChecksIsNoProof) { EXPECT_FALSE(Certificate{}.passed()); }

TEST(Certify, WritesATable) {
  Implicit f;
  f.gradient_error = 1e-2;
  const std::string table = certify(f, f.start(), {.directions = 1}).table();
  EXPECT_NE(table.find("random direction 1"), std::string::npos);
  EXPECT_NE(table.find("2.00 ± 0.02"), std::string::npos);
  EXPECT_NE(table.find("FAILED"), std::string::npos);
  EXPECT_NE(table.find("5 of 6 checks failed"), std::string::npos) << table;
}

/// c·x + ½ q |x|², with a relative error on the first entry of the gradient.
Function polynomial(double c, double q, double cubic, double error) {
  Function f({0.3, -0.7});
  f.f = [=](const Vector& x) {
    return c * x.sum() + 0.5 * q * x.squaredNorm() + cubic * x.array().cube().sum();
  };
  f.g = [=](const Vector& x) -> Vector {
    Vector g = (c + q * x.array() + 3 * cubic * x.array().square()).matrix();
    g[0] *= 1 + error;
    return g;
  };
  f.h = [=](const Vector& x) -> Matrix {
    return (q + 6 * cubic * x.array()).matrix().asDiagonal();
  };
  return f;
}

CertificateEntry taylor(Function f) {
  return taylor_test(f, f.start(), Directions(f, f.start()).random(3), "random");
}

TEST(TaylorTest, IsExactForALinearFunction) {
  EXPECT_TRUE(taylor(polynomial(2, 0, 0, 0)).passed);
  EXPECT_EQ(taylor(polynomial(2, 0, 0, 0)).note, "exact");
  const CertificateEntry wrong = taylor(polynomial(2, 0, 0, 1e-4));
  EXPECT_FALSE(wrong.passed);
  EXPECT_NEAR(wrong.measured, 1, 1e-3);  // the error is of first order
}

TEST(TaylorTest, HasOrderTwoForAQuadraticFunction) {
  const CertificateEntry right = taylor(polynomial(2, 1, 0, 0));
  EXPECT_TRUE(right.passed);
  EXPECT_NEAR(right.measured, 2, 0.01);
  EXPECT_FALSE(taylor(polynomial(2, 1, 0, 1e-4)).passed);
  EXPECT_FALSE(taylor(polynomial(2, 1, 0, -1e-4)).passed);
}

TEST(TaylorTest, AcceptsACurvatureTooSmallToSeeButNoWrongGradient) {
  EXPECT_TRUE(taylor(polynomial(2, 1e-11, 0, 0)).passed);
  EXPECT_FALSE(taylor(polynomial(2, 1e-11, 0, 1e-4)).passed);
}

TEST(TaylorTest, AcceptsAHigherOrderWhereTheCurvatureVanishes) {
  Function f = polynomial(2, 0, 1, 0);
  f.x0 = {0, 0};  // no curvature there
  const CertificateEntry e = taylor(f);
  EXPECT_TRUE(e.passed);
  EXPECT_NEAR(e.measured, 3, 0.02);
}

TEST(TaylorTest, JudgesAboveTheNoiseOfTheFunction) {
  // A pseudo-random error within ± 0.5e-9, as of a state solved no better.
  Function f = polynomial(2, 1, 0.5, 0);
  const auto smooth = f.f;
  f.f = [=](const Vector& x) {
    const double scatter = 1e5 * std::sin(1e12 * x[0] + 3e11 * x[1]);
    return smooth(x) + 1e-9 * (scatter - std::floor(scatter) - 0.5);
  };
  const CertificateEntry e = taylor(f);
  EXPECT_TRUE(e.passed) << e.measured << e.note;
  EXPECT_GT(e.steps.back().remainder, 1e-11);  // it stopped in time
  const DesignVector d = Directions(f, f.start()).random(3);
  const double noise = measured_noise(f, f.start(), d);
  EXPECT_GT(noise, 1e-10);  // true standard deviation 2.9e-10
  EXPECT_LT(noise, 1e-9);
}

/// x0 + x0² + x1² with an addition, and a relative error of the gradient's first entry.
Function bent(const std::function<double(double)>& addition, double error = 0) {
  Function f({0.3, -0.7});
  f.f = [=](const Vector& x) { return x[0] + x.squaredNorm() + addition(x[0]); };
  f.g = [=](const Vector& x) -> Vector { return Vector{{(1 + 2 * x[0]) * (1 + error), 2 * x[1]}}; };
  return f;
}

CertificateEntry along_first(Function f) { return taylor_test(f, f.start(), shared({1, 0.1}), "first"); }

// A correct gradient near a jump or a kink, or of a noisy function, is not reported as wrong. None of the additions changes the
// derivative at 0.3.
TEST(TaylorTest, DoesNotCallARightGradientWrong) {
  for (const double distance : {1e-3, 1e-5, 1e-7}) {
    const auto jump = [=](double x) { return x > 0.3 + distance ? 1e-3 : 0.0; };
    const auto kink = [=](double x) { return 0.2 * std::max(0.0, x - 0.3 - distance); };
    const auto kinks = [=](double x) {
      double sum = 0;
      for (int k = 0; k < 8; ++k) sum += 0.05 * std::max(0.0, x - 0.3 - distance * std::pow(3.0, k));
      return sum;
    };
    for (const std::function<double(double)>& addition : {std::function<double(double)>(jump), {kink}, {kinks}}) {
      const CertificateEntry e = along_first(bent(addition));
      EXPECT_TRUE(e.passed || e.undecided) << distance << " " << e.measured << " " << e.note;
    }
  }
  // What Newton's method leaves behind changes with its number of steps, not between neighbouring points.
  const auto leavings = [](double x) { return std::fmod(std::floor(x * 200), 2) * 1e-8 * (x - 0.2); };
  const CertificateEntry e = along_first(bent(leavings));
  EXPECT_TRUE(e.passed || e.undecided) << e.measured << " " << e.note;
}

// The same functions with a wrong gradient: never passed, and failed where the smooth part can be seen.
TEST(TaylorTest, DoesNotPassAWrongGradientBesideJumpsAndKinks) {
  for (const double error : {1e-2, -1e-3}) {
    for (const double distance : {1e-2, 1e-3}) {
      const auto jump = [=](double x) { return x > 0.3 + distance ? 1e-3 : 0.0; };
      const auto kink = [=](double x) { return 0.2 * std::max(0.0, x - 0.3 - distance); };
      for (const std::function<double(double)>& addition : {std::function<double(double)>(jump), {kink}}) {
        const CertificateEntry e = along_first(bent(addition, error));
        EXPECT_FALSE(e.passed || e.undecided) << distance << " " << e.measured << " " << e.note;
      }
    }
    const auto near = [](double x) { return x > 0.3 + 1e-8 ? 1e-3 : 0.0; };
    EXPECT_FALSE(along_first(bent(near, error)).passed);
  }
}

TEST(TaylorTest, AcceptsAnyOrderAboveTheRequiredOne) {
  Function f({0.0});
  f.f = [](const Vector& x) { return 2 * x[0] + std::pow(x[0], 6) + 3 * std::pow(x[0], 7); };
  f.g = [](const Vector&) -> Vector { return Vector{{2.0}}; };
  const CertificateEntry e = taylor_test(f, f.start(), shared({1}), "first", {.first_step = 0.4, .factor = 2});
  EXPECT_TRUE(e.passed) << e.note;
  EXPECT_GT(e.measured, 5);
}

// Derivatives by variables without influence are rounding errors that differ between methods.
TEST(Certify, ADerivativeThatIsZeroIsRight) {
  Function f({0.3, -0.7});
  f.f = [](const Vector& x) { return 3.5 + 1e-17 * std::sin(1e7 * x[0]); };
  f.g = [](const Vector&) -> Vector { return Vector{{4e-17, -2e-17}}; };
  const CertificateEntry e = taylor(f);
  EXPECT_TRUE(e.passed) << e.note;
  CertificateEntry product{.check = "dot product"};
  product.tolerance = 1e-8;
  compare(product, shared({4e-17, -2e-17}), -3e-17, shared({1.0, 1.0}), PETSC_COMM_WORLD, {.value = 3.5});
  EXPECT_TRUE(product.passed) << product.note;
  compare(product, shared({4e-11, -2e-17}), -3e-17, shared({1.0, 1.0}), PETSC_COMM_WORLD, {.value = 3.5});
  EXPECT_FALSE(product.passed || product.undecided);
  for (const CertificateEntry& entry : finite_difference_table(f, f.start())) EXPECT_TRUE(entry.passed) << entry.note;
}

// If linear solves have fewer digits than the tolerance, only these are compared.
TEST(DotProduct, AsksForTheDigitsThatThereAre) {
  const auto entry = [](double difference, double error) {
    CertificateEntry e{.check = "dot product"};
    e.tolerance = 1e-8;
    compare(e, shared({1.0 + difference}), 1.0, shared({1.0}), PETSC_COMM_WORLD, {.error = error, .magnitude = 1});
    return e;
  };
  EXPECT_TRUE(entry(1e-9, 0).passed);
  EXPECT_FALSE(entry(1e-6, 0).passed || entry(1e-6, 0).undecided);
  EXPECT_TRUE(entry(1e-6, 1e-6).passed);
  EXPECT_FALSE(entry(1e-4, 1e-6).passed || entry(1e-4, 1e-6).undecided);
  EXPECT_TRUE(entry(1e-6, 1e-3).undecided);  // too few digits prove nothing
}

// The flow through a closed surface is a sum that cancels: the sum and its derivatives are rounding errors of the terms. Larger
// values are still compared.
TEST(DotProduct, MeasuresTermsThatCancel) {
  const auto entry = [](double adjoint, double tangent, DerivativeScales scales) {
    CertificateEntry e{.check = "dot product"};
    e.tolerance = 1e-8;
    compare(e, shared({adjoint}), tangent, shared({1.0}), PETSC_COMM_WORLD, scales);
    return e;
  };
  const auto is_wrong = [](const CertificateEntry& e) { return !e.passed && !e.undecided; };
  EXPECT_TRUE(is_wrong(entry(3e-17, -4e-17, {.value = 1e-16})));  // as far as is known
  EXPECT_TRUE(entry(3e-17, -4e-17, {.value = 1e-16, .terms = 0.5}).passed);
  EXPECT_TRUE(is_wrong(entry(3e-14, -4e-14, {.terms = 0.5})));
  EXPECT_TRUE(is_wrong(entry(0, 1e-9, {.error = 1e-12, .magnitude = 1e-9, .terms = 0.5})));
  EXPECT_TRUE(is_wrong(entry(1 + 1e-7, 1, {.terms = 2.0})));
  EXPECT_TRUE(entry(1 + 1e-9, 1, {.terms = 2.0}).passed);
  // Iterative solves leave more than round-off.
  EXPECT_TRUE(entry(3e-11, -4e-11, {.error = 1e-9, .magnitude = 4e-11, .terms = 0.5}).undecided);
  EXPECT_TRUE(is_wrong(entry(3e-8, -4e-8, {.error = 1e-9, .magnitude = 4e-8, .terms = 0.5})));
}

TEST(HessianTest, IsExactForAQuadraticFunction) {
  Function f = polynomial(2, 1, 0, 0);
  const DesignVector d = Directions(f, f.start()).random(3);
  EXPECT_EQ(hessian_taylor_test(f, f.start(), d, "random").note, "exact");
  EXPECT_TRUE(hessian_gradient_test(f, f.start(), d, "random").passed);
}

TEST(HessianTest, AFunctionalWithoutHessianIsReported) {
  Fit f = exponential_fit(0.3, 0.4, {0.2, 0.3});
  const CertificateEntry e =
      hessian_symmetry_test(f, f.start(), f.start(), f.start(), "somewhere");
  EXPECT_FALSE(e.passed);
  EXPECT_NE(e.note.find("not given"), std::string::npos);
}

TEST(Directions, StayWithinTheBoundsAndHaveTheSizeOfTheirVariables) {
  Function f({3e6, 0.02, 1.0, 0.5});
  f.lo = {0, 0, -infinity, 0};
  f.up = {infinity, 0.02, infinity, 1e-3 + 0.5};
  const double reach = 0.1;
  const Directions directions(f, f.start(), reach);
  bool same = true;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const DesignVector d = directions.random(seed);
    same = same && d == directions.random(1);
    const DesignVector end = moved(f.start(), reach, d);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_GE(end.shared[i], f.lo[i]);
      EXPECT_LE(end.shared[i], f.up[i]);
      EXPECT_NE(d.shared[i], 0);
    }
    EXPECT_GE(std::abs(d.shared[0]), 1.5e6);
    EXPECT_LE(std::abs(d.shared[0]), 3e6);
    EXPECT_GE(std::abs(d.shared[2]), 0.5);
  }
  EXPECT_FALSE(same);
  // Along the gradient: uphill or downhill, within the bounds.
  const DesignVector g = shared({1e-6, 5, -2, 0});
  const DesignVector d = directions.along(g);
  EXPECT_NE(dot(g, d, MPI_COMM_WORLD), 0);
  EXPECT_LE(moved(f.start(), reach, d).shared[1], 0.02);
}

TEST(Certify, CoversAFieldSpreadOverTheRanks) {
  Distributed f(17);
  DesignVector theta = f.start();
  for (std::size_t i = 0; i < theta.local.size(); ++i) theta.local[i] = 0.1 * (f.first + (int)i);
  CertifyOptions options;
  options.finite_differences.max_entries = 5;
  const Certificate c = certify(f, theta, options);
  EXPECT_TRUE(c.passed()) << c.table();
  EXPECT_EQ(c.entries.size(), 3u + 3u + 2u + 5u);

  struct Wrong : Distributed {  // one entry of the field, on the last rank
    using Distributed::Distributed;
    Evaluation gradient(const DesignVector& t, DesignVector& g) override {
      const Evaluation e = Distributed::gradient(t, g);
      if (last == 17) g.local.back() *= 1.01;
      return e;
    }
    Evaluation value(const DesignVector& t) override { return Distributed::value(t); }
  } wrong(17);
  const Certificate bad = certify(wrong, theta, options);
  for (const CertificateEntry& e : bad.entries)
    if (e.check == "taylor") {
      EXPECT_FALSE(e.passed) << bad.table();
    }
}

}  // namespace
}  // namespace invar
