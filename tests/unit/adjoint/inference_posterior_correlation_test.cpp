// The posterior of fields with a prior from data with correlated errors, against formulas for dense matrices.
#include <gtest/gtest.h>

#include <limits>

#include "libadjoint/inference/correlated_posterior.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/correlated_noise_data.hpp"

namespace invar::correlated_noise {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;

/// ρ = J θ − d with shared entries first, without a prior, and local ones with prior precision 1. On one rank.
class LinearData final : public LeastSquaresFunctional {
 public:
  LinearData(DenseMatrix J, DenseVector d, int shared) : J_(std::move(J)), d_(std::move(d)), shared_(shared) {}
  MPI_Comm comm() const override { return MPI_COMM_SELF; }
  DesignVector start() const override { return {std::vector<double>(shared_, 0.0), std::vector<double>(J_.cols() - shared_, 0.0)}; }
  DesignVector lower() const override { return constant(-INFINITY); }
  DesignVector upper() const override { return constant(INFINITY); }
  std::vector<std::string> names() const override { return std::vector<std::string>(shared_, "number"); }
  Evaluation value(const DesignVector& theta) override { return Evaluation::success(0.5 * (J_ * all(theta) - d_).squaredNorm()); }
  Evaluation gradient(const DesignVector&, DesignVector&) override { return Evaluation::failure("not needed"); }
  Evaluation directional(const DesignVector&, const DesignVector&, double&) override { return Evaluation::failure("not needed"); }
  Evaluation hessian_action(const DesignVector&, const DesignVector&, DesignVector&) override { return Evaluation::failure("not needed"); }
  int residual_count() const override { return static_cast<int>(J_.rows()); }
  Evaluation residuals(const DesignVector& theta, DenseVector& rho) override {
    rho = J_ * all(theta) - d_;
    return Evaluation::success(0);
  }
  Evaluation jacobian(const DesignVector&, DenseVector&, DenseMatrix&) override { return Evaluation::failure("not needed"); }
  DesignVector prior_precision() const override {
    DesignVector p = constant(1);
    std::ranges::fill(p.shared, 0.0);
    return p;
  }
  Evaluation residual_jvp(const DesignVector&, const DesignVector& direction, DenseVector& rho_dot) override {
    rho_dot = J_ * all(direction);
    return Evaluation::success(0);
  }
  Evaluation residual_vjp(const DesignVector&, const DenseVector& rho_bar, DesignVector& g) override {
    g = split(J_.transpose() * rho_bar);
    return Evaluation::success(0);
  }
  DesignVector split(const DenseVector& x) const { return {{x.data(), x.data() + shared_}, {x.data() + shared_, x.data() + x.size()}}; }
  DenseVector all(const DesignVector& x) const {
    DenseVector v(J_.cols());
    std::ranges::copy(x.shared, v.begin());
    std::ranges::copy(x.local, v.begin() + shared_);
    return v;
  }

 private:
  DesignVector constant(double x) const { return {std::vector<double>(shared_, x), std::vector<double>(J_.cols() - shared_, x)}; }
  DenseMatrix J_;
  DenseVector d_;
  int shared_;
};

/// 240 values along a curve that depend on a smooth field of 25 numbers, and on one number without a prior.
struct FieldData {
  MeasuredPlaces places = curve_places(240);
  DenseMatrix J = DenseMatrix(240, 26), H, R, L;
  DenseVector errors;

