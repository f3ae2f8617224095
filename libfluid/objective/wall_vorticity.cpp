#include "libfluid/objective/wall_vorticity.hpp"

#include <algorithm>
#include <cmath>

#include "libfluid/objective/wall_samples.hpp"

namespace invar {

std::vector<WallVorticity> wall_vorticity(const DofMap& dofs, const double* u, const double* coordinates,
                                          FlowKind kind, const std::string& name) {
  std::vector<WallVorticity> wall;
  for (const WallSample& s : wall_samples(dofs, u, coordinates, kind, name, 4)) {
    const auto& L = s.gradient;
    wall.push_back({s.x, s.area, std::hypot(L[7] - L[5], L[2] - L[6], L[3] - L[1])});
  }
  return wall;
}

std::vector<WallVorticity> away_from_ends(std::vector<WallVorticity> wall, int axis, double margin) {
  double low = INFINITY, high = -INFINITY;
  for (const WallVorticity& w : wall) low = std::min(low, w.x[axis]), high = std::max(high, w.x[axis]);
  const double off = margin * (high - low);
  std::erase_if(wall, [&](const WallVorticity& w) { return w.x[axis] < low + off || w.x[axis] > high - off; });
  return wall;
}

double relative_deviation(const std::vector<WallVorticity>& wall) {
  double area = 0, mean = 0, squares = 0;
  for (const WallVorticity& w : wall) area += w.area, mean += w.area * w.magnitude;
  mean /= area;
  for (const WallVorticity& w : wall) squares += w.area * (w.magnitude - mean) * (w.magnitude - mean);
  return std::sqrt(squares / area) / mean;
}

}  // namespace invar
