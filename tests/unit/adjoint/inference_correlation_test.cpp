// Errors of data that depend on each other: synthetic data whose correlation is known, fits whose covariance is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "libadjoint/inference/correlated_fit.hpp"
#include "libadjoint/inference/model_evidence.hpp"
#include "tests/support/dense.hpp"
#include "tests/unit/adjoint/correlated_noise_data.hpp"

namespace invar::correlated_noise {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using Kind = CorrelationFunction::Kind;

/// Linear fits to many synthetic data sets with errors of correlation R.
struct Trials {
  double alarms = 0;                        // share of data sets
  double covered = 0, covered_without = 0;  // share of parameters in their 95 % intervals, with places of the data and without
  std::vector<double> lengths, effective;   // ascending; lengths of exponential functions
};

Trials trials(const MeasuredPlaces& places, const MatrixXd& R, int sets, bool known) {
  const MatrixXd J = smooth_sensitivities(places), L = test::dense_cholesky(R);
  std::mt19937_64 random(11);
  Trials all;
  for (int set = 0; set < sets; ++set) {
    const VectorXd d = L * normal_numbers(R.rows(), random), at = test::least_squares(J, d), rho = J * at - d;  // the truth is 0
    const UncertaintyOptions options{.places = {places}, .known_noise = known};
    const Uncertainty u = estimate_uncertainty(rho, J, three_parameters(at), options),
                      without = estimate_uncertainty(rho, J, three_parameters(at), {.known_noise = known});
    for (int k = 0; k < 3; ++k) {
      all.covered += u.parameters[k].lower <= 0 && 0 <= u.parameters[k].upper;
      all.covered_without += without.parameters[k].lower <= 0 && 0 <= without.parameters[k].upper;
    }
    const NoiseCorrelation& noise = u.noise_correlations.at(0);
    if (!noise.is_found()) {
      EXPECT_EQ(u.covariance, without.covariance);  // nothing changes
      EXPECT_EQ(u.quantile, without.quantile);
      EXPECT_EQ(u.findings, without.findings);
      continue;
    }
    all.alarms += 1;
    const CorrelationFunction& f = noise.space.is_found() ? noise.space : noise.time;
    if (f.kind == Kind::exponential) all.lengths.push_back(f.length);
    all.effective.push_back(noise.effective_data);
  }
  all.alarms /= sets, all.covered /= 3 * sets, all.covered_without /= 3 * sets;
  std::ranges::sort(all.lengths), std::ranges::sort(all.effective);
  return all;
}

double median(const std::vector<double>& ascending) { return ascending.at(ascending.size() / 2); }

double effective_data(const MatrixXd& R) { return static_cast<double>(R.rows() * R.rows()) / R.sum(); }

// 250 data sets along a curve, errors with exp(−τ/4) at 200 values of distance 1. For the estimated length of an autoregressive process
// the standard deviation is √((1 − φ²)/n)·ℓ²/φ = 0.9 with the nugget known to be zero.
TEST(CorrelatedNoise, OfACurveIsFoundAndIntervalsCoverTheTruth) {
  const MeasuredPlaces places = curve_places(200);
  const MatrixXd R = dense_correlation(places, {}, {Kind::exponential, 4, 1});
  for (const bool known : {true, false}) {
    const Trials t = trials(places, R, 250, known);
    EXPECT_GT(t.alarms, 0.99);
    EXPECT_NEAR(median(t.lengths), 4, 0.6);
    EXPECT_NEAR(median(t.effective), effective_data(R), 0.15 * effective_data(R));
    EXPECT_GE(t.covered, 0.93);
    EXPECT_LE(t.covered, 0.97);
    EXPECT_LT(t.covered_without, 0.70);
  }
}

// Two components in three frames of 100 points, of which a fifth of the variance is not correlated.
TEST(CorrelatedNoise, OfFramesIsFoundAndIntervalsCoverTheTruth) {
  const MeasuredPlaces places = frame_places(10, 3);
  const MatrixXd R = dense_correlation(places, {Kind::exponential, 1.5, 0.8}, {});
  const Trials t = trials(places, R, 200, true);
  EXPECT_GT(t.alarms, 0.99);
  EXPECT_NEAR(median(t.lengths), 1.5, 0.25);
  EXPECT_NEAR(median(t.effective), effective_data(R), 0.15 * effective_data(R));
  EXPECT_GE(t.covered, 0.93);
  EXPECT_LE(t.covered, 0.97);
  EXPECT_LT(t.covered_without, 0.80);
}

// Images are compared with one reference image, whose noise is common to all frames.
TEST(CorrelatedNoise, OfAReferenceImageIsCommonToAllFrames) {
  const MeasuredPlaces places = frame_places(10, 3);
  const MatrixXd R = dense_correlation(places, {Kind::gaussian, 1.5, 1}, {Kind::constant, INFINITY, 0.5});
  const MatrixXd L = test::dense_cholesky(R + 1e-9 * MatrixXd::Identity(R.rows(), R.cols())), J = smooth_sensitivities(places);
  std::mt19937_64 random(3);
  const VectorXd d = L * normal_numbers(R.rows(), random), at = test::least_squares(J, d);
  const Uncertainty u = estimate_uncertainty(J * at - d, J, three_parameters(at), {.places = {places}});
  const NoiseCorrelation& noise = u.noise_correlations.at(0);
  EXPECT_EQ(noise.space.kind, Kind::gaussian);
  EXPECT_NEAR(noise.space.length, 1.5, 0.2);
  EXPECT_EQ(noise.time.kind, Kind::constant);
  EXPECT_NEAR(noise.time.share, 0.5, 0.15);
  EXPECT_NEAR(noise.effective_data, effective_data(R), 0.2 * effective_data(R));
}

// A false alarm in one of a hundred fits by construction: in 400 more than 11 have a probability of 0.1 %.
TEST(CorrelatedNoise, IndependentErrorsRarelySeemCorrelated) {
  for (const int n : {12, 30, 100}) {
    const MeasuredPlaces places = curve_places(n);
    const Trials t = trials(places, MatrixXd::Identity(n, n), 400, n != 30);
    EXPECT_LE(t.alarms, 11. / 400) << n;
    EXPECT_NEAR(t.covered, 0.95, 0.02) << n;
  }
  const MeasuredPlaces places = frame_places(8, 2);
  EXPECT_LE(trials(places, MatrixXd::Identity(places.samples(), places.samples()), 200, true).alarms, 0.035);
}

/// Two models of 200 values along a curve with errors exp(−τ/4), of which 25 are independent: a + b x, and a + b x + c x².
struct NestedWins {
  double larger = 0, larger_without = 0;  // share of data sets in which the larger model wins, with places of the data and without
};

NestedWins nested_wins(double c, bool known) {
  const MeasuredPlaces places = curve_places(200);
  const MatrixXd R = dense_correlation(places, {}, {Kind::exponential, 4, 1}), L = test::dense_cholesky(R), J = smooth_sensitivities(places);
  std::mt19937_64 random(17);
  NestedWins wins;
  constexpr int sets = 300;
  for (int set = 0; set < sets; ++set) {
    const VectorXd d = L * normal_numbers(R.rows(), random) + c * J.col(2);
    for (const bool with : {true, false}) {
      std::vector<ModelFit> fits;
      for (const int n : {2, 3}) {
        const MatrixXd A = J.leftCols(n);
        const VectorXd at = test::least_squares(A, d), rho = A * at - d;
        std::vector<FittedParameter> parameters = three_parameters(VectorXd::Ones(3));
        parameters.resize(n);
        const Uncertainty u = estimate_uncertainty(rho, A, parameters, {.places = with ? std::vector{places} : std::vector<MeasuredPlaces>{}, .known_noise = known});
        fits.push_back({u.chi_squared, u.data, n, known, u.variance_inflation, u.effective_data});
        EXPECT_NEAR(negative_log_evidence(fits.back()), u.negative_log_evidence, 1e-9 * std::abs(u.negative_log_evidence));
      }
      const std::vector<double> e = negative_log_evidence(fits);
      (with ? wins.larger : wins.larger_without) += e[1] < e[0];
    }
  }
  wins.larger /= sets, wins.larger_without /= sets;
  return wins;
}

// A needless parameter lowers χ² by 8 instead of 1 on average. By independent errors it wins where a squared standard normal number exceeds
// ln(200)/8, in 42 % of the data sets; with its correlation where one exceeds ln(25), in 7 %. One of six deviations is nearly always found.
TEST(CorrelatedNoise, ANeedlessParameterRarelyWins) {
  for (const bool known : {true, false}) {
    const NestedWins needless = nested_wins(0, known);
    if (std::getenv("INVAR_PRINT")) std::printf("needless parameter wins: %.3f, as if independent %.3f\n", needless.larger, needless.larger_without);
    EXPECT_GT(needless.larger_without, 0.3);
    EXPECT_LT(needless.larger, 0.13);  // four standard deviations of 300 draws above 0.07
    const MatrixXd R = dense_correlation(curve_places(200), {}, {Kind::exponential, 4, 1}), J = smooth_sensitivities(curve_places(200));
    const MatrixXd half = test::dense_product(test::dense_inverse(test::dense_product(J.transpose(), J)), J.transpose());
    EXPECT_GT(nested_wins(6 * std::sqrt(test::dense_product(half, test::dense_product(R, half.transpose()))(2, 2)), known).larger, 0.95);
  }
}

/// A fit to frames from whose data rigid motions are removed, and to a curve with a weight, with correlated errors in both.
struct Mixed {
  MeasuredPlaces frames = frame_places(6, 3), curve;
  MatrixXd J, removed;  // of the samples; of the samples of frames
  VectorXd weights, rho, at;
  MatrixXd rows;  // J of the residuals

