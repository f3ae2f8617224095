#include "libadjoint/inference/correlogram.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

#include "libadjoint/normal_number.hpp"

namespace invar {
namespace {

using Kind = CorrelationFunction::Kind;
using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr std::size_t most_simulated = 5000;  // pairs of a simulated distribution

/// A factor L with L Lᵀ = A for a positive semidefinite A.
MatrixXd root_of(const MatrixXd& A) {
  const Eigen::LDLT<MatrixXd> ldlt(A);
  const VectorXd root = ldlt.vectorD().cwiseMax(0.0).cwiseSqrt();
  const MatrixXd L = MatrixXd(ldlt.matrixL()) * root.asDiagonal();
  return ldlt.transpositionsP().transpose() * L;
}

}  // namespace

Correlogram::Correlogram(const LagPairs& pairs, const VectorXd& r, const FittedDirections& fitted) : pairs_(pairs), fitted_(fitted), q_(products(r)) {
  find_moments();
  constexpr double extent_of_kernel = 4;  // lengths that must fit into the distances considered
  std::vector<VectorXd> kernels;
  for (const double neighbours : {1.0, 2.0, 4.0}) {
    const double length = neighbours * pairs.spacing();
    if (!kernels.empty() && extent_of_kernel * length > pairs.farthest()) break;
    VectorXd k = VectorXd::Zero(q_.size());
    k.tail(pairs.lags()) = pairs.mean_shape({Kind::exponential, length, 1});
    kernels.push_back(std::move(k));
  }
  const auto count = static_cast<Index>(kernels.size());
  kernels_.resize(q_.size(), count);
  means_.resize(count), deviations_.resize(count);
  const double freedom = expected_[0];
  for (Index k = 0; k < count; ++k) {
    VectorXd c = kernels[static_cast<std::size_t>(k)];
    kernels_.col(k) = c;
    means_[k] = c.dot(expected_) / freedom;
    c[0] = -means_[k];
    // Of a ratio of quadratic forms: exact for a projection P.
    deviations_[k] = std::sqrt(std::max(0.0, 2 * c.dot(M_ * c) / (freedom * (freedom + 2))));
  }
}

VectorXd Correlogram::products(const VectorXd& r) const {
  VectorXd q = VectorXd::Zero(1 + pairs_.lags());
  q[0] = r.squaredNorm();
  for (const LagPairs::Pair& p : pairs_.pairs()) q[1 + p.lag] += 2 * r[p.i] * r[p.j];
  return q;
}

VectorXd Correlogram::observed() const {
  VectorXd c(pairs_.lags());
  for (int b = 0; b < pairs_.lags(); ++b) c[b] = q_[1 + b] / (2 * pairs_.count(b)) * static_cast<double>(fitted_.U.rows()) / q_[0];
  return c;
}

void Correlogram::find_moments() {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index B = q_.size(), p = fitted_.U.cols();
  M_ = MatrixXd::Zero(B, B);
  M_(0, 0) = static_cast<double>(fitted_.U.rows());
  for (int b = 0; b < pairs_.lags(); ++b) M_(1 + b, 1 + b) = 2 * pairs_.count(b);
  expected_ = VectorXd::Zero(B);
  expected_[0] = static_cast<double>(fitted_.U.rows());
  MatrixXd of_fit = MatrixXd::Zero(p * p, B);  // Uᵀ A_b U, a column for each b
  for (std::size_t k = 0; k < fitted_.blocks.size(); ++k) {
    const FittedDirections::Block& block = fitted_.blocks[k];
    const auto q = block.removed.cols();
    MatrixXd L(block.count, p + q);
    L << fitted_.U.middleRows(block.first, block.count), block.removed;
    MatrixXd inner((p + q) * (p + q), B);  // Lᵀ A_b L
    const std::size_t begin = pairs_.starts()[fitted_.first_channels[k]], end = pairs_.starts()[fitted_.first_channels[k + 1]];
    for (Index j = 0; j < p + q; ++j) {
      Rows moved = Rows::Zero(block.count, B);  // A_b L_j
      moved.col(0) = L.col(j);
      for (std::size_t at = begin; at < end; ++at) {
        const LagPairs::Pair& pair = pairs_.pairs()[at];
        moved(pair.i - block.first, 1 + pair.lag) += L(pair.j - block.first, j);
        moved(pair.j - block.first, 1 + pair.lag) += L(pair.i - block.first, j);
      }
      M_.noalias() -= 2 * moved.transpose() * moved;
      inner.middleRows(j * (p + q), p + q).noalias() = L.transpose() * moved;
      expected_ -= inner.row(j * (p + q) + j).transpose();
    }
    for (Index j = 0; j < p + q; ++j)
      for (Index i = 0; i < p + q; ++i) {
        const auto row = inner.row(j * (p + q) + i);
        if (i < p && j < p) of_fit.row(j * p + i) += row;
        else M_.noalias() += row.transpose() * row;
      }
  }
  M_.noalias() += of_fit.transpose() * of_fit;
  // What is removed from other data than these: Uᵀ U + rest instead of 1.
  MatrixXd beyond = fitted_.U.transpose() * fitted_.U + fitted_.rest - MatrixXd::Identity(p, p);
  expected_ += of_fit.transpose() * Eigen::Map<VectorXd>(beyond.data(), p * p);
}

VectorXd Correlogram::strengths(const VectorXd& q) const {
  return (kernels_.transpose() * q / q[0] - means_).cwiseQuotient(deviations_);
}

Correlogram::Test Correlogram::test(double level) const {
  Test test;
  if (!(expected_[0] > 1) || !(deviations_.size() > 0) || !(deviations_.minCoeff() > 0) || !(q_[0] > 0)) return test;
  test.strength = strengths(q_).maxCoeff();
  VectorXd R = VectorXd::Ones(q_.size());
  R.tail(pairs_.lags()) = pairs_.mean_shape({Kind::exponential, 2 * pairs_.spacing(), 1});
  test.power = strengths(expected_ + M_.rightCols(pairs_.lags()) * R.tail(pairs_.lags())).maxCoeff();
  if (pairs_.pairs().size() <= most_simulated) {
    test.probability = simulated_probability(test.strength, level);
  } else {
    const double one = boost::math::cdf(boost::math::complement(boost::math::normal(), test.strength));
    test.probability = std::min(1.0, static_cast<double>(means_.size()) * one);
  }
  return test;
}

double Correlogram::simulated_probability(double strength, double level) const {
  const auto draws = static_cast<int>(std::max(999.0, 10 / level - 1));
  std::mt19937_64 random(1);
  const Index n = fitted_.U.rows(), p = fitted_.U.cols();
  const MatrixXd L = root_of(fitted_.rest);
  int as_large = 0, draw = 0;
  VectorXd e(n), z(p);
  for (; draw < draws && as_large < 50; ++draw) {  // 50: the probability is known well enough, or decided
    for (double& x : e) x = normal_number(random);
    for (double& x : z) x = normal_number(random);
    VectorXd r = e - fitted_.U * (fitted_.U.transpose() * e + L * z);
    for (const FittedDirections::Block& block : fitted_.blocks)
      if (block.removed.cols() > 0) r.segment(block.first, block.count) -= block.removed * (block.removed.transpose() * e.segment(block.first, block.count));
    as_large += strengths(products(r)).maxCoeff() >= strength;
  }
  return (1.0 + as_large) / (1.0 + draw);
}

VectorXd Correlogram::weights_at(const CorrelationFunction& f) const {
  constexpr double least = 0.05;  // of 1 − correlation, so that the nearest pairs do not decide alone
  // Sums at large distances scatter together and tell little of the function: lags up to one and a half lengths count, and three at least.
  const double limit = f.is_found() ? std::max(1.5 * f.length, 4.5 * pairs_.spacing()) : std::numeric_limits<double>::infinity();
  VectorXd w = VectorXd::Zero(q_.size());
  const VectorXd shape = pairs_.mean_shape(f);
  for (int b = 0; b < pairs_.lags(); ++b)
    if (pairs_.mean_distance(b) <= limit) w[1 + b] = 1 / (2 * pairs_.count(b) * std::pow(1 + least - f.share * shape[b], 2));
  return w;
}

/// The share by linear least squares for a given shape. The variance s² is such that E q_0 = q_0.
Correlogram::Trial Correlogram::with_share(CorrelationFunction f, const VectorXd& weights) const {
  const VectorXd t = M_.rightCols(pairs_.lags()) * pairs_.mean_shape(f);
  const VectorXd y = q_ - q_[0] / expected_[0] * expected_, x = t - t[0] / expected_[0] * expected_;
  const double norm = x.dot(weights.cwiseProduct(x));
  double g = norm > 0 ? std::max(0.0, x.dot(weights.cwiseProduct(y)) / norm) : 0;  // s² times the share
  g = std::min(g, q_[0] / (expected_[0] + t[0]));                                  // at which the share is 1
  const VectorXd left = y - g * x;
  f.share = std::min(1.0, g * expected_[0] / (q_[0] - g * t[0]));
  return {f, left.dot(weights.cwiseProduct(left))};
}

Correlogram::Trial Correlogram::best(Kind kind, const VectorXd& weights) const {
  if (kind == Kind::constant) return with_share({kind, std::numeric_limits<double>::infinity(), 1}, weights);
  constexpr int steps = 24;
  const double low = std::log(0.25 * pairs_.spacing()), high = std::log(pairs_.farthest()), step = (high - low) / steps;
  const auto at = [&](double log_length) { return with_share({kind, std::exp(log_length), 1}, weights); };
  Trial found = at(low);
  double middle = low;
  for (int k = 1; k <= steps; ++k)
    if (const Trial t = at(low + k * step); t.cost < found.cost) found = t, middle = low + k * step;
  // Golden section between the neighbours of the best.
  constexpr double golden = 0.6180339887498949;
  double a = std::max(low, middle - step), b = std::min(high, middle + step);
  for (int k = 0; k < 14; ++k) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    const Trial l = at(left), r = at(right);
    if (l.cost < r.cost) b = right;
    else a = left;
    for (const Trial& t : {l, r})
      if (t.cost < found.cost) found = t;
  }
  return found;
}

CorrelationFunction Correlogram::fit(const std::vector<Kind>& kinds) const {
  VectorXd weights = weights_at({});
  Trial found;
  for (int pass = 0; pass < 3; ++pass) {
    found.cost = std::numeric_limits<double>::infinity();
    for (const Kind kind : kinds)
      if (const Trial t = best(kind, weights); t.cost < found.cost) found = t;
    weights = weights_at(found.f);
  }
  return found.f;
}

}  // namespace invar
