#include "libfluid/objective/wall_shear.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace invar {
namespace {

/// The tangential viscous traction on the wall.
std::array<double, 3> shear_on_wall(const WallSample& s) {
  std::array<double, 3> t{};
  double through = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t[i] -= s.viscosity * (s.gradient[3 * i + j] + s.gradient[3 * j + i]) * s.normal[j];
    through += t[i] * s.normal[i];
  }
  for (int i = 0; i < 3; ++i) t[i] -= through * s.normal[i];
  return t;
}

/// The points of one facet in the plane.
struct Segment {
  std::array<long long, 2> ends{};
  std::vector<std::size_t> points;  // from the first end to the second
  bool used = false;
};

/// Traverses the segments of a wall: order of all points, and beginnings of pieces.
class Walk {
 public:
  explicit Walk(const std::vector<WallSample>& samples) : samples_(samples) {
    std::map<std::array<long long, 2>, std::size_t> place;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const auto [at, is_new] = place.try_emplace(samples[k].ends, segments_.size());
      if (is_new) segments_.push_back({samples[k].ends, {}, false});
      segments_[at->second].points.push_back(k);
    }
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      std::ranges::sort(segments_[s].points, {}, [&](std::size_t k) { return samples[k].along; });
      for (long long end : segments_[s].ends) at_[end].push_back(s);
    }
    for (;;) {
      const auto [segment, from] = beginning();
      if (segment < 0) break;
      pieces_.push_back(order_.size());
      follow(segment, from);
    }
  }
  const std::vector<std::size_t>& order() const { return order_; }
  const std::vector<std::size_t>& pieces() const { return pieces_; }

 private:
  const std::array<double, 3>& point_of(std::size_t segment) const { return samples_[segments_[segment].points[0]].x; }

  /// An unused segment at an end of an open piece, else one of a closed piece, with the start node. Ends with the least x come first.
  std::pair<int, long long> beginning() const {
    int best = -1;
    bool best_is_end = false;
    long long from = 0;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].used) continue;
      for (int e = 0; e < 2; ++e) {
        const long long node = segments_[s].ends[e];
        const auto& around = at_.at(node);
        const bool is_end = std::ranges::count_if(around, [&](std::size_t o) { return !segments_[o].used; }) == 1;
        if (!is_end && e == 1) continue;  // closed: in the direction of the facets
        if (best >= 0 && (best_is_end != is_end ? best_is_end : point_of(best) <= point_of(s))) continue;
        best = static_cast<int>(s), best_is_end = is_end, from = node;
      }
    }
    return {best, from};
  }
  void follow(std::size_t s, long long from) {
    for (;;) {
      Segment& segment = segments_[s];
      segment.used = true;
      const bool forward = segment.ends[0] == from;
      if (forward) order_.insert(order_.end(), segment.points.begin(), segment.points.end());
      else order_.insert(order_.end(), segment.points.rbegin(), segment.points.rend());
      from = segment.ends[forward ? 1 : 0];
      const auto& next = at_.at(from);
      const auto free = std::ranges::find_if(next, [&](std::size_t o) { return !segments_[o].used; });
      if (free == next.end()) return;
      s = *free;
    }
  }

  const std::vector<WallSample>& samples_;
  std::vector<Segment> segments_;
  std::map<long long, std::vector<std::size_t>> at_;  // segments at a node
  std::vector<std::size_t> order_, pieces_;
};

/// Distance of a point from the nearest end of its facet.
double from_end(const std::vector<WallSample>& samples, const WallSample& point, bool planar) {
  double length = 0;
  for (const WallSample& s : samples)
    if (s.ends == point.ends) length += planar ? s.area : s.area / (2 * std::numbers::pi * s.x[0]);
  return std::min(point.along, 1 - point.along) * length;
}

/// Distances along the walk, and the shear in its direction.
void measure_along(const std::vector<WallSample>& samples, const std::vector<WallPlace>& places, bool planar, std::vector<WallShear>& wall) {
  for (std::size_t k = 0; k < wall.size(); ++k) {
    const WallSample& s = samples[places[k].sample];
    wall[k].piece = places[k].piece;
    wall[k].along = places[k].turn * (-s.normal[1] * wall[k].shear[0] + s.normal[0] * wall[k].shear[1]);
    if (k == 0 || wall[k - 1].piece != wall[k].piece)
      wall[k].distance = from_end(samples, s, planar);
    else
      wall[k].distance = wall[k - 1].distance + std::hypot(wall[k].x[0] - wall[k - 1].x[0], wall[k].x[1] - wall[k - 1].x[1]);
  }
}

}  // namespace

int wall_degree(const DofMap& dofs) { return 2 * dofs.orders()[0] - 1; }