  Mixed() {
    const Index per_frame = 72, left = 70, n = 3 * left;
    std::mt19937_64 random(5);
    removed = MatrixXd::Zero(216, 6);
    for (std::size_t f = 0; f < 3; ++f) {
      MeasuredPlaces::Set& set = frames.sets[f];
      MatrixXd modes = MatrixXd::Zero(per_frame, 2);
      for (Index i = 0; i < per_frame; ++i) modes(i, set.components[i]) = 1;
      const MatrixXd Q = test::orthogonal_columns(modes, per_frame), M = Q.rightCols(left);
      removed.block(per_frame * static_cast<Index>(f), 2 * static_cast<Index>(f), per_frame, 2) = Q.leftCols(2);
      for (Index k = 0; k < 2; ++k) set.removed.push_back({Q.col(k).data(), Q.col(k).data() + per_frame});
      set.first_row = left * static_cast<Index>(f), set.rows = left;
      set.at_samples = [M](const std::vector<double>& y) {
        const VectorXd x = M * Eigen::Map<const VectorXd>(y.data(), M.cols());
        return std::vector<double>(x.data(), x.data() + x.size());
      };
    }
    curve = curve_places(60, n);
    const MatrixXd of_frames = smooth_sensitivities(frames), of_curve = smooth_sensitivities(curve);
    const MatrixXd L = test::dense_cholesky(dense_correlation(frames, {Kind::exponential, 2, 0.9}, {Kind::constant, INFINITY, 0.4}));
    const MatrixXd L_curve = test::dense_cholesky(dense_correlation(curve, {}, {Kind::exponential, 5, 1}));
    const VectorXd e = L * normal_numbers(216, random), e_curve = L_curve * normal_numbers(60, random);
    rows.resize(n + 60, 3), weights = VectorXd::Ones(n + 60), weights.tail(60).setConstant(2.5);
    VectorXd d(n + 60);
    for (Index f = 0; f < 3; ++f) {
      const MatrixXd M = projection(f);
      rows.middleRows(left * f, left) = test::dense_product(M.transpose(), of_frames.middleRows(per_frame * f, per_frame));
      d.segment(left * f, left) = M.transpose() * e.segment(per_frame * f, per_frame);
    }
    rows.bottomRows(60) = 2.5 * of_curve;
    d.tail(60) = 2.5 * e_curve;
    at = test::least_squares(rows, d);
    rho = rows * at - d;
  }
  MatrixXd projection(Index f) const {
    MatrixXd M(72, 70);
    for (Index k = 0; k < 70; ++k) {
      std::vector<double> unit(70, 0.0);
      unit[static_cast<std::size_t>(k)] = 1;
      const std::vector<double> column = frames.sets[static_cast<std::size_t>(f)].at_samples(unit);
      M.col(k) = Eigen::Map<const VectorXd>(column.data(), 72);
    }
    return M;
  }
};

// The covariance of the parameters is that of the formula for dense matrices with the correlation that was found, whatever it is.
TEST(CorrelatedNoise, CovarianceIsThatOfDenseMatrices) {
  const Mixed fit;
  for (const bool known : {true, false}) {
    const Uncertainty u = estimate_uncertainty(fit.rho, fit.rows, three_parameters(fit.at), {.weights = fit.weights, .places = {fit.frames, fit.curve}, .known_noise = known});
    const NoiseCorrelation &frames = u.noise_correlations.at(0), &curve = u.noise_correlations.at(1);
    ASSERT_TRUE(frames.space.is_found() && frames.time.is_found() && curve.time.is_found());
    const MatrixXd of_frames = dense_correlation(fit.frames, frames.space, frames.time);
    MatrixXd R = MatrixXd::Zero(270, 270);
    for (Index f = 0; f < 3; ++f)
      for (Index g = 0; g < 3; ++g) R.block(70 * f, 70 * g, 70, 70) = test::dense_product(fit.projection(f).transpose(), test::dense_product(of_frames.block(72 * f, 72 * g, 72, 72), fit.projection(g)));
    R.bottomRightCorner(60, 60) = dense_correlation(fit.curve, {}, curve.time);
    const MatrixXd W = known ? MatrixXd(fit.weights.asDiagonal()) : MatrixXd(MatrixXd::Identity(270, 270));
    const MatrixXd inverse = test::dense_inverse(test::dense_product(fit.rows.transpose(), fit.rows)), gain = test::dense_product(test::dense_product(inverse, fit.rows.transpose()), W),
                   covariance = test::dense_product(gain, test::dense_product(R, gain.transpose()));
    EXPECT_LT((u.covariance / u.noise_variance - covariance).norm(), 1e-10 * covariance.norm()) << known;
    const MatrixXd P = MatrixXd::Identity(270, 270) - test::dense_product(test::dense_product(test::dense_inverse(W), fit.rows), gain);
    const MatrixXd of_residuals = test::dense_product(P, test::dense_product(R, P.transpose()));
    EXPECT_NEAR(u.expected_chi_squared, of_residuals.trace(), 1e-10 * 270) << known;
    EXPECT_NEAR(frames.effective_data, 216. * 216 / of_frames.sum(), 1e-10 * 216);
    EXPECT_NEAR(frames.effective_squares, 216. * 216 / of_frames.squaredNorm(), 1e-10 * 216);
    // With weights and known noise the fit is no orthogonal projection of the errors, which the scatter of χ² leaves out.
    EXPECT_NEAR(u.effective_freedom, std::pow(u.expected_chi_squared, 2) / of_residuals.squaredNorm(), (known ? 0.1 : 1e-8) * u.effective_freedom) << known;
    EXPECT_GT(u.widening.minCoeff(), 1.2);
  }
}

TEST(CorrelatedNoise, ProductsWithManyPointsAreThoseOfAllPairs) {
  const int n = 3100;
  std::vector<double> points;
  std::mt19937_64 random(2);
  for (int i = 0; i < 2 * n; ++i) points.push_back(60 * uniform_number(random));
  const MatrixXd X = normal_numbers(n, random).cwiseAbs();
  for (const CorrelationFunction& f : {CorrelationFunction{Kind::exponential, 0.8, 1}, {Kind::gaussian, 2, 1}, {Kind::exponential, 12, 1}, {Kind::gaussian, 20, 1}}) {
    VectorXd sum = X;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        const double dx = points[2 * i] - points[2 * j], dy = points[2 * i + 1] - points[2 * j + 1], c = f.shape(std::sqrt(dx * dx + dy * dy));
        sum[i] += c * X(j, 0), sum[j] += c * X(i, 0);
      }
    // Within a cube the sum is one number; what variances need are sums over all.
    const double all = X.col(0).dot(sum);
    EXPECT_NEAR(X.col(0).dot(correlated_sum(f, points, 2, X).col(0)), all, (f.length < 1 ? 1e-4 : 0.01) * all) << f.length;
    if (f.length < 1) {
      EXPECT_LT((correlated_sum(f, points, 2, X) - sum).cwiseAbs().maxCoeff(), 1e-4 * sum.maxCoeff());
    }
  }
}

