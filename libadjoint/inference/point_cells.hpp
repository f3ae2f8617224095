#pragma once
#include <array>
#include <span>
#include <vector>

namespace invar {

/// Points sorted into cubes, to visit those that are near each other.
class PointCells {
 public:
  /// points: [n × dim], dim ≤ 3; size: edge of the cubes, > 0.
  PointCells(std::span<const double> points, int dim, double size);

  /// Calls visit(i, j, distance) once for each pair with a distance of at most the cubes' size.
  template <class Visit>
  void for_pairs(Visit&& visit) const;

  /// [n] number of the cube of each point, and the number of cubes.
  std::vector<int> cube_of_points() const;
  int count() const { return static_cast<int>(cubes_.size()); }

 private:
  using Key = std::array<long long, 3>;
  struct Cube {
    Key key;
    int first;  // in order_
  };
  const Cube* find(const Key& key) const;
  int end_of(const Cube& c) const { return &c == &cubes_.back() ? static_cast<int>(order_.size()) : (&c)[1].first; }
  double distance(int i, int j) const;

  std::span<const double> points_;
  int dim_;
  double size_;
  std::vector<int> order_;   // points by cube
  std::vector<Cube> cubes_;  // ascending by key
};

/// Median of the distances of points from their nearest neighbours; 0 if there are fewer than two points or all coincide.
double neighbour_distance(std::span<const double> points, int dim);
/// Diagonal of the box about the points.
double box_diagonal(std::span<const double> points, int dim);

template <class Visit>
void PointCells::for_pairs(Visit&& visit) const {
  const auto near = [&](int i, int j) {
    if (const double h = distance(i, j); h <= size_) visit(i, j, h);
  };
  for (const Cube& c : cubes_) {
    const int end = end_of(c);
    for (int a = c.first; a < end; ++a)
      for (int b = a + 1; b < end; ++b) near(order_[a], order_[b]);
    for (int dx = 0; dx <= 1; ++dx)  // the half of the neighbours that follows
      for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz) {
          if (dx == 0 && (dy < 0 || (dy == 0 && dz <= 0))) continue;
          if ((dim_ < 3 && dz != 0) || (dim_ < 2 && dy != 0)) continue;
          const Cube* other = find({c.key[0] + dx, c.key[1] + dy, c.key[2] + dz});
          if (!other) continue;
          const int other_end = end_of(*other);
          for (int a = c.first; a < end; ++a)
            for (int b = other->first; b < other_end; ++b) near(order_[a], order_[b]);
        }
  }
}

}  // namespace invar
