#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/second_order.hpp"

namespace invar::gradient_test {

using Curve = std::function<std::array<double, 2>(double t)>;  // t in [0, 1), counter-clockwise

/// What lies between two closed curves, in n_r × n_t quadrilaterals or twice as many triangles. Nodes lie
/// on the curves and on the straight lines between points of the same parameter, whatever the order. The
/// inner curve is region `body`; the facet of the outer one at t belongs to outer_region(t).
inline Mesh make_ring(const Curve& inner, const Curve& outer, const std::function<std::string(double t)>& outer_region,
                      int n_r, int n_t, Shape shape, int order) {
  const int rows = 2 * n_r + 1, columns = 2 * n_t;
  const auto node = [=](int i, int j) { return i * columns + j % columns; };
  Mesh mesh;
  mesh.dim = 2;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const double s = double(i) / (rows - 1), t = double(j) / columns;
      const auto a = inner(t), b = outer(t);
      for (int k = 0; k < 2; ++k) mesh.coordinates.push_back((1 - s) * a[k] + s * b[k]);
    }
  CellBlock cells{{shape, 2}, {}, 0}, facets{{Shape::segment, 2}, {}, 0};
  for (int i = 0; i < rows - 1; i += 2)
    for (int j = 0; j < columns; j += 2) {
      // r outward and t counter-clockwise: (r, t) is right-handed.
      const auto at = [&](int a, int b) { return node(i + a, j + b); };
      if (shape == Shape::quadrilateral)
        cells.nodes.insert(cells.nodes.end(), {at(0, 0), at(2, 0), at(2, 2), at(0, 2),  //
                                               at(1, 0), at(2, 1), at(1, 2), at(0, 1), at(1, 1)});
      else
        cells.nodes.insert(cells.nodes.end(), {at(0, 0), at(2, 0), at(2, 2), at(1, 0), at(2, 1), at(1, 1),  //
                                               at(0, 0), at(2, 2), at(0, 2), at(1, 1), at(1, 2), at(0, 1)});
    }
  const auto region = [&](const std::string& name) -> Region& {
    for (Region& r : mesh.regions)
      if (r.name == name) return r;
    mesh.regions.push_back({name, 1, {{}}, {}});
    return mesh.regions.back();
  };
  Region all{"fluid", 2, {{}}, {}};
  mesh.cells = {cells};
  for (int c = 0; c < mesh.cells[0].count(); ++c) all.members[0].push_back(c);
  for (int j = 0; j < columns; j += 2) {  // normals to the right: out of the fluid
    facets.nodes.insert(facets.nodes.end(), {node(0, j + 2), node(0, j), node(0, j + 1)});
    region("body").members[0].push_back(facets.count() - 1);
    facets.nodes.insert(facets.nodes.end(), {node(rows - 1, j), node(rows - 1, j + 2), node(rows - 1, j + 1)});
    region(outer_region((j + 1.0) / columns)).members[0].push_back(facets.count() - 1);
  }
  mesh.facets = {facets};
  mesh.regions.push_back(all);
  complete_serial(mesh);
  return order == 2 ? mesh : to_first_order(mesh);
}

/// An ellipse.
inline Curve ellipse(double x, double y, double a, double b, double turned = 0) {
  return [=](double t) {
    const double angle = (2 * t - 0.25) * std::numbers::pi, c = a * std::cos(angle), s = b * std::sin(angle);
    return std::array{x + std::cos(turned) * c - std::sin(turned) * s, y + std::sin(turned) * c + std::cos(turned) * s};
  };
}

/// The boundary of a rectangle from its lower right corner on; a quarter of t per side.
inline Curve rectangle(double x0, double y0, double x1, double y1) {
  return [=](double t) -> std::array<double, 2> {
    const int side = static_cast<int>(4 * t + 1e-12);
    const double s = 4 * t - side;
    switch (side) {
      case 0: return {x1, y0 + s * (y1 - y0)};
      case 1: return {x1 + s * (x0 - x1), y1};
      case 2: return {x0, y1 + s * (y0 - y1)};
      default: return {x0 + s * (x1 - x0), y0};
    }
  };
}

inline std::string channel_region(double t) {
  constexpr const char* names[] = {"outlet", "lid", "inlet", "floor"};
  return names[static_cast<int>(4 * t)];
}

/// The channel [1, 2.6] × [0, 1.4] around an ellipse, or the bent box [0.5, 1.7] × [0, 1] × [0, 0.9] whose
/// bottom is the `body` and whose front is the `floor`.
inline Mesh channel_mesh(CellType cell, int refinement) {
  if (dimension_of(cell.shape) == 2)
    return make_ring(ellipse(1.75, 0.65, 0.3, 0.22, 0.4), rectangle(1, 0, 2.6, 1.4), channel_region, refinement + 1,
                     8 * refinement, cell.shape, cell.order);
  Mesh mesh = make_box({0.5, 0, 0}, {1.7, 1, 0.9}, {refinement + 1, 2, 2}, cell.shape, cell.order);
  for (Region& r : mesh.regions) {
    constexpr const char* names[][2] = {{"body", "fluid"}, {"left", "inlet"}, {"right", "outlet"},
                                        {"bottom", "body"}, {"top", "lid"},   {"front", "floor"}};
    const auto* found = std::ranges::find_if(names, [&](const auto& pair) { return r.name == pair[0]; });
    if (found != std::end(names)) r.name = (*found)[1];
  }
  for (int n = 0; n < mesh.node_total(); ++n) {
    double* x = &mesh.coordinates[std::size_t(n) * 3];
    const double X = x[0], Y = x[1], Z = x[2];
    x[0] += 0.05 * std::sin(2.3 * Y + 0.4) + 0.03 * Z * Z;
    x[1] += 0.06 * std::cos(1.7 * X) * (1 + 0.5 * Z) + 0.04 * Y * Y;
    x[2] += 0.05 * std::sin(1.9 * X + 1.1 * Y);
  }
  return mesh;
}

}  // namespace invar::gradient_test
