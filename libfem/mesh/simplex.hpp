#pragma once
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Whether the shape has barycentric coordinates; other shapes are products of segments.
inline bool is_simplex(Shape shape) { return shape == Shape::triangle || shape == Shape::tetrahedron; }

}  // namespace invar
