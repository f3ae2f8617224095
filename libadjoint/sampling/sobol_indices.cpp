#include "libadjoint/sampling/sobol_indices.hpp"

#include <cassert>
#include <cmath>
#include <vector>

#include "libadjoint/sampling/unit_points.hpp"

namespace invar {

Eigen::MatrixXd saltelli_points(int blocks, int inputs, std::uint64_t seed) {
  const Eigen::MatrixXd pairs = sobol_points(blocks, 2 * inputs, seed);
  Eigen::MatrixXd points(blocks * (inputs + 2), inputs);
  for (int j = 0, row = 0; j < blocks; ++j) {
    const Eigen::RowVectorXd a = pairs.row(j).head(inputs), b = pairs.row(j).tail(inputs);
    points.row(row++) = a;
    points.row(row++) = b;
    for (int i = 0; i < inputs; ++i, ++row) {
      points.row(row) = a;
      points(row, i) = b(i);
    }
  }
  return points;
}

SobolIndices sobol_indices(const Eigen::VectorXd& values, int inputs) {
  const int size = inputs + 2;
  assert(values.size() % size == 0);
  std::vector<Eigen::VectorXd> blocks;
  for (Eigen::Index at = 0; at < values.size(); at += size)
    if (const Eigen::VectorXd block = values.segment(at, size); block.allFinite()) blocks.push_back(block);
  SobolIndices out;
  out.used = static_cast<int>(blocks.size());
  out.first = out.total = Eigen::VectorXd::Zero(inputs);
  const double n = out.used;
  double mean = 0;
  for (const Eigen::VectorXd& f : blocks) mean += (f(0) + f(1)) / (2 * n);
  for (Eigen::VectorXd& f : blocks) {
    f.array() -= mean;
    out.variance += (f(0) * f(0) + f(1) * f(1)) / (2 * n);
    for (int i = 0; i < inputs; ++i) {
      out.first(i) += f(1) * (f(2 + i) - f(0)) / n;
      out.total(i) += (f(0) - f(2 + i)) * (f(0) - f(2 + i)) / (2 * n);
    }
  }
  out.first /= out.variance;
  out.total /= out.variance;
  out.first_error = out.total_error = Eigen::VectorXd::Zero(inputs);
  for (const Eigen::VectorXd& f : blocks) {
    const double v = (f(0) * f(0) + f(1) * f(1)) / 2;
    for (int i = 0; i < inputs; ++i) {
      out.first_error(i) += std::pow(f(1) * (f(2 + i) - f(0)) - out.first(i) * v, 2);
      out.total_error(i) += std::pow((f(0) - f(2 + i)) * (f(0) - f(2 + i)) / 2 - out.total(i) * v, 2);
    }
  }
  out.first_error = out.first_error.cwiseSqrt() / (n * out.variance);
  out.total_error = out.total_error.cwiseSqrt() / (n * out.variance);
  return out;
}

}  // namespace invar