  /// width: of the influence of each number, relative to the length of the curve.
  FieldData(const CorrelationFunction& f, double width) {
    for (int i = 0; i < 240; ++i) {
      J(i, 0) = 3;
      for (int k = 1; k < 26; ++k) J(i, k) = 4 * std::exp(-std::pow((i / 239. - (k - 1) / 24.) / width, 2));
    }
    H = test::dense_product(J.transpose(), J) + DenseMatrix::Identity(26, 26);
    H(0, 0) -= 1;
    R = f.is_found() ? dense_correlation(places, {}, f) : DenseMatrix(DenseMatrix::Identity(240, 240));
    L = test::dense_cholesky(R);
  }
  DenseVector data(std::mt19937_64& random, DenseVector& truth) const {
    truth = normal_numbers(26, random);
    return J * truth + L * normal_numbers(240, random);
  }
};

TEST(CorrelatedPosterior, VariancesAreThoseOfDenseMatrices) {
  const FieldData field({CorrelationFunction::Kind::exponential, 4, 0.9}, 0.06);
  std::mt19937_64 random(6);
  DenseVector truth;
  const DenseVector d = field.data(random, truth);
  LinearData functional(field.J, d, 1);
  const DesignVector theta = functional.split(test::dense_solve(field.H, field.J.transpose() * d));
  LaplacePosterior posterior({.smallest = 1e-9, .tolerance = 1e-10});
  ASSERT_TRUE(posterior.find(functional, theta).ok);
  CorrelatedPosterior noise;
  ASSERT_TRUE(correlate_posterior(functional, theta, posterior, {field.places}, 240, noise).ok);
  ASSERT_TRUE(noise.is_found());
  posterior.widen(noise.K);
  const DenseMatrix R = dense_correlation(field.places, {}, noise.terms[0].time), inverse = test::dense_inverse(field.H);
  const DenseMatrix gain = test::dense_product(inverse, field.J.transpose());
  const DenseMatrix covariance = inverse + test::dense_product(gain, test::dense_product(R - DenseMatrix::Identity(240, 240), gain.transpose()));
  EXPECT_NEAR(posterior.shared_covariance()(0, 0), covariance(0, 0), 1e-7 * covariance(0, 0));
  for (int k = 0; k < 5; ++k) {
    const DenseVector g = normal_numbers(26, random);
    EXPECT_NEAR(posterior.variance(functional.split(g)), g.dot(covariance * g), 1e-7 * g.dot(covariance * g));
  }
  // Draws θ* + L z have the same covariance L Lᵀ.
  DenseMatrix root(26, 26);
  for (int k = 0; k < 26; ++k) root.col(k) = functional.all(posterior.draw(functional.split(DenseVector::Unit(26, k)))) - functional.all(theta);
  EXPECT_LT((root * root.transpose() - covariance).norm(), 1e-7 * covariance.norm());
  const DenseMatrix P = DenseMatrix::Identity(240, 240) - test::dense_product(field.J, gain);
  DenseMatrix prior = DenseMatrix::Identity(26, 26);
  prior(0, 0) = 0;
  const DenseMatrix PJ = test::dense_product(P, field.J);
  const DenseMatrix left = test::dense_product(P, test::dense_product(R, P.transpose())) + test::dense_product(PJ, test::dense_product(prior, PJ.transpose()));
  EXPECT_NEAR(noise.expected, left.trace(), 1e-5 * left.trace());
  EXPECT_NEAR(noise.degrees, std::pow(left.trace(), 2) / left.squaredNorm(), 1e-4 * noise.degrees);
}

// Of fields drawn from the prior, with errors correlated or not: shares of predicted means in their 95 % intervals, and of false alarms.
TEST(CorrelatedPosterior, BandsCoverTheTruth) {
  for (const bool correlated : {true, false}) {
    const FieldData field(correlated ? CorrelationFunction{CorrelationFunction::Kind::exponential, 2, 1} : CorrelationFunction{}, 0.12);
    std::mt19937_64 random(8);
    double covered = 0, without = 0, alarms = 0;
    const int sets = 200;
    for (int set = 0; set < sets; ++set) {
      DenseVector truth;
      const DenseVector d = field.data(random, truth), at = test::dense_solve(field.H, field.J.transpose() * d);
      LinearData functional(field.J, d, 1);
      LaplacePosterior posterior({.smallest = 1e-3});
      ASSERT_TRUE(posterior.find(functional, functional.split(at)).ok);
      const LaplacePosterior before = posterior;
      CorrelatedPosterior noise;
      ASSERT_TRUE(correlate_posterior(functional, functional.split(at), posterior, {field.places}, 240, noise).ok);
      alarms += noise.is_found();
      if (noise.is_found()) posterior.widen(noise.K);
      for (int k = 0; k < 4; ++k) {  // what the curve is on average in each quarter of its length
        const DenseVector g = field.J.middleRows(60 * k, 60).colwise().mean();
        const double off = std::abs(g.dot(at - truth));
        covered += off < normal_quantile_95 * std::sqrt(posterior.variance(functional.split(g)));
        without += off < normal_quantile_95 * std::sqrt(before.variance(functional.split(g)));
      }
    }
    covered /= 4 * sets, without /= 4 * sets;
    EXPECT_GE(covered, 0.91) << correlated;
    EXPECT_LE(covered, 0.975) << correlated;
    EXPECT_LT(without, correlated ? 0.80 : 0.975);
    EXPECT_GE(alarms, correlated ? 0.9 * sets : 0);
    EXPECT_LE(alarms, correlated ? sets : 0.04 * sets);
  }
}

}  // namespace
}  // namespace invar::correlated_noise
