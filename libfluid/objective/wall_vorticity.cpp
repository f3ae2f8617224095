#include "libfluid/objective/wall_vorticity.hpp"

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

double relative_deviation(const std::vector<WallVorticity>& wall) {
  double area = 0, mean = 0, squares = 0;
  for (const WallVorticity& w : wall) area += w.area, mean += w.area * w.magnitude;
  mean /= area;
  for (const WallVorticity& w : wall) squares += w.area * (w.magnitude - mean) * (w.magnitude - mean);
  return std::sqrt(squares / area) / mean;
}

}  // namespace invar
