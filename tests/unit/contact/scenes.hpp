#pragma once
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "libfem/contact/contact_surface.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar::test {

/// Facets and their nodes, made by formulas.
struct ContactScene {
  ContactFacets facets;
  std::vector<double> X;

  explicit ContactScene(int dim) { facets.dim = dim; }
  int n_nodes() const { return static_cast<int>(X.size()) / facets.dim; }
  ContactSurface surface(std::array<int, 2> divisions) const {
    return make_contact_surface(facets, X.data(), divisions);
  }
};

/// place(ξ): where the curve is at 0 ≤ ξ ≤ 1. n segments.
inline void add_curve(ContactScene& scene, int side, int n, int order, bool closed,
                      const std::function<std::array<double, 2>(double)>& place) {
  CellBlock block{{Shape::segment, order}, {}, n};
  const int first = scene.n_nodes(), points = closed ? n * order : n * order + 1;
  for (int i = 0; i < points; ++i) {
    const auto x = place(double(i) / (n * order));
    scene.X.insert(scene.X.end(), x.begin(), x.end());
  }
  for (int f = 0; f < n; ++f) {
    block.nodes.push_back(first + f * order);
    block.nodes.push_back(first + (f + 1) * order % points);
    if (order == 2) block.nodes.push_back(first + f * order + 1);
  }
  scene.facets.sides[side].push_back(block);
}

/// The points of a straight line through corners, equally many facets on each.
inline std::function<std::array<double, 2>(double)> through(std::vector<std::array<double, 2>> corners) {
  return [corners](double xi) {
    const double at = xi * static_cast<double>(corners.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), corners.size() - 2);
    const double t = at - static_cast<double>(k);
    return std::array{corners[k][0] * (1 - t) + corners[k + 1][0] * t, corners[k][1] * (1 - t) + corners[k + 1][1] * t};
  };
}

inline std::array<double, 2> on_circle(double xi) {
  return {std::cos(2 * std::numbers::pi * xi), std::sin(2 * std::numbers::pi * xi)};
}

/// n × m cells of a map of the unit square, twice as many triangles.
inline void add_patch(ContactScene& scene, int side, int n, int m, CellType type,
                      const std::function<std::array<double, 3>(double, double)>& place) {
  const Mesh square = make_rectangle(0, 0, 1, 1, n, m, type.shape, type.order);
  CellBlock block = square.cells[0];
  for (int& node : block.nodes) node += scene.n_nodes();
  for (int i = 0; i < square.node_total(); ++i) {
    const auto x = place(square.coordinates[2 * i], square.coordinates[2 * i + 1]);
    scene.X.insert(scene.X.end(), x.begin(), x.end());
  }
  scene.facets.sides[side].push_back(block);
}

/// The skin of a mesh's region.
inline ContactScene skin_of(const Mesh& mesh, const std::vector<std::string>& first,
                            const std::vector<std::string>& second = {}) {
  ContactScene scene(mesh.dim);
  scene.facets = facets_of_regions(mesh, first, second);
  scene.X = mesh.coordinates;
  return scene;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low = -1, double high = 1) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  template <int D>
  Vector<double, D> vector(double size = 1) {
    Vector<double, D> v;
    for (int d = 0; d < D; ++d) v[d] = size * (*this)();
    return v;
  }

 private:
  std::mt19937 engine_;
};

/// Two crumpled patches that nearly touch: both sides of a pair, or (self) one side that may touch itself.
inline ContactScene crumpled(int dim, bool self, unsigned seed, double height) {
  Random random(seed);
  ContactScene scene(dim);
  for (int layer = 0; layer < 2; ++layer) {
    const int side = self ? 0 : layer;
    if (dim == 2) {
      add_curve(scene, side, 40, 1, false, [&](double xi) {
        return std::array{xi + 0.02 * random(), layer * height + 0.5 * height * random()};
      });
    } else {
      add_patch(scene, side, 7, 6 + layer, {Shape::triangle, 1}, [&](double x, double y) {
        return std::array{x + 0.06 * random(), y + 0.06 * random(), layer * height + 0.5 * height * random()};
      });
    }
  }
  return scene;
}

}  // namespace invar::test
