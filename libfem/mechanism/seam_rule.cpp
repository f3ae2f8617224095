#include "libfem/mechanism/seam_rule.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "libfem/mesh/nearest_on_facet.hpp"
#include "libfem/mesh/reference_element.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {
namespace {

using Eigen::Vector2d, Eigen::Vector3d;
using Polygon = std::vector<Vector2d>;

constexpr int seam_pieces = 4;          // per edge of a curved facet in 3-D
constexpr int seam_degree = 4;          // quadrature degree on each piece, and between two kinks
constexpr double coincident = 1e-10;    // tolerance of equal reference coordinates and of straight edges, relative to a facet's size

Vector3d place_of_node(const RegionNodes& surface, int node) { return Vector3d(surface.nodes[node].x.data()); }

double area_inside(const Polygon& p) {
  double twice = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vector2d &a = p[k], &b = p[(k + 1) % p.size()];
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * twice;
}

/// A plane with coordinates.
struct Plane {
  Vector3d origin, first, second;
  Vector2d of(const Vector3d& x) const { return {(x - origin).dot(first), (x - origin).dot(second)}; }
  std::array<double, 3> point(const Vector2d& s) const {
    const Vector3d x = origin + s[0] * first + s[1] * second;
    return {x[0], x[1], x[2]};
  }
};

/// Whether nodes between corners are on the straight lines between them, and all nodes in one plane.
bool is_straight(const RegionNodes& surface, const RegionNodes::Facet& facet, const Vector3d& normal, double size) {
  const std::span<const std::array<int, 2>> edges = edges_of(facet.type.shape);
  const std::size_t corners = vertex_count(facet.type.shape);
  const Vector3d origin = place_of_node(surface, facet.nodes[0]);
  for (const int node : facet.nodes)
    if (std::abs((place_of_node(surface, node) - origin).dot(normal)) > coincident * size) return false;
  for (std::size_t k = 0; facet.type.order == 2 && k < edges.size(); ++k) {
    const Vector3d a = place_of_node(surface, facet.nodes[edges[k][0]]), b = place_of_node(surface, facet.nodes[edges[k][1]]);
    if ((place_of_node(surface, facet.nodes[corners + k]) - a).cross((b - a).normalized()).norm() > coincident * size) return false;
  }
  return true;
}

/// Corners of a straight facet in a plane, anticlockwise and convex; empty if it is none.
Polygon polygon_of(const RegionNodes& surface, const RegionNodes::Facet& facet, const Plane& plane) {
  const int n = vertex_count(facet.type.shape);
  const Vector3d a = place_of_node(surface, facet.nodes[0]), b = place_of_node(surface, facet.nodes[1]), c = place_of_node(surface, facet.nodes[n - 1]);
  const Vector3d normal = (b - a).cross(c - a);
  const double size = (b - a).norm() + (c - a).norm();
  if (!(normal.norm() > 0) || !is_straight(surface, facet, normal.normalized(), size)) return {};
  Polygon p;
  for (int k = 0; k < n; ++k) p.push_back(plane.of(place_of_node(surface, facet.nodes[k])));
  if (area_inside(p) < 0) std::ranges::reverse(p);
  for (int k = 0; k < n; ++k) {
    const Vector2d e = p[(k + 1) % n] - p[k], f = p[(k + 2) % n] - p[(k + 1) % n];
    if (e[0] * f[1] - e[1] * f[0] < -coincident * e.norm() * f.norm()) return {};
  }
  return p;
}

Plane plane_of(const RegionNodes& surface, const RegionNodes::Facet& facet) {
  const Vector3d a = place_of_node(surface, facet.nodes[0]), b = place_of_node(surface, facet.nodes[1]), c = place_of_node(surface, facet.nodes[vertex_count(facet.type.shape) - 1]);
  const Vector3d first = (b - a).normalized();
  return {a, first, (b - a).cross(c - a).normalized().cross(first)};
}

/// Overlap of two convex polygons (I. E. Sutherland, G. W. Hodgman, Commun. ACM 17, 1974).
Polygon overlap_of(Polygon p, const Polygon& clip) {
  for (std::size_t k = 0; k < clip.size() && !p.empty(); ++k) {
    const Vector2d a = clip[k], e = clip[(k + 1) % clip.size()] - a;
    const auto inside = [&](const Vector2d& x) { return e[0] * (x[1] - a[1]) - e[1] * (x[0] - a[0]); };
    Polygon kept;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Vector2d &x = p[i], &y = p[(i + 1) % p.size()];
      const double at_x = inside(x), at_y = inside(y);
      if (at_x >= 0) kept.push_back(x);
      if ((at_x > 0 && at_y < 0) || (at_x < 0 && at_y > 0)) kept.push_back(x + at_x / (at_x - at_y) * (y - x));
    }
    p = std::move(kept);
  }
  return p;
}

