#include "libfem/mesh/contour_split.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "libfem/mesh/node_freedom.hpp"

namespace invar {
namespace {

constexpr double snap_reach = 0.5;       // of the least height at a node: how far a crossing may be to be taken
constexpr double least_left = 0.3;  // of the least height of a simplex, that moved nodes must leave

bool differ(double a, double b) { return (a > 0 && b < 0) || (a < 0 && b > 0); }

double length_of_edge(int dim, const double* x, int a, int b) {
  double sum = 0;
  for (int i = 0; i < dim; ++i) sum += (x[std::size_t(a) * dim + i] - x[std::size_t(b) * dim + i]) * (x[std::size_t(a) * dim + i] - x[std::size_t(b) * dim + i]);
  return std::sqrt(sum);
}

/// Moves nodes near the contour to it, or the contour to the node.
class ContourSnapping {
 public:
  ContourSnapping(const Mesh& mesh, const SimplexSplit& split, std::vector<double>& x, std::vector<double>& level)
      : dim_(mesh.dim), split_(split), x_(x), level_(level) {}

  void run(NodeFreedom& freedom) {
    find_candidates();
    const std::vector<double> before = x_;
    std::vector<char> moved(level_.size(), 0);
    const auto open = [&](const Candidate& c) { return level_[c.node] != 0 && level_[c.other] != 0; };
    for (const Candidate& c : candidates_) {
      if (!open(c) || !freedom.may_move(c.node, c.other)) continue;
      for (int i = 0; i < dim_; ++i) {
        double& x = x_[std::size_t(c.node) * dim_ + i];
        x += c.share * (before[std::size_t(c.other) * dim_ + i] - x);
      }
      level_[c.node] = 0;
      moved[c.node] = 1;
    }
    for (const Candidate& c : candidates_)
      if (open(c)) level_[c.node] = 0;
    take_back(before, moved);
  }

 private:
  struct Candidate {
    int node, other;
    double share, nearness;  // crossing at node + share (other − node); its distance over what is within reach
    auto key() const { return std::pair(nearness, std::pair(node, other)); }
  };

  void find_candidates() {
    std::vector<std::array<int, 2>> edges;
    std::vector<char> at_contour(level_.size(), 0);
    for (const Simplex& s : split_.cells)
      for (int i = 0; i <= dim_; ++i)
        for (int j = i + 1; j <= dim_; ++j)
          if (differ(level_[s[i]], level_[s[j]])) {
            edges.push_back({std::min(s[i], s[j]), std::max(s[i], s[j])});
            at_contour[s[i]] = at_contour[s[j]] = 1;
          }
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<double> height(level_.size(), INFINITY);
    for (const Simplex& s : split_.cells) {
      if (std::none_of(s.begin(), s.begin() + dim_ + 1, [&](int node) { return at_contour[node] != 0; })) continue;
      const double h = least_height(dim_, x_.data(), s);
      for (int k = 0; k <= dim_; ++k) height[s[k]] = std::min(height[s[k]], h);
    }
    for (const auto& [a, b] : edges)
      for (const auto& [node, other] : {std::pair(a, b), std::pair(b, a)}) {
        const double share = level_[node] / (level_[node] - level_[other]);
        const double nearness = share * length_of_edge(dim_, x_.data(), a, b) / (snap_reach * height[node]);
        if (nearness <= 1) candidates_.push_back({node, other, share, nearness});
      }
    std::ranges::sort(candidates_, {}, &Candidate::key);
  }

  /// Returns nodes whose simplices would become too flat; the contour still goes through them.
  void take_back(const std::vector<double>& before, std::vector<char>& moved) {
    for (bool again = true; std::exchange(again, false);)
      for (const Simplex& s : split_.cells) {
        if (std::none_of(s.begin(), s.begin() + dim_ + 1, [&](int node) { return moved[node] != 0; })) continue;
        if (least_height(dim_, x_.data(), s) >= least_left * least_height(dim_, before.data(), s)) continue;
        for (int k = 0; k <= dim_; ++k)
          if (std::exchange(moved[s[k]], 0)) {
            std::copy_n(&before[std::size_t(s[k]) * dim_], dim_, &x_[std::size_t(s[k]) * dim_]);
            again = true;
          }
      }
  }

