#pragma once
#include <array>
#include <string>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Structured mesh of [x0, x1] × [y0, y1], m, with nx × ny quadrilaterals or twice as many triangles
/// (Shape::quadrilateral or Shape::triangle), of first or second order. Regions: the cells `body`, the facets left,
/// right (x), bottom, top (y), the corners left_bottom, right_bottom, left_top, right_top. Throws std::invalid_argument
/// if the box is empty or the shape is not 2-D.
Mesh make_rectangle(double x0, double y0, double x1, double y1, int nx, int ny, Shape shape,
                    int order = 1, const std::string& body = "body");

/// Structured mesh of the box low … high, m, with n[0] × n[1] × n[2] hexahedra or six times as many
/// tetrahedra. Regions: as above with the facets back (low z) and front (high z); the eight corners
/// are left_bottom_back … right_top_front, the nodes of the twelve edges left_bottom, left_back … top_front.
Mesh make_box(std::array<double, 3> low, std::array<double, 3> high, std::array<int, 3> n,
              Shape shape, int order = 1, const std::string& body = "body");

}  // namespace invar