// Seven values cannot show whether the errors of neighbours agree, and this is said.
TEST(CorrelatedNoise, OfFewDataNothingCanBeTold) {
  const MeasuredPlaces places = curve_places(7);
  const MatrixXd J = smooth_sensitivities(places);
  std::mt19937_64 random(1);
  const VectorXd d = normal_numbers(7, random), at = test::least_squares(J, d);
  const Uncertainty u = estimate_uncertainty(J * at - d, J, three_parameters(at), {.places = {places}});
  EXPECT_NE(u.noise_correlations.at(0).doubt.find("would not show in 7 values"), std::string::npos);
  const MeasuredPlaces many = curve_places(60);
  const MatrixXd J_many = smooth_sensitivities(many);
  const VectorXd more = normal_numbers(60, random), there = test::least_squares(J_many, more);
  EXPECT_TRUE(estimate_uncertainty(J_many * there - more, J_many, three_parameters(there), {.places = {many}}).noise_correlations.at(0).doubt.empty());
}

// A hundred thousand values in two frames, in 2 s.
TEST(CorrelatedNoise, OfAHundredThousandValuesIsFound) {
  const MeasuredPlaces places = frame_places(160, 2);
  const Index n = places.samples();
  std::mt19937_64 random(4);
  // Filtered with weights exp(−r²/1.5²): the correlation is exp(−r²/4.5).
  double weights[9][9], squares = 0, sum = 0;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      weights[i][j] = std::exp(-((i - 4) * (i - 4) + (j - 4) * (j - 4)) / 2.25);
      squares += weights[i][j] * weights[i][j], sum += weights[i][j];
    }
  const VectorXd e = normal_numbers(n, random) / std::sqrt(squares);
  VectorXd d = VectorXd::Zero(n);
  for (Index f = 0, row = 0; f < 2; ++f)
    for (int i = 0; i < 160; ++i)
      for (int j = 0; j < 160; ++j)
        for (int c = 0; c < 2; ++c, ++row)
          for (int a = 0; a < 9; ++a)
            for (int b = 0; b < 9; ++b) d[row] += weights[a][b] * e[((f * 160 + (i + a + 156) % 160) * 160 + (j + b + 156) % 160) * 2 + c];
  const MatrixXd J = smooth_sensitivities(places);
  const VectorXd at = test::least_squares(J, d);
  const Uncertainty u = estimate_uncertainty(J * at - d, J, three_parameters(at), {.places = {places}});
  const NoiseCorrelation& noise = u.noise_correlations.at(0);
  EXPECT_FALSE(noise.time.is_found());
  EXPECT_EQ(noise.space.kind, Kind::gaussian);
  EXPECT_NEAR(noise.space.length, std::sqrt(4.5), 0.05 * std::sqrt(4.5));
  const double ratio = sum * sum / squares;  // Σ of the correlations of a datum
  EXPECT_NEAR(noise.effective_data, static_cast<double>(n) / ratio, 0.08 * static_cast<double>(n) / ratio);
  EXPECT_NEAR(u.widening[1], std::sqrt(ratio), 0.05 * std::sqrt(ratio));
}

}  // namespace
}  // namespace invar::correlated_noise
