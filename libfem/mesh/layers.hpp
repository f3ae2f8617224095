#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace invar {

/// Rank of each value among the distinct values, ascending, [values]; neighbouring values within the tolerance count as equal.
inline std::vector<int> layers_of(const std::vector<double>& values, double tolerance) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<int> number(values.size());
  for (std::size_t k = 1; k < order.size(); ++k)
    number[order[k]] = number[order[k - 1]] + (values[order[k]] - values[order[k - 1]] > tolerance);
  return number;
}

/// Sorts points row by row: along x first, then y, then z. Returns positions of the points, of which there are x.size()/dim.
inline std::vector<int> order_by_rows(const std::vector<double>& x, int dim) {
  const std::size_t n = x.size() / dim;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  double size = 0;
  std::vector<std::vector<double>> along(dim);
  for (int i = 0; i < dim; ++i) {
    for (std::size_t p = 0; p < n; ++p) along[i].push_back(x[p * dim + i]);
    if (n > 0) {
      const auto [low, high] = std::ranges::minmax(along[i]);
      size = std::max(size, high - low);
    }
  }
  std::vector<std::vector<int>> layer;
  for (int i = 0; i < dim; ++i) layer.push_back(layers_of(along[i], 1e-9 * size));
  std::ranges::stable_sort(order, [&](int a, int b) {
    for (int i = dim - 1; i > 0; --i)
      if (layer[i][a] != layer[i][b]) return layer[i][a] < layer[i][b];
    return layer[0][a] < layer[0][b];
  });
  return order;
}

}  // namespace invar
