#include "libadjoint/inference/point_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace invar {

PointCells::PointCells(std::span<const double> points, int dim, double size) : points_(points), dim_(dim), size_(size) {
  const int n = dim > 0 ? static_cast<int>(points.size()) / dim : 0;
  std::vector<Key> keys(n, Key{});
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < dim; ++k) keys[i][k] = static_cast<long long>(std::floor(points[std::size_t(i) * dim + k] / size));
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, {}, [&](int i) { return keys[i]; });
  for (int a = 0; a < n; ++a)
    if (a == 0 || keys[order_[a]] != cubes_.back().key) cubes_.push_back({keys[order_[a]], a});
}

const PointCells::Cube* PointCells::find(const Key& key) const {
  const auto at = std::ranges::lower_bound(cubes_, key, {}, &Cube::key);
  return at != cubes_.end() && at->key == key ? &*at : nullptr;
}

double PointCells::distance(int i, int j) const {
  double squares = 0;
  for (int k = 0; k < dim_; ++k) {
    const double d = points_[std::size_t(i) * dim_ + k] - points_[std::size_t(j) * dim_ + k];
    squares += d * d;
  }
  return std::sqrt(squares);
}

std::vector<int> PointCells::cube_of_points() const {
  std::vector<int> cube(order_.size());
  for (int c = 0; c < count(); ++c)
    for (int a = cubes_[c].first; a < end_of(cubes_[c]); ++a) cube[order_[a]] = c;
  return cube;
}

double box_diagonal(std::span<const double> points, int dim) {
  double squares = 0;
  for (int k = 0; k < dim && !points.empty(); ++k) {
    double low = points[k], high = points[k];
    for (std::size_t i = k; i < points.size(); i += dim) low = std::min(low, points[i]), high = std::max(high, points[i]);
    squares += (high - low) * (high - low);
  }
  return std::sqrt(squares);
}

double neighbour_distance(std::span<const double> points, int dim) {
  const double whole = box_diagonal(points, dim);
  const std::size_t n = dim > 0 ? points.size() / dim : 0;
  if (n < 2 || !(whole > 0)) return 0;
  // The cubes grow from about one point each along a line until most points have a neighbour.
  for (double size = whole / static_cast<double>(n);; size *= 2) {
    std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
    PointCells(points, dim, size).for_pairs([&](int i, int j, double h) {
      if (h == 0) return;
      nearest[i] = std::min(nearest[i], h);
      nearest[j] = std::min(nearest[j], h);
    });
    std::erase_if(nearest, [](double h) { return std::isinf(h); });
    if (2 * nearest.size() < n && size < whole) continue;
    std::ranges::nth_element(nearest, nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2));
    return nearest[nearest.size() / 2];
  }
}

}  // namespace invar
