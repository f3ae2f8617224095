#pragma once
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar::test {

/// Moves every node: x is replaced in place.
inline Mesh warped(Mesh mesh, const std::function<void(double* x)>& map) {
  for (int n = 0; n < mesh.node_total(); ++n) map(&mesh.coordinates[std::size_t(n) * mesh.dim]);
  return mesh;
}

inline const std::vector<std::string>& sides(int dim) {
  static const std::vector<std::string> names[] = {{"left", "right", "bottom", "top"},
                                                   {"left", "right", "bottom", "top", "back", "front"}};
  return names[dim - 2];
}

/// Unit square or cube, 3 (2) cells per side, cells distorted inside while the boundary stays.
/// Second order: straight cells or, where `curved`, curved ones.
inline Mesh distorted_block(Shape shape, int order, bool curved = false) {
  const int dim = dimension_of(shape);
  const auto make = [&](int k) {
    return dim == 2 ? make_rectangle(0, 0, 1, 1, 3, 3, shape, k) : make_box({0, 0, 0}, {1, 1, 1}, {3, 2, 2}, shape, k);
  };
  const auto bump = [dim](double* x) {
    double b = 1;
    for (int i = 0; i < dim; ++i) b *= std::sin(std::numbers::pi * x[i]);
    for (int i = 0; i < dim; ++i) x[i] += (0.08 - 0.05 * i) * b;
  };
  if (order == 2 && curved) return warped(make(2), bump);
  const Mesh mesh = warped(make(1), bump);
  return order == 2 ? to_second_order(mesh) : mesh;
}

/// Quarter of a ring between two curves given by angle, of n_r × n_t cells; exact at the nodes.
/// Regions: left (inner), right (outer), bottom (θ = 0), top (θ = π/2). `distortion`: of the cells inside.
inline Mesh quarter_ring(double inner_x, double inner_y, double outer_x, double outer_y, int n_r, int n_t, Shape shape,
                         int order, double distortion = 0) {
  return warped(make_rectangle(0, 0, 1, 1, n_r, n_t, shape, order), [=](double* x) {
    const double bump = distortion * std::sin(std::numbers::pi * x[0]) * std::sin(std::numbers::pi * x[1]);
    const double s = x[0] + bump, angle = (x[1] - 0.7 * bump) * std::numbers::pi / 2;
    const double c = std::cos(angle), d = std::sin(angle);
    x[0] = ((1 - s) * inner_x + s * outer_x) * c;
    x[1] = ((1 - s) * inner_y + s * outer_y) * d;
  });
}

/// The rectangle's mesh of quadrilaterals, every second of which is split into two triangles: two
/// blocks of cells.
inline Mesh mixed_rectangle(int nx, int ny, int order) {
  Mesh mesh = make_rectangle(0, 0, 1, 1, nx, ny, Shape::quadrilateral);
  CellBlock quads{{Shape::quadrilateral, 1}, {}, 0}, triangles{{Shape::triangle, 1}, {}, 0};
  const std::vector<int>& all = mesh.cells[0].nodes;
  for (int c = 0; c < mesh.cells[0].count(); ++c) {
    const int* v = &all[4 * c];
    if ((c % nx + c / nx) % 2 == 0) quads.nodes.insert(quads.nodes.end(), v, v + 4);
    else triangles.nodes.insert(triangles.nodes.end(), {v[0], v[1], v[2], v[0], v[2], v[3]});
  }
  mesh.cells = {triangles, quads};
  for (Region& r : mesh.regions)
    if (r.dim == 2) {
      r.members.assign(2, {});
      for (int b = 0; b < 2; ++b)
        for (int c = 0; c < mesh.cells[b].count(); ++c) r.members[b].push_back(c);
    }
  complete_serial(mesh);
  return order == 2 ? to_second_order(mesh) : mesh;
}

}  // namespace invar::test
