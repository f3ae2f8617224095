#include "libadjoint/time/time_grid.hpp"

#include <algorithm>
#include <cmath>

namespace invar {

std::vector<double> uniform_times(double start, double end, int n) {
  std::vector<double> times{start};
  for (int k = 1; k <= n; ++k) times.push_back(k == n ? end : start + (end - start) * k / n);
  return times;
}

int step_count(double start, double end, double length, bool& fits) {
  const int n = std::max(1, static_cast<int>(std::lround((end - start) / length)));
  fits = std::abs(n * length - (end - start)) <= 1e-6 * (end - start);
  return n;
}

std::vector<double> with_times(std::vector<double> grid, const std::vector<double>& wanted) {
  const double spacing = (grid.back() - grid.front()) / static_cast<double>(grid.size() - 1);
  for (const double t : wanted) {
    const auto near = std::ranges::find_if(grid, [&](double g) { return std::abs(g - t) < 1e-9 * spacing; });
    if (near != grid.end()) *near = t;
    else grid.insert(std::ranges::upper_bound(grid, t), t);
  }
  return grid;
}

std::vector<double> merged_times(std::vector<double> times) {
  std::ranges::sort(times);
  const double close = times.empty() ? 0 : 1e-9 * (times.back() - times.front()) / static_cast<double>(times.size());
  times.erase(std::unique(times.begin(), times.end(), [&](double a, double b) { return b - a <= close; }), times.end());
  return times;
}

std::vector<double> divided_times(const std::vector<double>& times, int parts) {
  std::vector<double> all;
  if (!times.empty()) all.push_back(times.front());
  for (std::size_t i = 1; i < times.size(); ++i)
    for (int k = 1; k <= parts; ++k) all.push_back(k == parts ? times[i] : times[i - 1] + (times[i] - times[i - 1]) * k / parts);
  return all;
}

}  // namespace invar
