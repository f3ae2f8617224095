#include "libfem/design/geometry/corner_angle.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "libfem/design/geometry/facet_group.hpp"

namespace invar {
namespace {

using Point = std::array<double, 2>;  // distance from the tip along the axis, height above the axis

/// The slope at the tip of the least-squares parabola through the points.
double slope_at_tip(const std::vector<Point>& side) {
  if (side.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  Eigen::MatrixXd powers(side.size(), 3);
  Eigen::VectorXd height(side.size());
  for (std::size_t k = 0; k < side.size(); ++k) {
    powers.row(k) << 1, side[k][0], side[k][0] * side[k][0];
    height[k] = side[k][1];
  }
  return powers.colPivHouseholderQr().solve(height)[1];
}

}  // namespace

double corner_angle(const Mesh& mesh, const std::string& region, const std::vector<double>& coordinates,
                    const CornerOptions& options) {
  std::map<long long, Point> nodes;  // by their number in the serial mesh
  for (const FacetGroup& group : gather_facets(mesh, {region}, coordinates))
    for (std::size_t k = 0; k < group.nodes.size(); ++k) {
      const double* x = &group.points[k * mesh.dim];
      nodes[group.nodes[k]] = {(options.greatest ? -1 : 1) * x[options.axis], x[1 - options.axis]};
    }
  Point tip{INFINITY, 0};
  for (const auto& [node, x] : nodes)
    if (x[0] < tip[0]) tip = x;
  std::vector<Point> above, below;
  for (const auto& [node, x] : nodes) {
    const Point from_tip{x[0] - tip[0], x[1] - tip[1]};
    if (from_tip[0] < options.range[0] || from_tip[0] > options.range[1]) continue;
    (from_tip[1] > 0 ? above : below).push_back(from_tip);
  }
  const double up = std::atan(slope_at_tip(above)), down = options.one_sided ? -up : std::atan(slope_at_tip(below));
  return (up - down) * 180 / std::numbers::pi;
}

}  // namespace invar