/// Degree per direction of products of the functions of two facets, on triangles.
int degree_of_products(CellType a, CellType b) {
  const auto of = [](CellType t) { return t.shape == Shape::quadrilateral ? 2 * t.order : t.order; };
  return of(a) + of(b);
}

}  // namespace

// ---- the nearest point of a surface --------------------------------------------------------------------

NearestOnSurface::NearestOnSurface(const RegionNodes& surface) : surface_(surface) {
  for (const RegionNodes::Facet& facet : surface.facets) {
    Ball ball;
    Vector3d centre = Vector3d::Zero();
    for (const int k : facet.nodes) {
      ball.nodes.insert(ball.nodes.end(), surface.nodes[k].x.begin(), surface.nodes[k].x.begin() + surface.dim);
      centre += place_of_node(surface, k) / static_cast<double>(facet.nodes.size());
    }
    for (const int k : facet.nodes) ball.radius = std::max(ball.radius, (place_of_node(surface, k) - centre).norm());
    ball.centre = {centre[0], centre[1], centre[2]};
    balls_.push_back(std::move(ball));
  }
}

OppositePoint NearestOnSurface::find(const std::array<double, 3>& x) const {
  std::size_t best = 0;
  NearestOnFacet nearest;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t f = 0; f < balls_.size(); ++f)
    order.push_back({(Vector3d(balls_[f].centre.data()) - Vector3d(x.data())).norm() - 1.2 * balls_[f].radius, f});
  std::ranges::sort(order);
  for (const auto& [least, f] : order) {
    if (least > nearest.distance) break;
    const NearestOnFacet here = nearest_on_facet({surface_.facets[f].type, surface_.dim}, balls_[f].nodes.data(), x.data());
    if (here.distance < nearest.distance) nearest = here, best = f;
  }
  return find_on(best, x);
}

OppositePoint NearestOnSurface::find_on(std::size_t f, const std::array<double, 3>& x) const {
  const RegionNodes::Facet& facet = surface_.facets[f];
  const NearestOnFacet nearest = nearest_on_facet({facet.type, surface_.dim}, balls_[f].nodes.data(), x.data());
  std::vector<double> N(facet.nodes.size());
  shape_values(facet.type, nearest.xi.data(), N.data());
  OppositePoint point{{}, nearest.distance};
  for (std::size_t a = 0; a < N.size(); ++a)
    if (std::abs(N[a]) > coincident) point.nodes.push_back({facet.nodes[a], N[a]});
  return point;
}

bool NearestOnSurface::may_meet(std::size_t f, const std::array<double, 3>& centre, double radius) const {
  return (Vector3d(balls_[f].centre.data()) - Vector3d(centre.data())).norm() <= 1.1 * (balls_[f].radius + radius);
}

// ---- the rule ------------------------------------------------------------------------------------------

SeamRule::SeamRule(const RegionNodes& side, const RegionNodes& other) : side_(side), other_(other), nearest_(other) {}

std::vector<SeamPoint> SeamRule::on(const RegionNodes::Facet& facet) const {
  if (facet.type.shape == Shape::segment) return between_nodes(facet);
  std::vector<SeamPoint> points = on_overlaps(facet);
  return points.empty() ? on_pieces(facet) : points;
}

SeamPoint SeamRule::at(const RegionNodes::Facet& facet, std::array<double, 2> xi, double weight) const {
  const int n = static_cast<int>(facet.nodes.size()), k = dimension_of(facet.type.shape);
  std::vector<double> N(n), dN(std::size_t(n) * k);
  shape_values(facet.type, xi.data(), N.data());
  shape_gradients(facet.type, xi.data(), dN.data());
  Vector3d x = Vector3d::Zero();
  Eigen::Matrix<double, 3, 2> J = Eigen::Matrix<double, 3, 2>::Zero();
  for (int a = 0; a < n; ++a) {
    x += N[a] * place_of_node(side_, facet.nodes[a]);
    for (int j = 0; j < k; ++j) J.col(j) += dN[a * k + j] * place_of_node(side_, facet.nodes[a]);
  }
  const double measure = k == 1 ? J.col(0).norm() : J.col(0).head<3>().cross(J.col(1).head<3>()).norm();
  return {xi, weight * measure, nearest_.find({x[0], x[1], x[2]})};
}