std::vector<WallPlace> order_along(const std::vector<WallSample>& samples) {
  const Walk walk(samples);
  std::vector<WallPlace> places;
  int piece = -1;
  for (std::size_t k = 0; k < walk.order().size(); ++k) {
    piece += static_cast<std::size_t>(piece + 1) < walk.pieces().size() && walk.pieces()[piece + 1] == k;
    places.push_back({walk.order()[k], piece, 1});
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto next_to = [&](std::size_t other) { return other < places.size() && places[other].piece == places[k].piece ? other : k; };
    const auto &back = samples[places[next_to(k - 1)].sample].x, &ahead = samples[places[next_to(k + 1)].sample].x;
    const auto& n = samples[places[k].sample].normal;
    places[k].turn = -n[1] * (ahead[0] - back[0]) + n[0] * (ahead[1] - back[1]) >= 0 ? 1 : -1;
  }
  return places;
}

std::vector<WallShear> wall_shear(const DofMap& dofs, const double* u, const double* coordinates, FlowKind kind,
                                  const std::string& region, std::span<const FlowFields::Fluid> fluids) {
  const std::vector<WallSample> samples = wall_samples(dofs, u, coordinates, kind, region, wall_degree(dofs), fluids);
  const auto shear_at = [&](const WallSample& s) {
    WallShear w{s.x, s.area, s.pressure, shear_on_wall(s)};
    w.along = std::hypot(w.shear[0], w.shear[1], w.shear[2]);
    w.y_plus = s.viscosity > 0 ? std::sqrt(s.density * w.along) * s.height / s.viscosity : 0.0;
    return w;
  };
  std::vector<WallShear> wall;
  if (dofs.mesh().dim == 3) {
    for (const WallSample& s : samples) wall.push_back(shear_at(s));
    return wall;
  }
  const std::vector<WallPlace> places = order_along(samples);
  for (const WallPlace& place : places) wall.push_back(shear_at(samples[place.sample]));
  measure_along(samples, places, kind == FlowKind::planar, wall);
  for (std::size_t k = 0; k < wall.size(); ++k)
    if (const double viscosity = samples[places[k].sample].viscosity; viscosity > 0) wall[k].rate = wall[k].along / viscosity;
  return wall;
}

namespace {

/// Interpolation between a (s = 0) and b (s = 1).
WallShear between(const WallShear& a, const WallShear& b, double s) {
  const auto mixed = [s](double from, double to) { return from + s * (to - from); };
  WallShear w = b;
  for (int i = 0; i < 3; ++i) w.x[i] = mixed(a.x[i], b.x[i]), w.shear[i] = mixed(a.shear[i], b.shear[i]);
  w.pressure = mixed(a.pressure, b.pressure);
  w.distance = mixed(a.distance, b.distance);
  w.along = mixed(a.along, b.along);
  w.rate = mixed(a.rate, b.rate);
  w.y_plus = mixed(a.y_plus, b.y_plus);
  return w;
}

double distance_squared(const WallShear& w, const double* point, int dim) {
  double sum = 0;
  for (int i = 0; i < dim; ++i) sum += (w.x[i] - point[i]) * (w.x[i] - point[i]);
  return sum;
}

}  // namespace

WallShear shear_near(const std::vector<WallShear>& wall, const double* point, int dim) {
  WallShear best = wall.front();
  const auto offer = [&](const WallShear& w) {
    if (distance_squared(w, point, dim) < distance_squared(best, point, dim)) best = w;
  };
  for (const WallShear& w : wall) offer(w);
  for (std::size_t k = 1; k < wall.size() && dim == 2; ++k) {
    const WallShear &a = wall[k - 1], &b = wall[k];
    if (a.piece != b.piece) continue;
    double along = 0, length = 0;
    for (int i = 0; i < dim; ++i) along += (point[i] - a.x[i]) * (b.x[i] - a.x[i]), length += (b.x[i] - a.x[i]) * (b.x[i] - a.x[i]);
    if (length > 0) offer(between(a, b, std::clamp(along / length, 0.0, 1.0)));
  }
  return best;
}

std::vector<WallShear> shear_zeros(const std::vector<WallShear>& wall) {
  std::vector<WallShear> zeros;
  for (std::size_t k = 1; k < wall.size(); ++k) {
    const WallShear &a = wall[k - 1], &b = wall[k];
    if (a.piece != b.piece || (a.rate < 0) == (b.rate < 0)) continue;
    WallShear zero = between(a, b, a.rate / (a.rate - b.rate));
    zero.shear = {};
    zero.rate = 0;
    zero.along = b.along < 0 ? -1 : 1;
    zeros.push_back(zero);
  }
  return zeros;
}

}  // namespace invar
