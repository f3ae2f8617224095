#include "libfem/design/field/member_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libfem/mesh/all_gather.hpp"
#include "libfem/mesh/boundary_facets.hpp"

namespace invar {
namespace {

using Place = std::array<double, 3>;

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// Points sorted into boxes of equal size, to search for near points.
class PointBins {
 public:
  PointBins(std::vector<Place> points, double size) : points_(std::move(points)), size_(size) {
    low_.fill(std::numeric_limits<double>::infinity());
    Place high = low_;
    for (double& h : high) h = -h;
    for (const Place& p : points_)
      for (int i = 0; i < 3; ++i) low_[i] = std::min(low_[i], p[i]), high[i] = std::max(high[i], p[i]);
    if (points_.empty()) low_ = high = Place{};
    for (int i = 0; i < 3; ++i) count_[i] = static_cast<int>((high[i] - low_[i]) / size_) + 1;
    members_.resize(std::size_t(count_[0]) * count_[1] * count_[2]);
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const auto b = bin_of(points_[k]);
      members_[index(b)].push_back(static_cast<int>(k));
    }
  }

  /// visit(k) for all points within the radius.
  template <class Visit>
  void within(const Place& x, double radius, Visit visit) const {
    std::array<int, 3> from, to;
    for (int i = 0; i < 3; ++i) {
      from[i] = std::clamp(static_cast<int>(std::floor((x[i] - radius - low_[i]) / size_)), 0, count_[i] - 1);
      to[i] = std::clamp(static_cast<int>(std::floor((x[i] + radius - low_[i]) / size_)), 0, count_[i] - 1);
    }
    for (int k = from[2]; k <= to[2]; ++k)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int i = from[0]; i <= to[0]; ++i)
          for (const int member : members_[index({i, j, k})])
            if (distance(points_[member], x) <= radius) visit(member);
  }

  /// The minimum of distance − offset[k]; `most` if it is not smaller.
  double nearest(const Place& x, const std::vector<double>& offset, double most) const {
    double best = most;
    for (double radius = 2 * size_;; radius *= 2) {
      within(x, radius, [&](int k) { best = std::min(best, distance(points_[k], x) - offset[k]); });
      if (best <= radius - size_ || radius > most + 2 * size_) return best;
    }
  }

 private:
  std::array<int, 3> bin_of(const Place& x) const {
    std::array<int, 3> b;
    for (int i = 0; i < 3; ++i) b[i] = std::clamp(static_cast<int>((x[i] - low_[i]) / size_), 0, count_[i] - 1);
    return b;
  }
  std::size_t index(const std::array<int, 3>& b) const { return (std::size_t(b[2]) * count_[1] + b[1]) * count_[0] + b[0]; }

  std::vector<Place> points_;
  double size_;
  Place low_{};
  std::array<int, 3> count_{};
  std::vector<std::vector<int>> members_;
};

/// The whole body as points, replicated on every rank.
struct Body {
  std::vector<Place> cells, centres, outside;  // centres of its cells; candidate centres of balls; points outside the body
  std::vector<double> volume, half;            // of its cells; of points outside: their half extents
  double size = 0, diameter = 0;               // of a typical cell; of the whole body
};

Place node_at(const Mesh& mesh, int node) {
  Place x{};
  for (int i = 0; i < mesh.dim; ++i) x[i] = mesh.coordinates[std::size_t(node) * mesh.dim + i];
  return x;
}

template <class Nodes>
Place mean(const Mesh& mesh, const Nodes& nodes, int count) {
  Place x{};
  for (int a = 0; a < count; ++a) {
    const Place y = node_at(mesh, nodes[a]);
    for (int i = 0; i < 3; ++i) x[i] += y[i] / count;
  }
  return x;
}

