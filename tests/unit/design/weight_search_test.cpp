// The weight of a regularisation. For a problem that is exactly Gaussian the evidence of each weight and the weights that are chosen are held
// against the formulas for dense matrices; for curves whose zero is known, against that.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libadjoint/inference/regularisation_weight.hpp"
#include "libadjoint/optimize/gauss_newton.hpp"
#include "tests/unit/design/gaussian_plate.hpp"

namespace invar::gaussian {
namespace {

/// What the dense formulas say of the plate's field of forces, for the weight w of its prior: residuals ρ + J θ/√w.
struct DenseWeight {
  DenseVector rho, s, c;  // singular values of J, squared; ρ along their directions, squared
  double outside = 0;     // ρ² in directions that no field changes

  explicit DenseWeight(const Dense& dense) : rho(dense.rho) {
    const test::SymmetricEigen of = test::symmetric_eigen(test::dense_product(dense.J, dense.J.transpose()));
    s = of.values.cwiseMax(0.0);
    c = (of.vectors.transpose() * rho).cwiseAbs2();
  }
  /// −ln p(data | w) + constant: the data are normal with covariance 1 + J Jᵀ/w.
  double evidence(double w) const { return 0.5 * ((c.array() / (1 + s.array() / w)).sum() + (1 + s.array() / w).log().sum()); }
  /// Misfit at the most probable field.
  double chi_squared(double w) const { return (c.array() / (1 + s.array() / w).square()).sum(); }
  double evidence_slope(double w) const {  // by ln w
    const Eigen::ArrayXd q = s.array() / w;
    return 0.5 * (c.array() * q / (1 + q).square() - q / (1 + q)).sum();
  }
};

/// ln w of the sign change of a growing function.
double zero_of(const std::function<double(double w)>& f, double low, double high) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (f(std::exp(middle)) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

OptimizerOptions exact() {
  OptimizerOptions o;
  o.gradient_tolerance = 1e-11;
  o.function_tolerance = o.step_tolerance = 1e-15;
  return o;
}

/// Runs a search whose minima are found by the Gauss–Newton method.
WeightSearch searched(Plate& p, const WeightSearchOptions& options) {
  CaseFunctional& f = *p.functional;
  RegularisationWeight weight = RegularisationWeight::of_prior(f, 0);
  WeightSearch search(options);
  while (const auto w = search.next()) {
    weight.set(*w);
    const OptimizerResult r = GaussNewton(exact()).minimize(f, f.start());
    EXPECT_TRUE(r.converged) << r.reason;
    LaplacePosterior posterior({.smallest = 1e-10});
    search.add(weight.assess(r.theta, options.rule == WeightRule::evidence ? &posterior : nullptr));
    if (search.trials().size() > 40) break;
  }
  return search;
}

TEST(RegularisationWeight, EvidenceAndMisfitAreTheDenseFormula) {
  Plate p(5, false, 9, 0.02);
  const Dense dense(p);
  const DenseWeight formula(dense);
  CaseFunctional& f = *p.functional;
  RegularisationWeight weight = RegularisationWeight::of_prior(f, 0);
  double constant = 0;
  for (const double w : {1.0, 0.03, 0.4, 6.0, 250.0}) {
    SCOPED_TRACE(w);
    weight.set(w);
    const OptimizerResult r = GaussNewton(exact()).minimize(f, f.start());
    LaplacePosterior posterior({.smallest = 1e-12});
    const WeightTrial t = weight.assess(r.theta, &posterior);
    ASSERT_TRUE(t.ok()) << t.rejected;
    const double difference = t.negative_log_evidence - formula.evidence(w);
    if (w == 1) constant = difference;
    EXPECT_NEAR(difference, constant, 1e-8);
    EXPECT_NEAR(constant, 0, 1e-7);  // both leave out the same constant
    EXPECT_NEAR(t.chi_squared, formula.chi_squared(w), 1e-7 * (1 + t.chi_squared));
    EXPECT_NEAR(r.value, 0.5 * t.chi_squared + w * t.penalty, 1e-9 * r.value);
    EXPECT_NEAR(w * t.penalty - 0.5 * t.resolved_directions, formula.evidence_slope(w), 1e-7 * (1 + t.resolved_directions));
  }
}

TEST(RegularisationWeight, KeepsTheFieldWhereItMoves) {
  Plate p(4, false);
  CaseFunctional& f = *p.functional;
  RegularisationWeight weight = RegularisationWeight::of_prior(f, 0);
  DesignVector theta = f.start();
  for (std::size_t i = 0; i < theta.local.size(); ++i) theta.local[i] = std::sin(1.0 + static_cast<double>(i));
  ASSERT_TRUE(f.solve(theta).ok);
  const std::vector<double> before = p.field->coordinates();
  const WeightTrial at_one = weight.assess(theta, nullptr);
  weight.set(9);
  const DesignVector same = weight.moved(theta, 1);
  ASSERT_TRUE(f.solve(same).ok);
  for (std::size_t c = 0; c < before.size(); ++c) EXPECT_NEAR(p.field->coordinates()[c], before[c], 1e-12);
  const WeightTrial at_nine = weight.assess(same, nullptr);
  EXPECT_NEAR(at_nine.chi_squared, at_one.chi_squared, 1e-9 * at_one.chi_squared);
  EXPECT_NEAR(at_nine.penalty, at_one.penalty, 1e-12 * at_one.penalty);
  EXPECT_FALSE(at_nine.has_evidence());
}

TEST(RegularisationWeight, EvidenceChoosesItsMaximum) {
  Plate p(5, false, 9, 0.1);
  const Dense dense(p);
  const DenseWeight formula(dense);
  const double best = zero_of([&](double w) { return formula.evidence_slope(w); }, -12, 12);
  ASSERT_GT(formula.evidence(std::exp(best + 0.1)), formula.evidence(std::exp(best)));
  ASSERT_GT(formula.evidence(std::exp(best - 0.1)), formula.evidence(std::exp(best)));
  for (const double start : {1.0, 400.0}) {
    SCOPED_TRACE(start);
    const WeightSearch search = searched(p, {.rule = WeightRule::evidence, .start = start, .tolerance = 1e-6});
    ASSERT_TRUE(search.settled()) << search.reason();
    EXPECT_NEAR(std::log(search.trials()[search.chosen()].weight), best, 1e-6);
    EXPECT_LE(search.trials().size(), 12u);
    EXPECT_EQ(search.by_evidence(), search.trials()[search.chosen()].weight);
  }
}

TEST(RegularisationWeight, DiscrepancyLeavesTheMisfitOfTheNoise) {
  Plate p(5, false, 9, 0.1);
  const Dense dense(p);
  const DenseWeight formula(dense);
  const double data = 18;
  const double wanted = zero_of([&](double w) { return formula.chi_squared(w) - data; }, -16, 16);
  for (const double start : {1.0, 1e-3}) {
    SCOPED_TRACE(start);
    const WeightSearch search = searched(p, {.rule = WeightRule::discrepancy, .start = start, .data = data, .tolerance = 1e-6, .band = 0});
    ASSERT_TRUE(search.settled()) << search.reason();
    EXPECT_NEAR(std::log(search.trials()[search.chosen()].weight), wanted, 1e-6);
    EXPECT_LE(search.trials().size(), 14u);
  }
}

// More misfit than any field can take away, and less than the mean of the prior leaves: with what the messages promise the rule is met.
TEST(RegularisationWeight, DiscrepancyThatNoWeightMeetsIsSaid) {
  Plate p(5, false, 9, 0.02);
  const Dense dense(p);
  const DenseWeight formula(dense);
  const double least = formula.chi_squared(1e-8), most = formula.chi_squared(1e8);
  const WeightSearch too_few = searched(p, {.rule = WeightRule::discrepancy, .data = 0.5 * least});
  EXPECT_FALSE(too_few.settled());
  EXPECT_NE(too_few.reason().find("exceeds the"), std::string::npos) << too_few.reason();
  const WeightSearch too_many = searched(p, {.rule = WeightRule::discrepancy, .data = 4 * most});
  EXPECT_FALSE(too_many.settled());
  EXPECT_NE(too_many.reason().find("'noise' 0.5 times as large as stated would be met there"), std::string::npos) << too_many.reason();
}

/// Runs a search on a made-up problem.
WeightSearch made_up(const WeightSearchOptions& options, const std::function<WeightTrial(double w)>& at) {
  WeightSearch search(options);
  while (const auto w = search.next()) {
    search.add(at(*w));
    if (search.trials().size() > 200) break;
  }
  return search;
}

/// n coordinates with signals of size c and singular values s_i = 10^(−i/2), in closed form.
WeightTrial of_spectrum(double w, double c, double floor = 0) {
  WeightTrial t{.weight = w, .chi_squared = floor, .penalty = 0, .resolved_directions = 0, .negative_log_evidence = 0};
  for (int i = 0; i < 12; ++i) {
    const double s = std::pow(10, 4 - i), q = s / w, x = c * c * s + 1;  // ρ² = signal and noise
    t.chi_squared += x / std::pow(1 + q, 2);
    t.penalty += 0.5 * x * s / std::pow(w + s, 2);
    t.resolved_directions += q / (1 + q);
    t.negative_log_evidence += 0.5 * (x / (1 + q) + std::log1p(q));
  }
  return t;
}

TEST(WeightSearch, FindsTheWeightOfASpectrum) {
  for (const double c : {0.3, 1.0, 5.0}) {  // here the evidence is largest for w = 1/c²
    SCOPED_TRACE(c);
    const WeightSearch s = made_up({.start = 1, .tolerance = 1e-8}, [&](double w) { return of_spectrum(w, c); });
    ASSERT_TRUE(s.settled()) << s.reason();
    EXPECT_NEAR(s.trials()[s.chosen()].weight * c * c, 1, 1e-7);
  }
  const WeightSearch nothing = made_up({}, [](double w) { WeightTrial t = of_spectrum(w, 0); t.penalty *= 0.5; return t; });
  EXPECT_FALSE(nothing.settled());
  EXPECT_NE(nothing.reason().find("the data show no deviation of the field from its mean"), std::string::npos) << nothing.reason();
}

// The derivative that is used leaves a part out where residuals are not linear: then the evidence itself decides.
TEST(WeightSearch, TheEvidenceItselfDecides) {
  const WeightSearch s = made_up({.start = 1.7, .tolerance = 1e-3}, [](double w) {
    WeightTrial t = of_spectrum(w, 1);
    t.negative_log_evidence = 40 * std::pow(std::log(w / 1.6), 2);
    return t;
  });
  ASSERT_TRUE(s.settled());
  EXPECT_NEAR(std::log(s.trials()[s.chosen()].weight / 1.6), 0, 0.02);
}

TEST(WeightSearch, FailedSearchesAreRejectedWeights) {
  const auto at = [](double w) {
    WeightTrial t = of_spectrum(w, 0.3);  // wants w = 11
    if (w > 30 || w < 0.2) t = {.weight = w, .rejected = "no equilibrium"};
    return t;
  };
  for (const double start : {1.0, 100.0, 0.02}) {
    SCOPED_TRACE(start);
    const WeightSearch s = made_up({.start = start, .tolerance = 1e-6}, at);
    ASSERT_TRUE(s.settled()) << s.reason();
    EXPECT_NEAR(std::log(s.trials()[s.chosen()].weight * 0.09), 0, 1e-5);
  }
  const WeightSearch none = made_up({}, [](double w) { return WeightTrial{.weight = w, .rejected = "no equilibrium"}; });
  EXPECT_EQ(none.chosen(), -1);
  EXPECT_FALSE(none.settled());
  EXPECT_EQ(none.reason(), "the search fails for every weight: no equilibrium");
  const WeightSearch out_of_reach = made_up({}, [&](double w) { return w > 5 ? WeightTrial{.weight = w, .rejected = "no equilibrium"} : of_spectrum(w, 0.3); });
  EXPECT_FALSE(out_of_reach.settled());
  EXPECT_GE(out_of_reach.chosen(), 0);
}

TEST(WeightSearch, DrawsTheCurveAroundTheChosenWeight) {
  const WeightSearch s = made_up({.rule = WeightRule::given, .start = 2, .data = 30, .curve = 9}, [](double w) { return of_spectrum(w, 1, 20); });
  ASSERT_TRUE(s.settled());
  EXPECT_EQ(s.chosen(), 0);
  ASSERT_EQ(s.trials().size(), 9u);
  double least = INFINITY, most = 0;
  for (const WeightTrial& t : s.trials()) least = std::min(least, t.weight), most = std::max(most, t.weight);
  EXPECT_NEAR(least, 0.02, 1e-12);
  EXPECT_NEAR(most, 200, 1e-9);
  EXPECT_TRUE(std::isfinite(s.corner()));
  // What other rules would have chosen, between the trials.
  EXPECT_NEAR(std::log(s.by_evidence()), 0, 0.1);
  double between = 0;
  for (double u = -5; u < 6; u += 1e-4)
    if (of_spectrum(std::exp(u), 1, 20).chi_squared < 30) between = u;
  EXPECT_NEAR(std::log(s.by_discrepancy()), between, 0.2);
}

// A corner at a known place: hyperbolas (x − a)(y − b) = c in the logarithms, whose curvature is largest where both factors are equal.
TEST(WeightSearch, FindsTheCornerOfAnLCurve) {
  const WeightSearch s = made_up({.rule = WeightRule::given, .curve = 41}, [](double w) {
    const double u = std::log(w / 3);
    return WeightTrial{.weight = w, .chi_squared = std::exp(2 + std::exp(0.5 * u)), .penalty = std::exp(1 + std::exp(-0.5 * u))};
  });
  EXPECT_NEAR(std::log(s.corner() / 3), 0, 0.2);
}

// An interrupted search goes on by adding the trials again.
TEST(WeightSearch, GoesOnAfterAnInterruption) {
  const WeightSearchOptions options{.start = 1, .tolerance = 1e-6, .curve = 4};
  const auto at = [](double w) { return of_spectrum(w, 0.4); };
  const WeightSearch whole = made_up(options, at);
  for (std::size_t done = 0; done <= whole.trials().size(); ++done) {
    WeightSearch again(options);
    for (std::size_t k = 0; k < done; ++k) again.add(whole.trials()[k]);
    while (const auto w = again.next()) again.add(at(*w));
    ASSERT_EQ(again.trials().size(), whole.trials().size());
    for (std::size_t k = 0; k < again.trials().size(); ++k) EXPECT_EQ(again.trials()[k].weight, whole.trials()[k].weight);
    EXPECT_EQ(again.chosen(), whole.chosen());
  }
}

TEST(WeightSearch, RefusesRangesWithoutTheStart) {
  EXPECT_THROW(WeightSearch({.start = 2, .lower = 3, .upper = 4}), std::invalid_argument);
  EXPECT_THROW(WeightSearch({.start = 2, .lower = 0, .upper = 4}), std::invalid_argument);
  EXPECT_THROW(WeightSearch({.rule = WeightRule::discrepancy}), std::invalid_argument);
}

}  // namespace
}  // namespace invar::gaussian