std::vector<SeamPoint> SeamRule::between_nodes(const RegionNodes::Facet& facet) const {
  std::vector<double> breaks{0, 1};
  const Vector3d a = place_of_node(side_, facet.nodes[0]), way = place_of_node(side_, facet.nodes[1]) - a;
  for (const RegionNodes::Facet& f : other_.facets)
    for (const int k : {f.nodes[0], f.nodes[1]})
      if (const double s = (place_of_node(other_, k) - a).dot(way) / way.squaredNorm(); s > coincident && s < 1 - coincident) breaks.push_back(s);
  std::ranges::sort(breaks);
  const auto twice = std::ranges::unique(breaks, [](double s, double t) { return t - s < coincident; });
  breaks.erase(twice.begin(), twice.end());
  const Quadrature rule = quadrature(Shape::segment, seam_degree);
  std::vector<SeamPoint> points;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    for (int q = 0; q < rule.count(); ++q) {
      const double h = breaks[k + 1] - breaks[k];
      points.push_back(at(facet, {breaks[k] + h * rule.points[q], 0}, rule.weights[q] * h));
    }
  return points;
}

std::vector<SeamPoint> SeamRule::on_overlaps(const RegionNodes::Facet& facet) const {
  const Plane plane = plane_of(side_, facet);
  const Polygon whole = polygon_of(side_, facet, plane);
  if (whole.empty()) return {};
  const double area = area_inside(whole);
  std::vector<double> nodes;
  for (const int k : facet.nodes) nodes.insert(nodes.end(), side_.nodes[k].x.begin(), side_.nodes[k].x.end());
  const Vector2d middle = std::accumulate(whole.begin(), whole.end(), Vector2d(Vector2d::Zero())) / static_cast<double>(whole.size());
  double radius = 0, covered = 0;
  for (const Vector2d& corner : whole) radius = std::max(radius, (corner - middle).norm());
  std::vector<SeamPoint> points;
  for (std::size_t f = 0; f < other_.facets.size(); ++f) {
    if (!nearest_.may_meet(f, plane.point(middle), radius)) continue;
    const Polygon opposite = polygon_of(other_, other_.facets[f], plane);
    if (opposite.empty()) return {};
    const Polygon common = overlap_of(whole, opposite);
    const double part = common.size() < 3 ? 0 : area_inside(common);
    if (part <= coincident * area) continue;
    covered += part;
    const Quadrature rule = quadrature(Shape::triangle, degree_of_products(facet.type, other_.facets[f].type));
    for (std::size_t k = 1; k + 1 < common.size(); ++k) {
      const double twice = 2 * area_inside({common[0], common[k], common[k + 1]});
      for (int q = 0; q < rule.count(); ++q) {
        const double s = rule.points[2 * q], t = rule.points[2 * q + 1];
        const std::array<double, 3> x = plane.point((1 - s - t) * common[0] + s * common[k] + t * common[k + 1]);
        points.push_back({nearest_on_facet({facet.type, 3}, nodes.data(), x.data()).xi, rule.weights[q] * twice, nearest_.find_on(f, x)});
      }
    }
  }
  return std::abs(covered - area) < 1e-8 * area ? points : std::vector<SeamPoint>{};
}

std::vector<SeamPoint> SeamRule::on_pieces(const RegionNodes::Facet& facet) const {
  const Quadrature rule = quadrature(facet.type.shape, seam_degree);
  const double h = 1.0 / seam_pieces;
  std::vector<SeamPoint> points;
  for (int i = 0; i < seam_pieces; ++i)
    for (int j = 0; j < seam_pieces; ++j)
      for (int q = 0; q < rule.count(); ++q) {
        const double s = rule.points[2 * q], t = rule.points[2 * q + 1], w = rule.weights[q] * h * h;
        if (facet.type.shape == Shape::quadrilateral || i + j < seam_pieces) points.push_back(at(facet, {h * (i + s), h * (j + t)}, w));
        if (facet.type.shape == Shape::triangle && i + j + 1 < seam_pieces) points.push_back(at(facet, {h * (i + 1 - s), h * (j + 1 - t)}, w));
      }
  return points;
}

}  // namespace invar