Body gather(const Mesh& mesh, const std::vector<double>& density, const std::vector<char>& mirrored, const std::vector<double>& volumes) {
  std::vector<double> mine, corners, walls;  // x, y, z, volume, solid; x, y, z; x, y, z
  std::size_t first = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type), v = vertex_count(block.type.shape);
    for (int c = 0; c < block.n_owned; ++c) {
      const int* nodes = &block.nodes[std::size_t(c) * n];
      const Place x = mean(mesh, nodes, v);
      const bool solid = density[first + c] > 0.5;
      mine.insert(mine.end(), {x[0], x[1], x[2], volumes[first + c], solid ? 1.0 : 0.0});
      for (int a = 0; a < v && solid; ++a) {
        const Place y = node_at(mesh, nodes[a]);
        corners.insert(corners.end(), y.begin(), y.end());
      }
    }
    first += block.count();
  }
  for (const BoundaryFacet& f : boundary_facets(mesh)) {
    const bool held = std::ranges::all_of(f.nodes, [&](int node) { return mirrored[node] != 0; });
    if (!f.exterior || held) continue;
    // those of two ranks are counted twice, which has no effect
    const Place x = mean(mesh, f.nodes, static_cast<int>(f.nodes.size()));
    walls.insert(walls.end(), x.begin(), x.end());
    for (const int node : f.nodes) {
      const Place y = node_at(mesh, node);
      walls.insert(walls.end(), y.begin(), y.end());
    }
  }
  mine = all_gather(mine, MPI_DOUBLE, mesh.comm);
  corners = all_gather(corners, MPI_DOUBLE, mesh.comm);
  walls = all_gather(walls, MPI_DOUBLE, mesh.comm);
  Body body;
  Place low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  double total = 0;
  for (std::size_t i = 0; i < mine.size(); i += 5) {
    const Place x{mine[i], mine[i + 1], mine[i + 2]};
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
    total += mine[i + 3];
    if (mine[i + 4] != 0) {
      body.cells.push_back(x);
      body.volume.push_back(mine[i + 3]);
    } else {
      body.outside.push_back(x);
      body.half.push_back(0.5 * std::pow(mine[i + 3], 1.0 / mesh.dim));
    }
  }
  body.size = std::pow(total / std::max<std::size_t>(mine.size() / 5, 1), 1.0 / mesh.dim);
  body.diameter = mine.empty() ? 0 : distance(low, high) + 2 * body.size;
  for (std::size_t i = 0; i < walls.size(); i += 3) {
    body.outside.push_back({walls[i], walls[i + 1], walls[i + 2]});
    body.half.push_back(0);
  }
  body.centres = body.cells;
  std::vector<Place> vertices;
  for (std::size_t i = 0; i < corners.size(); i += 3) vertices.push_back({corners[i], corners[i + 1], corners[i + 2]});
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  body.centres.insert(body.centres.end(), vertices.begin(), vertices.end());
  return body;
}

}  // namespace

MemberSizes member_sizes(const Mesh& mesh, const std::vector<double>& density, const std::vector<double>& volumes, const std::vector<char>& mirrored) {
  const Body body = gather(mesh, density, mirrored, volumes);
  if (body.cells.empty()) return {};
  const PointBins outside(body.outside, body.size), cells(body.cells, body.size);
  const PointBins centres(body.centres, body.size);
  std::vector<double> radius(body.centres.size());
  for (std::size_t k = 0; k < radius.size(); ++k) radius[k] = outside.nearest(body.centres[k], body.half, body.diameter);
  std::vector<double> thickness(body.cells.size(), 0.0);
  for (std::size_t k = 0; k < radius.size(); ++k) {
    bool within_another = radius[k] <= 0;
    centres.within(body.centres[k], 2 * body.size, [&](int other) {
      const double apart = distance(body.centres[k], body.centres[other]);
      within_another |= apart > 0 && radius[other] >= radius[k] + apart * (1 - 1e-9);
    });
    if (within_another) continue;
    cells.within(body.centres[k], radius[k] * (1 + 1e-9), [&](int c) { thickness[c] = std::max(thickness[c], 2 * radius[k]); });
  }
  std::vector<std::pair<double, double>> thinnest;  // thickness, volume
  MemberSizes sizes;
  for (std::size_t c = 0; c < thickness.size(); ++c) {
    thinnest.emplace_back(thickness[c], body.volume[c]);
    sizes.volume += body.volume[c];
  }
  std::ranges::sort(thinnest);
  const auto quantile = [&](double share) {
    double below = 0;
    for (const auto& [t, v] : thinnest)
      if ((below += v) > share * sizes.volume) return t;
    return thinnest.back().first;
  };
  sizes.least = quantile(0.01);
  sizes.median = quantile(0.5);
  return sizes;
}

}  // namespace invar
