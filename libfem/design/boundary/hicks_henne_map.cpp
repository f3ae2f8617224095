#include "libfem/design/boundary/hicks_henne_map.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace invar {

std::unique_ptr<LinearBoundaryMap> make_hicks_henne_map(const std::vector<double>& points, int dim,
                                                        const AirfoilChord& chord, const HicksHenneOptions& options) {
  const int n_upper = options.upper_bumps, n_lower = options.lower_bumps;
  if (n_upper < 0 || n_lower < 0 || n_upper + n_lower == 0)
    throw std::invalid_argument("an airfoil needs at least one bump on one of its sides");
  if (!(options.width > 0)) throw std::invalid_argument("the width exponent of Hicks–Henne bumps must be positive");

  std::vector<std::string> names;
  for (int k = 1; k <= n_upper; ++k) names.push_back("upper_" + std::to_string(k));
  for (int k = 1; k <= n_lower; ++k) names.push_back("lower_" + std::to_string(k));

  const int n_points = static_cast<int>(points.size()) / dim;
  const auto normal = chord.normal();
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < n_points; ++p) {
    const auto place = chord.place(&points[std::size_t(p) * dim]);
    if (!place.between_edges()) continue;
    const int bumps = place.upper() ? n_upper : n_lower, first = place.upper() ? 0 : n_upper;
    for (int k = 1; k <= bumps; ++k) {
      const double peak = static_cast<double>(k) / (bumps + 1);
      const double exponent = std::log(0.5) / std::log(peak);
      const double bump = std::pow(std::sin(std::numbers::pi * std::pow(place.psi, exponent)), options.width);
      for (int d = 0; d < 2; ++d) entries.emplace_back(p * dim + d, first + k - 1, bump * normal[d]);
    }
  }
  LinearBoundaryMap::SparseMatrix B(n_points * dim, n_upper + n_lower);
  B.setFromTriplets(entries.begin(), entries.end());
  return std::make_unique<LinearBoundaryMap>(std::move(B), dim, std::move(names));
}

}  // namespace invar
