// Incomplete factors of block matrices against dense algebra.
#include "libadjoint/solve/block_factors.hpp"
#include "tests/support/dense.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

namespace invar {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A matrix with the blocks of a five-point grid of m × m nodes (and the diagonal dominant), and its compressed rows.
struct GridMatrix {
  MatrixXd dense;
  std::vector<int> start{0}, column;
  std::vector<double> value;

  GridMatrix(int m, int size, unsigned seed) : dense(MatrixXd::Zero(m * m * size, m * m * size)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto coupled = [&](int a, int b) { return std::abs(a / m - b / m) + std::abs(a % m - b % m) <= 1; };
    for (int i = 0; i < dense.rows(); ++i) {
      for (int j = 0; j < dense.cols(); ++j) {
        if (!coupled(i / size, j / size)) continue;
        dense(i, j) = number(random) + (i == j ? 5.0 * size : 0.0);
        column.push_back(j);
        value.push_back(dense(i, j));
      }
      start.push_back(int(column.size()));
    }
  }
  CompressedRows rows() const { return {int(dense.rows()), start.data(), column.data(), value.data()}; }
};

class BlockFactorsTest : public testing::TestWithParam<int> {};

// With all fill-in the factors are those of the matrix, to single precision.
TEST_P(BlockFactorsTest, WithAllFillInTheyInvertTheMatrix) {
  const GridMatrix A(5, GetParam(), 1);
  const auto factors = make_block_factors(GetParam());
  factors->analyse(A.rows(), 1000);
  ASSERT_TRUE(factors->factor(A.rows()));
  const VectorXd b = VectorXd::LinSpaced(A.dense.rows(), -1, 2);
  VectorXd x(b.size());
  factors->solve(b.data(), x.data());
  EXPECT_LT((A.dense * x - b).norm(), 1e-6 * b.norm());
  factors->solve_transpose(b.data(), x.data());
  EXPECT_LT((A.dense.transpose() * x - b).norm(), 1e-6 * b.norm());
}

// Level 0 keeps the pattern: on it, the product of the factors is the matrix (Saad 2003, prop. 10.4), which is verified by the
// dense product. The factors are read off the solves of unit vectors: (L U)⁻¹.
TEST_P(BlockFactorsTest, OfLevelZeroAgreeWithTheMatrixOnItsPattern) {
  const GridMatrix A(4, GetParam(), 2);
  const auto factors = make_block_factors(GetParam());
  factors->analyse(A.rows(), 0);
  ASSERT_TRUE(factors->factor(A.rows()));
  const int n = int(A.dense.rows());
  MatrixXd inverse(n, n);
  for (int j = 0; j < n; ++j) factors->solve(VectorXd(VectorXd::Unit(n, j)).data(), inverse.col(j).data());
  const MatrixXd difference = test::dense_inverse(inverse) - A.dense;
  double on_pattern = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (A.dense(i, j) != 0) on_pattern = std::max(on_pattern, std::abs(difference(i, j)));
  EXPECT_LT(on_pattern, 1e-5 * A.dense.norm());
  EXPECT_GT(difference.cwiseAbs().maxCoeff(), 1e-3);  // beside it there is fill-in that was dropped
}

// More fill is nearer to the matrix; the transposed solve is the transpose of the solve; values may change.
TEST_P(BlockFactorsTest, OfLevelOneAreNearerAndHaveATranspose) {
  const int size = GetParam();
  const GridMatrix first(6, size, 3), A(6, size, 4);
  const auto exact = [&](int levels) {
    const auto factors = make_block_factors(size);
    factors->analyse(first.rows(), levels);
    EXPECT_TRUE(factors->factor(first.rows()));
    EXPECT_TRUE(factors->factor(A.rows()));
    const VectorXd b = VectorXd::LinSpaced(A.dense.rows(), 1, 2), c = VectorXd::LinSpaced(A.dense.rows(), -3, 1);
    VectorXd x(b.size()), y(b.size());
    factors->solve(b.data(), x.data());
    y = c;
    factors->solve_transpose(y.data(), y.data());  // in place
    EXPECT_NEAR(c.dot(x), y.dot(b), 1e-12 * c.norm() * x.norm());
    return (A.dense * x - b).norm() / b.norm();
  };
  EXPECT_LT(exact(1), 0.7 * exact(0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, BlockFactorsTest, testing::Values(1, 2, 3, 4, 5));

TEST(BlockFactorsOfMatrices, ThatAreSingularFail) {
  GridMatrix A(2, 3, 5);
  for (double& v : A.value) v = 0;
  const auto factors = make_block_factors(3);
  factors->analyse(A.rows(), 1);
  EXPECT_FALSE(factors->factor(A.rows()));
}

TEST(BlockFactorsOfMatrices, WithBlocksOfOtherSizesAreRefused) { EXPECT_THROW(make_block_factors(9), std::invalid_argument); }

}  // namespace
}  // namespace invar
