#include "libadjoint/inference/correlation_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "libadjoint/inference/point_cells.hpp"

namespace invar {
namespace {

constexpr Eigen::Index few_points = 3000;  // all pairs of them are visited
constexpr double least_correlation = 1e-6;
constexpr double cubes_per_length = 4;

Eigen::MatrixXd sum_over_pairs(const CorrelationFunction& f, std::span<const double> points, int dim, double reach, const Eigen::MatrixXd& X) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows of = X;
  Rows sum = of;
  PointCells(points, dim, reach).for_pairs([&](int i, int j, double h) {
    const double c = f.shape(h);
    sum.row(i) += c * of.row(j);
    sum.row(j) += c * of.row(i);
  });
  return sum;
}

}  // namespace

double CorrelationFunction::shape(double h) const {
  switch (kind) {
    case Kind::none: return h == 0 ? 1 : 0;
    case Kind::exponential: return std::exp(-h / length);
    case Kind::gaussian: return std::exp(-(h / length) * (h / length));
    case Kind::constant: return 1;
  }
  return 0;
}

double CorrelationFunction::reach(double least) const {
  const double lengths = -std::log(least);
  switch (kind) {
    case Kind::none: return 0;
    case Kind::exponential: return length * lengths;
    case Kind::gaussian: return length * std::sqrt(lengths);
    case Kind::constant: break;
  }
  return std::numeric_limits<double>::infinity();
}

CorrelationFunction CorrelationFunction::squared() const {
  CorrelationFunction s = *this;
  s.share *= share;
  if (kind == Kind::exponential) s.length /= 2;
  if (kind == Kind::gaussian) s.length /= std::sqrt(2.0);
  return s;
}

Eigen::MatrixXd correlated_sum(const CorrelationFunction& f, std::span<const double> points, int dim, const Eigen::MatrixXd& X) {
  if (!f.is_found()) return X;
  const double whole = box_diagonal(points, dim);
  if (f.kind == CorrelationFunction::Kind::constant || whole == 0) return Eigen::VectorXd::Ones(X.rows()) * X.colwise().sum();
  if (X.rows() <= few_points) return sum_over_pairs(f, points, dim, 2 * whole, X);
  const double reach = std::min(f.reach(least_correlation), 2 * whole), cube = f.length / cubes_per_length;
  if (cube < neighbour_distance(points, dim)) return sum_over_pairs(f, points, dim, reach, X);
  const PointCells cubes(points, dim, cube);
  const std::vector<int> of = cubes.cube_of_points();
  std::vector<double> centres(std::size_t(cubes.count()) * dim, 0.0), members(cubes.count(), 0.0);
  Eigen::MatrixXd gathered = Eigen::MatrixXd::Zero(cubes.count(), X.cols());
  for (std::size_t i = 0; i < of.size(); ++i) {
    members[of[i]] += 1;
    for (int k = 0; k < dim; ++k) centres[std::size_t(of[i]) * dim + k] += points[i * dim + k];
    gathered.row(of[i]) += X.row(static_cast<Eigen::Index>(i));
  }
  for (int c = 0; c < cubes.count(); ++c)
    for (int k = 0; k < dim; ++k) centres[std::size_t(c) * dim + k] /= members[c];
  const Eigen::MatrixXd of_cubes = sum_over_pairs(f, centres, dim, reach, gathered);
  Eigen::MatrixXd sum(X.rows(), X.cols());
  for (std::size_t i = 0; i < of.size(); ++i) sum.row(static_cast<Eigen::Index>(i)) = of_cubes.row(of[i]);
  return sum;
}

}  // namespace invar
