#include "libadjoint/optimize/multi_start.hpp"

#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "libadjoint/uniform_number.hpp"

namespace invar {
namespace {

/// count × n points of the unit cube, one in each of the `count` slices of every axis
/// (McKay, Beckman, Conover 1979).
Eigen::MatrixXd latin_hypercube(int count, int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Eigen::MatrixXd points(count, n);
  std::vector<int> slice(static_cast<std::size_t>(count));
  for (int j = 0; j < n; ++j) {
    std::iota(slice.begin(), slice.end(), 0);
    for (int i = count - 1; i > 0; --i)
      std::swap(slice[static_cast<std::size_t>(i)],
                slice[static_cast<std::size_t>(uniform_number(random) * (i + 1))]);
    for (int i = 0; i < count; ++i)
      points(i, j) = (slice[static_cast<std::size_t>(i)] + uniform_number(random)) / count;
  }
  return points;
}

/// Whether a is the better result: evaluated; feasible or less violated; lower value.
bool better(const OptimizerResult& a, const OptimizerResult& b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return std::isfinite(a.value);
  if (a.feasible != b.feasible) return a.feasible;
  return a.feasible ? a.value < b.value : a.violation < b.violation;
}

}  // namespace

MultiStartResult multi_start(Optimizer& optimizer, ReducedFunctional& functional,
                             const DesignVector& start, const MultiStartOptions& options) {
  if (options.starts < 1) throw std::invalid_argument("a multi-start needs at least one start");
  const std::size_t n = start.shared.size();
  const DesignVector bound_lower = functional.lower(), bound_upper = functional.upper();
  const auto& lower = options.lower.empty() ? bound_lower.shared : options.lower;
  const auto& upper = options.upper.empty() ? bound_upper.shared : options.upper;
  if (lower.size() != n || upper.size() != n)
    throw std::invalid_argument("the ranges of a multi-start need one entry per variable");
  const auto names = functional.names();
  for (std::size_t i = 0; options.starts > 1 && i < n; ++i) {
    if (!std::isfinite(lower[i]) || !std::isfinite(upper[i]))
      throw std::invalid_argument("'" + names.at(i) + "' needs finite bounds or a range to draw "
                                  "starts from");
    if (!(lower[i] <= upper[i] && lower[i] >= bound_lower.shared[i] &&
          upper[i] <= bound_upper.shared[i]))
      throw std::invalid_argument("the range of starts of '" + names.at(i) +
                                  "' is empty or not within its bounds");
  }

  MultiStartResult all;
  const Eigen::MatrixXd points =
      latin_hypercube(options.starts - 1, static_cast<int>(n), options.seed);
  all.starts.push_back(start);
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    DesignVector x = start;
    for (std::size_t i = 0; i < n; ++i)
      x.shared[i] = std::lerp(lower[i], upper[i], points(k, static_cast<Eigen::Index>(i)));
    all.starts.push_back(std::move(x));
  }
  for (std::size_t k = 0; k < all.starts.size(); ++k) {
    const bool known = k < options.done.size();
    all.results.push_back(known ? options.done[k] : optimizer.minimize(functional, all.starts[k]));
    if (k == 0 || better(all.results.back(), all.best)) {
      all.best = all.results.back();
      all.best_start = static_cast<int>(k);
    }
    if (all.results.back().stopped) break;
    if (!known && options.on_result) options.on_result(all.results.back());
  }
  return all;
}

}  // namespace invar
