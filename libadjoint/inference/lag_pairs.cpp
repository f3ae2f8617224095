#include "libadjoint/inference/lag_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "libadjoint/inference/point_cells.hpp"
#include "libadjoint/uniform_number.hpp"

namespace invar {
namespace {

constexpr std::size_t most_lags = 32;

/// m of the numbers 0 … n − 1 at random, ascending.
std::vector<int> selection(int n, int m, std::mt19937_64& random) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  for (int k = 0; k < m; ++k) std::swap(all[k], all[k + static_cast<int>(uniform_number(random) * (n - k))]);
  all.resize(m);
  std::ranges::sort(all);
  return all;
}

/// Distance within which a datum has that many neighbours on a lattice.
double distance_of(double neighbours, int dim, double spacing) {
  const double pi = std::numbers::pi, volume = dim == 1 ? 2 : dim == 2 ? pi : 4 * pi / 3;
  return spacing * std::max(1.5, std::pow(neighbours / volume, 1.0 / dim));
}

}  // namespace

LagPairs::LagPairs(const std::vector<LagChannel>& channels, int dim, std::size_t most) {
  constexpr std::size_t looked_at = 50;  // channels whose spacing is determined
  std::vector<double> spacings;
  double data = 0, all = 0;
  for (const LagChannel& c : channels) {
    const auto n = static_cast<double>(c.samples.size());
    data += n;
    all += n * (n - 1) / 2;
    farthest_ = std::max(farthest_, box_diagonal(c.points, dim) / 2);
    if (spacings.size() >= looked_at) continue;
    if (const double h = neighbour_distance(c.points, dim); h > 0) spacings.push_back(h);
  }
  starts_.push_back(0);
  if (spacings.empty()) return;
  std::ranges::sort(spacings);
  spacing_ = spacings[spacings.size() / 2];
  farthest_ = std::max(farthest_, spacing_);
  set_edges();
  const auto limit = static_cast<double>(most);
  const bool takes_all = all <= limit;
  const double near = takes_all ? farthest_ : std::min(farthest_, distance_of(limit / data, dim, spacing_));
  const double share = std::sqrt(std::min(1.0, 0.5 * limit / all));  // of the data that are selected for far pairs
  std::mt19937_64 random(1);
  for (const LagChannel& c : channels) {
    PointCells(c.points, dim, near).for_pairs([&](int a, int b, double h) { add(c.samples[a], c.samples[b], h); });
    if (!takes_all) {
      const auto n = static_cast<int>(c.samples.size());
      const std::vector<int> some = selection(n, std::min(n, static_cast<int>(std::ceil(share * n))), random);
      std::vector<double> points;
      for (const int a : some) points.insert(points.end(), c.points.begin() + std::ptrdiff_t(a) * dim, c.points.begin() + std::ptrdiff_t(a + 1) * dim);
      PointCells(points, dim, farthest_).for_pairs([&](int a, int b, double h) {
        if (h > near) add(c.samples[some[a]], c.samples[some[b]], h);
      });
    }
    starts_.push_back(pairs_.size());
  }
  drop_empty();
}

void LagPairs::set_edges() {
  for (double growth = 0.15;; growth *= 1.5) {
    edges_ = {1.5 * spacing_};
    while (edges_.back() < farthest_) edges_.push_back(edges_.back() + std::max(spacing_, growth * edges_.back()));
    if (edges_.size() <= most_lags) break;
  }
  bins_.resize(edges_.size());
}

void LagPairs::add(int i, int j, double h) {
  const auto lag = static_cast<int>(std::ranges::lower_bound(edges_, h) - edges_.begin());
  if (lag == static_cast<int>(edges_.size())) return;
  const double from = lag ? edges_[lag - 1] : 0, part = 8 * (h - from) / (edges_[lag] - from);
  const int k = std::clamp(static_cast<int>(part), 0, 7);
  Bin& bin = bins_[lag];
  bin.count += 1, bin.distances += h;
  bin.counts[k] += 1, bin.sums[k] += h;
  pairs_.push_back({i, j, lag});
}

void LagPairs::drop_empty() {
  std::vector<int> number(bins_.size(), 0);
  std::vector<Bin> kept;
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    number[b] = static_cast<int>(kept.size());
    if (bins_[b].count > 0) kept.push_back(bins_[b]);
  }
  bins_ = std::move(kept);
  for (Pair& p : pairs_) p.lag = number[p.lag];
}

Eigen::VectorXd LagPairs::mean_shape(const CorrelationFunction& f) const {
  Eigen::VectorXd shape(lags());
  for (int b = 0; b < lags(); ++b) {
    double sum = 0;
    for (int k = 0; k < 8; ++k)
      if (bins_[b].counts[k] > 0) sum += bins_[b].counts[k] * f.shape(bins_[b].sums[k] / bins_[b].counts[k]);
    shape[b] = sum / bins_[b].count;
  }
  return shape;
}

}  // namespace invar
