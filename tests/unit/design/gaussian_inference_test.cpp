// Inference in a problem that is exactly Gaussian: a field of forces in an elastic plate, which the displacements depend on linearly, and a
// traction of which nothing is known. Everything the program finds is compared with the formulas for dense matrices.
#include <Eigen/Dense>

#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/posterior_field.hpp"
#include "libadjoint/inference/white_noise.hpp"
#include "libadjoint/normal_number.hpp"
#include "libadjoint/optimize/gauss_newton.hpp"
#include "tests/unit/design/gaussian_plate.hpp"

#include <gtest/gtest.h>

namespace invar::gaussian {
namespace {

void compare_with_dense(bool with_number) {
  Plate p(5, with_number);
  CaseFunctional& f = *p.functional;
  const Dense dense(p);
  const std::vector<DesignVector> units = p.units();
  const DesignVector start = f.start();

  // Products.
  const DenseVector w = DenseVector::LinSpaced(dense.rho.size(), -1, 2);
  DesignVector g;
  ASSERT_TRUE(f.residual_vjp(start, w, g).ok);
  const DenseVector expected = dense.J.transpose() * w;
  for (std::size_t k = 0; k < units.size(); ++k) {
    DenseVector column;
    ASSERT_TRUE(f.residual_jvp(start, units[k], column).ok);
    EXPECT_LT((column - dense.J.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(dot(g, units[k], f.comm()), expected[static_cast<Eigen::Index>(k)], 1e-9);
  }

  // The most probable point.
  OptimizerOptions options;
  options.gradient_tolerance = 1e-12;
  options.function_tolerance = 0;
  options.step_tolerance = 0;
  options.max_iterations = 60;
  const OptimizerResult found = GaussNewton(options).minimize(f, start);
  EXPECT_TRUE(found.converged) << found.reason;
  const DenseVector most_probable = dense.most_probable();
  DesignVector step = found.theta;
  step.axpy(-1, start);
  for (std::size_t k = 0; k < units.size(); ++k)
    EXPECT_NEAR(dot(step, units[k], f.comm()), most_probable[static_cast<Eigen::Index>(k)], 1e-8) << k;

  // Covariance, of single entries and of others; evidence; eigenvalues.
  LaplacePosterior posterior({.smallest = 1e-10});
  ASSERT_TRUE(posterior.find(f, found.theta).ok);
  for (std::size_t k = 0; k < units.size(); ++k) {
    DesignVector mixed = units[k];
    mixed.axpy(0.5, units[(3 * k + 1) % units.size()]);
    DenseVector v = DenseVector::Zero(dense.J.cols());
    v[static_cast<Eigen::Index>(k)] += 1;
    v[static_cast<Eigen::Index>((3 * k + 1) % units.size())] += 0.5;
    EXPECT_NEAR(posterior.variance(mixed), v.dot(dense.covariance * v), 1e-8);
  }
  if (with_number) {
    EXPECT_NEAR(posterior.shared_covariance()(0, 0), dense.covariance(0, 0), 1e-8 * dense.covariance(0, 0));
  }
  const auto shared = static_cast<Eigen::Index>(start.shared.size());
  const DenseMatrix A = test::dense_product(dense.J.transpose(), dense.J) + dense.precision;
  EXPECT_NEAR(posterior.negative_log_evidence(found.value), found.value + 0.5 * std::log(test::dense_determinant(A)), 1e-7);
  // A prior of the number with the information of one of m data, A/m: of −ln p(data) in its place ½ ln det A − ½ ln(A/m) remains.
  const double m = static_cast<double>(dense.J.rows()), of_number = with_number ? 0.5 * std::log(dense.J.col(0).squaredNorm() / m) : 0;
  EXPECT_NEAR(posterior.negative_log_model_evidence(found.value, m), found.value + 0.5 * std::log(test::dense_determinant(A)) - of_number, 1e-7);
  const DenseMatrix Js = dense.J.leftCols(shared), Jl = dense.J.rightCols(dense.J.cols() - shared);
  DenseMatrix left = DenseMatrix::Identity(dense.J.rows(), dense.J.rows());
  if (with_number) left -= test::dense_product(Js, test::dense_product(test::dense_inverse(test::dense_product(Js.transpose(), Js)), Js.transpose()));
  DenseVector lambda = test::symmetric_eigen(test::dense_product(test::dense_product(left, Jl), test::dense_product(Jl.transpose(), left))).values.reverse();
  ASSERT_GE(lambda.size(), posterior.rank());
  for (int i = 0; i < posterior.rank(); ++i)
    EXPECT_NEAR(posterior.eigenvalues()[i], lambda[i], 1e-8 * (1 + lambda[i]));

  // Deviation of the field, in cells.
  PosteriorField of_field;
  ASSERT_TRUE(find_posterior_field(posterior, f, with_number ? 1 : 0, *p.field, of_field).ok);
  DenseMatrix B(static_cast<Eigen::Index>(of_field.deviation.size()), static_cast<Eigen::Index>(units.size()));
  for (std::size_t k = 0; k < units.size(); ++k) {
    std::vector<double> q;
    ASSERT_TRUE(p.field->spread(units[k].local, q).ok);
    B.col(static_cast<Eigen::Index>(k)) = Eigen::Map<DenseVector>(q.data(), B.rows());
  }
  const DenseMatrix of_q = B * dense.covariance * B.transpose(), before = B.rightCols(B.cols() - shared) * B.rightCols(B.cols() - shared).transpose();
  for (std::size_t c = 0; c < of_field.deviation.size(); ++c) {
    if (!p.field->designed()[c]) continue;
    const auto i = static_cast<Eigen::Index>(c);
    EXPECT_NEAR(of_field.prior_deviation[c], std::sqrt(before(i, i)), 1e-8);
    EXPECT_NEAR(of_field.deviation[c], std::sqrt(of_q(i, i)), 1e-8);
    EXPECT_LT(of_field.deviation[c], of_field.prior_deviation[c]);
  }
}

TEST(GaussianInference, IsTheDenseFormula) { compare_with_dense(false); }
TEST(GaussianInference, IsTheDenseFormulaWithANumberOfWhichNothingIsKnown) { compare_with_dense(true); }

// These are the same fields on finer cells: neither the rank nor the eigenvalues change much.
TEST(GaussianInference, EigenvaluesDoNotDependOnTheMesh) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  if (ranks > 1) GTEST_SKIP() << "a study on finer meshes; ranks are compared by the dense formula";
  std::vector<DenseVector> values;
  std::vector<double> resolved;
  for (const int n : {24, 48}) {
    Plate p(n, false, 12, 0.003, 2);
    LaplacePosterior posterior({.smallest = 0.1});
    ASSERT_TRUE(posterior.find(*p.functional, p.functional->start()).ok);
    values.push_back(posterior.eigenvalues());
    resolved.push_back(posterior.resolved_directions());
    EXPECT_LE(posterior.products(), 40);
  }
  EXPECT_LE(std::abs(values[0].size() - values[1].size()), 1);
  EXPECT_GE(std::min(values[0].size(), values[1].size()), 10);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(values[0][i], values[1][i], 0.02 * (1 + values[1][i])) << i;
  EXPECT_NEAR(resolved[0], resolved[1], 0.01 * resolved[1]);
}

// Few data in many cells: the eigenvalues are those of J Jᵀ, a matrix as small as the data are few.
TEST(GaussianInference, FewDataAreSeenInManyCells) {
  for (const double noise : {0.05, 0.5}) {
    SCOPED_TRACE(noise);
    Plate p(40, false, 3, noise);
    CaseFunctional& f = *p.functional;
    const DesignVector start = f.start();
    const int data = f.residual_count();
    std::vector<DesignVector> rows(data);
    for (int i = 0; i < data; ++i) ASSERT_TRUE(f.residual_vjp(start, DenseVector::Unit(data, i), rows[i]).ok);
    DenseMatrix gram(data, data);
    for (int i = 0; i < data; ++i)
      for (int j = 0; j < data; ++j) gram(i, j) = dot(rows[i], rows[j], f.comm());
    const DenseVector expected = test::symmetric_eigen(gram).values.reverse();
    LaplacePosterior posterior;
    ASSERT_TRUE(posterior.find(f, start).ok);
    ASSERT_EQ(posterior.rank(), (expected.array() > 0.1).count());
    EXPECT_GT(posterior.rank(), 0);
    for (int i = 0; i < posterior.rank(); ++i) EXPECT_NEAR(posterior.eigenvalues()[i], expected[i], 1e-6 * (1 + expected[i])) << i;
  }
}

// The map from white noise to a draw is a root of the covariance; and what is left out of it, with few eigenpairs, is the prior's.
TEST(GaussianInference, DrawsAreMadeByARootOfTheCovariance) {
  for (const bool with_number : {false, true}) {
    Plate p(4, with_number, 6);
    const Dense dense(p);
    CaseFunctional& f = *p.functional;
    const DesignVector start = f.start();
    const std::vector<DesignVector> units = p.units();
    const auto root = [&](const LaplacePosterior& posterior) {
      DenseMatrix L(dense.J.cols(), dense.J.cols());
      for (std::size_t k = 0; k < units.size(); ++k) {
        DesignVector x = posterior.draw(units[k]);
        x.axpy(-1, start);
        for (std::size_t i = 0; i < units.size(); ++i) L(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = dot(x, units[i], f.comm());
      }
      return L;
    };
    LaplacePosterior posterior({.smallest = 1e-10});
    ASSERT_TRUE(posterior.find(f, start).ok);
    EXPECT_FALSE(posterior.is_truncated());
    const DenseMatrix L = root(posterior);
    EXPECT_LT((test::dense_product(L, L.transpose()) - dense.covariance).cwiseAbs().maxCoeff(), 1e-8);
    if (with_number) continue;
    LaplacePosterior few({.smallest = 1e-10, .rank = 3});
    ASSERT_TRUE(few.find(f, start).ok);
    EXPECT_TRUE(few.is_truncated());
    ASSERT_EQ(few.rank(), 3);
    const test::SymmetricEigen of_H = test::symmetric_eigen(test::dense_product(dense.J.transpose(), dense.J));
    const DenseMatrix V = of_H.vectors.rightCols(3);
    const DenseVector lambda = of_H.values.tail(3), drop = lambda.array() / (1 + lambda.array());
    const DenseMatrix K = root(few);
    EXPECT_LT((test::dense_product(K, K.transpose()) - (DenseMatrix::Identity(K.rows(), K.rows()) - test::dense_product(V * drop.asDiagonal(), V.transpose()))).cwiseAbs().maxCoeff(), 1e-6);
  }
}

// Numbers of this rank's local entries among all: those before it come first.
std::vector<long long> numbers_among_all(const DesignVector& like, MPI_Comm comm) {
  long long mine = static_cast<long long>(like.local.size()), first = 0;
  MPI_Exscan(&mine, &first, 1, MPI_LONG_LONG, MPI_SUM, comm);
  std::vector<long long> numbers;
  for (long long k = 0; k < mine; ++k) numbers.push_back(first + k);
  return numbers;
}

// Draws have mean and covariance of the formula: 2000 of them leave √(2/2000) = 3 % of a variance, five times that at worst.
TEST(GaussianInference, SamplesHaveMeanAndCovariance) {
  Plate p(3, true, 4);
  const Dense dense(p);
  CaseFunctional& f = *p.functional;
  LaplacePosterior posterior({.smallest = 1e-10});
  const DesignVector start = f.start();
  ASSERT_TRUE(posterior.find(f, start).ok);
  const std::vector<long long> numbers = numbers_among_all(start, f.comm());
  const std::vector<DesignVector> units = p.units();
  constexpr int draws = 2000;
  DenseMatrix sum = DenseMatrix::Zero(dense.J.cols(), dense.J.cols());
  DenseVector mean = DenseVector::Zero(dense.J.cols());
  for (int k = 0; k < draws; ++k) {
    DesignVector x = posterior.draw(white_noise(numbers, start.shared.size(), 100, k));
    x.axpy(-1, start);
    DenseVector v(dense.J.cols());
    for (std::size_t i = 0; i < units.size(); ++i) v[static_cast<Eigen::Index>(i)] = dot(x, units[i], f.comm());
    sum += v * v.transpose() / draws;
    mean += v / draws;
  }
  for (Eigen::Index i = 0; i < sum.rows(); ++i) {
    EXPECT_NEAR(mean[i], 0, 5 * std::sqrt(dense.covariance(i, i) / draws));
    for (Eigen::Index j = 0; j < sum.rows(); ++j)
      EXPECT_NEAR(sum(i, j), dense.covariance(i, j), 5 * std::sqrt(2.0 / draws) * std::sqrt(dense.covariance(i, i) * dense.covariance(j, j)));
  }
}

// Each number depends on its entry only, not on where and with which others it is computed; other seeds and draws give other numbers.
TEST(WhiteNoise, BelongsToTheEntry) {
  const DesignVector all = white_noise({0, 1, 2, 3, 1ll << 50}, 2, 7, 3), part = white_noise({1ll << 50, 2}, 1, 7, 3);
  EXPECT_EQ(part.local[0], all.local[4]);
  EXPECT_EQ(part.local[1], all.local[2]);
  EXPECT_EQ(part.shared[0], all.shared[0]);
  EXPECT_NE(white_noise({2}, 0, 8, 3).local[0], all.local[2]);
  EXPECT_NE(white_noise({2}, 0, 7, 4).local[0], all.local[2]);
  constexpr int n = 40000;
  std::vector<long long> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = i;
  const DesignVector a = white_noise(numbers, 0, 1, 0), b = white_noise(numbers, 0, 1, 1);
  double mean = 0, square = 0, cross = 0, beside = 0, inside = 0;
  for (int i = 0; i < n; ++i) {
    const double x = a.local[i];
    mean += x / n, square += x * x / n, cross += x * b.local[i] / n, beside += x * a.local[(i + 1) % n] / n, inside += (std::abs(x) < 1) / double(n);
  }
  const double error = 5 / std::sqrt(double(n));  // five standard errors
  EXPECT_NEAR(mean, 0, error);
  EXPECT_NEAR(square, 1, std::sqrt(2.0) * error);
  EXPECT_NEAR(cross, 0, error);
  EXPECT_NEAR(beside, 0, error);
  EXPECT_NEAR(inside, std::erf(std::sqrt(0.5)), error);
}

// Bands of 95 % contain the truth in 95 % of the cells, on average over data that were made from fields as likely as the prior says; and a
// noise of which a third was stated is found out. 200 sets of 36 cells, of which a dozen directions are independent: a standard
// error of half a percent. Long: run by the test `coverage`.
TEST(GaussianInference, DISABLED_BandsCoverTheTruth) {
  for (const double understated : {1.0, 3.0}) {
    Plate p(6, false, 12);
    CaseFunctional& f = *p.functional;
    LaplacePosterior posterior({.smallest = 1e-6});
    ASSERT_TRUE(posterior.find(f, f.start()).ok);
    std::mt19937_64 random(5);
    DataSet& set = p.process->data()[0];
    constexpr int sets = 200;
    long long covered = 0, counted = 0;
    int flagged = 0;
    PosteriorField of_field;
    OptimizerOptions options;
    options.gradient_tolerance = 1e-9;
    for (int k = 0; k < sets; ++k) {
      DesignVector truth = f.start();
      for (double& x : truth.local) x = normal_number(random);
      f.forget();
      ASSERT_TRUE(f.solve(truth).ok);
      set.target = p.process->observed(set);
      std::vector<double> q = p.field->coordinates();
      for (std::size_t i = 0; i < set.target.size(); ++i) set.target[i] += understated * set.noise[i] * normal_number(random);
      f.forget();
      const OptimizerResult found = GaussNewton(options).minimize(f, f.start());
      ASSERT_TRUE(found.converged) << found.reason;
      ASSERT_TRUE(f.solve(found.theta).ok);
      p.field->set_truth(std::move(q));
      ASSERT_TRUE(find_posterior_field(posterior, f, 0, *p.field, of_field).ok);
      covered += of_field.covered, counted += of_field.counted;
      DenseVector rho;
      ASSERT_TRUE(f.residuals(found.theta, rho).ok);
      flagged += goodness_of_fit(rho.squaredNorm(), static_cast<int>(rho.size()), posterior.resolved_directions()).too_large;
    }
    const double share = static_cast<double>(covered) / static_cast<double>(counted);
    std::printf("noise %g times as large as stated: %.1f %% covered, %d of %d flagged\n", understated, 100 * share, flagged, sets);
    if (understated == 1) {
      EXPECT_NEAR(share, 0.95, 0.015);
      EXPECT_LE(flagged, 2);
    } else {
      EXPECT_GE(flagged, 190);
    }
  }
}

}  // namespace
}  // namespace invar::gaussian
