#include "libfem/design/geometry/sampled_surface.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// The points of a regular grid on a reference facet and the pieces between them.
struct Pattern {
  std::vector<double> N;                   // [points × nodes] shape functions
  std::vector<std::vector<int>> weights;   // [points][vertices], barycentric weights times m²
  std::vector<std::array<int, 3>> pieces;  // positions of points
};

Pattern pattern_of(CellType type, int m) {
  const bool segment = type.shape == Shape::segment, triangle = type.shape == Shape::triangle;
  Pattern pattern;
  std::map<std::array<int, 2>, int> at;
  for (int j = 0; j <= (segment ? 0 : m); ++j)
    for (int i = 0; i <= (triangle ? m - j : m); ++i) {
      at[{i, j}] = static_cast<int>(pattern.weights.size());
      if (segment)
        pattern.weights.push_back({m * (m - i), m * i});
      else if (triangle)
        pattern.weights.push_back({m * (m - i - j), m * i, m * j});
      else
        pattern.weights.push_back({(m - i) * (m - j), i * (m - j), i * j, (m - i) * j});
      const double xi[2] = {static_cast<double>(i) / m, static_cast<double>(j) / m};
      std::vector<double> N(node_count(type));
      shape_values(type, xi, N.data());
      pattern.N.insert(pattern.N.end(), N.begin(), N.end());
    }
  for (const auto& [place, point] : at) {
    const auto [i, j] = place;
    const auto neighbour = [&](int di, int dj) {
      const auto found = at.find({i + di, j + dj});
      return found == at.end() ? -1 : found->second;
    };
    const int right = neighbour(1, 0), up = neighbour(0, 1), across = neighbour(1, 1);
    if (segment && right >= 0) pattern.pieces.push_back({point, right, -1});
    if (segment) continue;
    if (right >= 0 && up >= 0) pattern.pieces.push_back({point, right, up});
    if (across >= 0) pattern.pieces.push_back({right, across, up});
  }
  return pattern;
}

/// Numbers points by their position on vertices and edges, so that adjacent facets share them.
class Numbering {
 public:
  /// The number of a point, and whether it is `next`, not seen before.
  std::pair<int, bool> number(const long long* vertices, const std::vector<int>& weights, int next) {
    const auto key = key_of(vertices, weights);
    if (!key) return {next, true};
    const auto [entry, fresh] = numbers_.try_emplace(*key, next);
    return {entry->second, fresh};
  }

 private:
  /// The vertices of the edge, ascending, and the weight of the first; a vertex alone has no second, −1.
  using Key = std::array<long long, 3>;
  /// None for points inside a facet, which are not shared.
  static std::optional<Key> key_of(const long long* vertices, const std::vector<int>& weights) {
    Key key{-1, -1, 0};
    int n = 0;
    for (std::size_t v = 0; v < weights.size(); ++v) {
      if (weights[v] == 0) continue;
      if (n == 2) return std::nullopt;
      if (n == 0 || vertices[v] < key[0])
        key = {vertices[v], key[0], weights[v]};
      else
        key[1] = vertices[v];
      ++n;
    }
    return key;
  }

  std::map<Key, int> numbers_;
};

}  // namespace

SampledSurface::SampledSurface(const std::vector<FacetGroup>& groups, int dim_, int parts) : dim(dim_), corners(dim_) {
  Numbering numbering;
  for (const FacetGroup& group : groups) {
    const Pattern pattern = pattern_of(group.type, group.type.order > 1 ? parts : 1);
    const std::size_t k = node_count(group.type);
    std::vector<int> number(pattern.weights.size());
    for (int e = 0; e < group.count(); ++e) {
      const double* x = &group.points[e * k * dim];
      for (std::size_t p = 0; p < number.size(); ++p) {
        bool fresh;
        std::tie(number[p], fresh) =
            numbering.number(&group.nodes[e * k], pattern.weights[p], static_cast<int>(points.size()));
        if (!fresh) continue;
        auto& point = points.emplace_back(std::array<double, 3>{});
        for (std::size_t a = 0; a < k; ++a)
          for (int d = 0; d < dim; ++d) point[d] += pattern.N[p * k + a] * x[a * dim + d];
      }
      for (const auto& [a, b, c] : pattern.pieces) pieces.push_back({number[a], number[b], c < 0 ? -1 : number[c]});
    }
  }
}

}  // namespace invar
