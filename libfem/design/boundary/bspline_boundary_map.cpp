#include "libfem/design/boundary/bspline_boundary_map.hpp"

#include <stdexcept>

#include "libfem/design/boundary/spline_basis.hpp"

namespace invar {
namespace {

constexpr int plane_dim = 2;

void require_sense(const std::vector<double>& parameters, const BsplineBoundaryOptions& options) {
  const auto [start, end] = options.frozen;
  if (options.closed && (start != 0 || end != 0))
    throw std::invalid_argument("a closed boundary curve has no ends at which control points could be fixed");
  if (start < 0 || end < 0 || start + end >= options.control_points)
    throw std::invalid_argument("of " + std::to_string(options.control_points) +
                                " control points at least one must be free");
  if (options.along_normals && options.normals.size() != plane_dim * parameters.size())
    throw std::invalid_argument("a boundary curve needs one normal for each of its points");
  if (!options.along_normals && !options.components[0] && !options.components[1])
    throw std::invalid_argument("the boundary curve has no free direction; free x, y or the normal direction");
}

/// The directions in which each control point moves: 'n', or 'x' and 'y'.
std::string directions_of(const BsplineBoundaryOptions& options) {
  if (options.along_normals) return "n";
  return std::string(options.components[0] ? "x" : "") + (options.components[1] ? "y" : "");
}

double component_of(char direction, int component, std::size_t point, const BsplineBoundaryOptions& options) {
  if (direction == 'n') return options.normals[plane_dim * point + component];
  return (direction == 'x') == (component == 0) ? 1 : 0;
}

}  // namespace

std::unique_ptr<LinearBoundaryMap> make_bspline_boundary_map(const std::vector<double>& parameters,
                                                             const BsplineBoundaryOptions& options) {
  require_sense(parameters, options);
  const SplineBasis basis = options.closed ? SplineBasis::periodic(options.degree, options.control_points)
                                           : SplineBasis::clamped(options.degree, options.control_points);
  const int first = options.frozen[0], n_free = options.control_points - first - options.frozen[1];
  const std::string directions = directions_of(options);

  std::vector<std::string> names;
  for (int i = 0; i < n_free; ++i)
    for (char direction : directions) names.push_back("bspline_" + std::to_string(first + i) + "_" + direction);

  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto N = basis.at(parameters[p]);
    for (std::size_t i = 0; i < N.index.size(); ++i) {
      const int control = N.index[i] - first;
      if (control < 0 || control >= n_free) continue;
      for (std::size_t k = 0; k < directions.size(); ++k)
        for (int d = 0; d < plane_dim; ++d)
          if (const double factor = component_of(directions[k], d, p, options); factor != 0)
            entries.emplace_back(static_cast<int>(plane_dim * p) + d, static_cast<int>(control * directions.size() + k),
                                 N.value[i] * factor);
    }
  }
  LinearBoundaryMap::SparseMatrix B(static_cast<int>(plane_dim * parameters.size()), static_cast<int>(names.size()));
  B.setFromTriplets(entries.begin(), entries.end());
  return std::make_unique<LinearBoundaryMap>(std::move(B), plane_dim, std::move(names));
}

}  // namespace invar