  int dim_;
  const SimplexSplit& split_;
  std::vector<double>& x_;
  std::vector<double>& level_;
  std::vector<Candidate> candidates_;
};

/// Bisects simplices at the crossings of their edges.
class ContourCutting {
 public:
  ContourCutting(int dim, std::vector<double>& x, std::vector<double>& level) : dim_(dim), x_(x), level_(level) {}

  /// Calls leaf(part) for the parts of a simplex (N = 4) or of a side (N = 3), of `count` vertices.
  template <std::size_t N, class Leaf>
  void cut(const std::array<int, N>& s, int count, const Leaf& leaf) {
    int first = -1, second = -1;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (differ(level_[s[i]], level_[s[j]]) && (first < 0 || precedes(s[i], s[j], s[first], s[second]))) first = i, second = j;
    if (first < 0) return leaf(s);
    const int middle = crossing(s[first], s[second]);
    for (const int k : {second, first}) {
      std::array<int, N> part = s;
      part[k] = middle;
      cut(part, count, leaf);
    }
  }
  std::vector<std::array<int, 2>> edges;  // of the crossings

 private:
  static std::uint64_t key(int a, int b) { return std::uint64_t(std::min(a, b)) << 32 | std::uint64_t(std::max(a, b)); }
  /// The length of an edge is the same number wherever it is computed.
  bool precedes(int a, int b, int c, int d) const {
    const double one = length_of_edge(dim_, x_.data(), std::min(a, b), std::max(a, b)), other = length_of_edge(dim_, x_.data(), std::min(c, d), std::max(c, d));
    return one != other ? one > other : key(a, b) < key(c, d);
  }
  int crossing(int a, int b) {
    if (a > b) std::swap(a, b);
    const auto [entry, is_new] = known_.try_emplace(key(a, b), static_cast<int>(level_.size()));
    if (!is_new) return entry->second;
    const double t = level_[a] / (level_[a] - level_[b]);
    for (int i = 0; i < dim_; ++i) {
      const double from = x_[std::size_t(a) * dim_ + i];
      x_.push_back(from + t * (x_[std::size_t(b) * dim_ + i] - from));
    }
    level_.push_back(0);
    edges.push_back({a, b});
    return entry->second;
  }

  int dim_;
  std::vector<double>& x_;
  std::vector<double>& level_;
  std::unordered_map<std::uint64_t, int> known_;
};

}  // namespace

ContourSplit split_at_contour(const Mesh& serial, std::vector<double> level, std::span<const int> kind) {
  const int dim = serial.dim;
  const SimplexSplit whole = split_into_simplices(serial, level);
  const std::vector<double> given = level;
  ContourSplit split;
  split.coordinates = serial.coordinates;
  NodeFreedom freedom(serial, kind);
  ContourSnapping(serial, whole, split.coordinates, level).run(freedom);
  ContourCutting cutting(dim, split.coordinates, level);
  for (std::size_t k = 0; k < whole.cells.size(); ++k) {
    double mean = 0;  // decides where the contour goes through all vertices
    for (int i = 0; i <= dim; ++i) mean += given[whole.cells[k][i]];
    cutting.cut(whole.cells[k], dim + 1, [&](const Simplex& s) {
      double value = 0;
      for (int i = 0; i <= dim && value == 0; ++i) value = level[s[i]];
      split.cells.push_back(s);
      split.cell_parent.push_back(whole.cell_parent[k]);
      split.side.push_back((value != 0 ? value : mean) > 0 ? 1 : -1);
    });
  }
  for (std::size_t k = 0; k < whole.facets.size(); ++k)
    cutting.cut(whole.facets[k], dim, [&](const SimplexSide& s) {
      split.facets.push_back(s);
      split.facet_parent.push_back(whole.facet_parent[k]);
    });
  split.crossed_edges = std::move(cutting.edges);
  return split;
}

}  // namespace invar
