#include "libfem/design/boundary/cst_map.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "libfem/design/boundary/spline_basis.hpp"

namespace invar {
namespace {

using TrailingEdge = CstOptions::TrailingEdge;

void require_valid_cst(const CstOptions& options) {
  const int n_upper = options.upper_coefficients, n_lower = options.lower_coefficients;
  const bool fixed = options.trailing_edge == TrailingEdge::fixed;
  if (n_upper < 0 || n_lower < 0 || (n_upper + n_lower == 0 && fixed))
    throw std::invalid_argument("an airfoil needs at least one shape coefficient on one of its sides");
  if (options.trailing_edge == TrailingEdge::opened && !(options.base[0] < options.base[1]))
    throw std::invalid_argument(
        "a sharp trailing edge cannot open: give the distances of its lower and its upper "
        "corner from the chord, or let both corners move together");
}

std::vector<std::string> names_of(const CstOptions& options) {
  std::vector<std::string> names;
  for (int i = 0; i < options.upper_coefficients; ++i) names.push_back("upper_" + std::to_string(i));
  for (int i = 0; i < options.lower_coefficients; ++i) names.push_back("lower_" + std::to_string(i));
  if (options.trailing_edge == TrailingEdge::moved) names.insert(names.end(), {"trailing_edge"});
  if (options.trailing_edge == TrailingEdge::opened)
    names.insert(names.end(), {"upper_trailing_edge", "lower_trailing_edge"});
  return names;
}

/// Weight of the upper corner's motion in that of a point; the lower corner has the complement.
double upper_share(const AirfoilChord::Place& place, const std::array<double, 2>& base) {
  const bool on_base = place.psi > 1 - 1e-6;
  if (!on_base) return place.upper() ? 1 : 0;
  return std::clamp((place.distance - base[0]) / (base[1] - base[0]), 0.0, 1.0);
}

}  // namespace

std::unique_ptr<LinearBoundaryMap> make_cst_map(const std::vector<double>& points, int dim, const AirfoilChord& chord,
                                                const CstOptions& options) {
  require_valid_cst(options);
  const int n_upper = options.upper_coefficients, n_lower = options.lower_coefficients, trailing = n_upper + n_lower;
  const auto shape = [](int n) { return n > 0 ? std::optional(SplineBasis::clamped(n - 1, n)) : std::nullopt; };
  const auto upper = shape(n_upper), lower = shape(n_lower);
  const auto normal = chord.normal();

  const int n_points = static_cast<int>(points.size()) / dim;
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < n_points; ++p) {
    const auto place = chord.place(&points[std::size_t(p) * dim]);
    const auto add = [&](int number, double factor) {
      for (int d = 0; d < 2; ++d) entries.emplace_back(p * dim + d, number, chord.length() * factor * normal[d]);
    };
    const auto& side = place.upper() ? upper : lower;
    if (place.between_edges() && side) {
      const double class_function = std::sqrt(place.psi) * (1 - place.psi);
      const auto S = side->at(place.psi);
      for (std::size_t i = 0; i < S.index.size(); ++i)
        add((place.upper() ? 0 : n_upper) + S.index[i], class_function * S.value[i]);
    }
    const double lift = std::clamp(place.psi, 0.0, 1.0);
    if (options.trailing_edge == TrailingEdge::moved) add(trailing, lift);
    if (options.trailing_edge == TrailingEdge::opened) {
      const double share = upper_share(place, options.base);
      add(trailing, lift * share);
      add(trailing + 1, lift * (1 - share));
    }
  }
  std::vector<std::string> names = names_of(options);
  LinearBoundaryMap::SparseMatrix B(n_points * dim, static_cast<int>(names.size()));
  B.setFromTriplets(entries.begin(), entries.end());
  return std::make_unique<LinearBoundaryMap>(std::move(B), dim, std::move(names));
}

}  // namespace invar
