#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

// Distances between points, lines and planes [m], as functions of differences of positions: r from the first point of the second
// feature to that of the first, e and f along edges. Smooth for nonzero distances and nondegenerate lines and planes; no branches.
// T: numbers, duals of any depth, packs. closest_feature.hpp selects the distance of two features.

/// |r|
template <class T, int D>
INVAR_INLINE T point_point_distance(const Vector<T, D>& r) {
  return norm(r);
}

/// Distance of a point from the line through y0 and y0 + e; r = x − y0.
template <class T, int D>
INVAR_INLINE T point_line_distance(const Vector<T, D>& r, const Vector<T, D>& e) {
  static_assert(D == 2 || D == 3);
  if constexpr (D == 2)
    return abs(T(r[0] * e[1] - r[1] * e[0])) / norm(e);
  else
    return norm(cross(r, e)) / norm(e);
}

/// Distance of a point from the plane through y0, y0 + e and y0 + f; r = x − y0.
template <class T>
INVAR_INLINE T point_plane_distance(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f) {
  const Vector<T, 3> n = cross(e, f);
  return abs(T(dot(r, n))) / norm(n);
}

/// Distance of the lines a0 + s e and b0 + t f, which must not be parallel; r = a0 − b0.
template <class T>
INVAR_INLINE T line_line_distance(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f) {
  return point_plane_distance(r, e, f);
}

/// The closest point of the line: y0 + β e.
template <class T, int D>
INVAR_INLINE T line_coordinate(const Vector<T, D>& r, const Vector<T, D>& e) {
  return dot(r, e) / dot(e, e);
}

/// The closest point of the plane: y0 + β₀ e + β₁ f.
template <class T>
INVAR_INLINE Vector<T, 2> plane_coordinates(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f) {
  const Vector<T, 3> n = cross(e, f);
  const T square = dot(n, n);
  return {dot(cross(r, f), n) / square, dot(cross(e, r), n) / square};
}

/// The closest points of two lines: a0 + β₀ e and b0 + β₁ f; r = a0 − b0.
template <class T>
INVAR_INLINE Vector<T, 2> line_line_coordinates(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f) {
  const Vector<T, 3> n = cross(e, f);
  const T square = dot(n, n);
  return {-dot(cross(r, f), n) / square, -dot(cross(r, e), n) / square};
}

namespace detail {

constexpr double sine_of_parallel = 0.17364817766693036;  // 10°

/// Rises from 0 at y = 0 to 1 at y = 1, y³ (4 − 3 y) with y = 4 s (1 − s): 0 at both ends of an edge and beyond, 1 in the middle.
template <class T>
INVAR_INLINE T fade_to_ends(const T& s) {
  const T y = 4 * s * (1 - s);
  return select(y < 0, T(0.0), T(y * y * y * (4 - 3 * y)));
}
template <class T>
INVAR_INLINE T fade_to_ends_slope(const T& s) {
  const T y = 4 * s * (1 - s);
  return select(y < 0, T(0.0), T(48 * y * y * (1 - y) * (1 - 2 * s)));
}

}  // namespace detail

/// Factor in [0, 1] of the barrier of two edges. It decreases to 0
///   where the edges become parallel: q² (6 − 8 q + 3 q²) with q = |e × f|²/(sin² 10° |E|² |F|²) < 1 (E, F: at rest),
///   where a closest point approaches an end of its edge: y³ (4 − 3 y) with y = 4 s (1 − s). There the vertex forms pairs with the
///   other edge and its pieces as a sample.
/// It is twice continuously differentiable, so that the tangent is continuous: between edges at a small angle θ, s changes by r/(θ |e|), and a
/// jump of the second derivative is stiffer than all else there. Newton's method stalls on it. The published factor q (2 − q) has such
/// jumps at q = 1 and q = 0.
/// It is 0 if a closest point is outside its edge; active pairs of edges have theirs inside both.
template <class T>
INVAR_INLINE T edge_edge_factor(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f,
                                const Vector<T, 3>& E, const Vector<T, 3>& F) {
  constexpr double threshold = detail::sine_of_parallel * detail::sine_of_parallel;
  const Vector<T, 3> n = cross(e, f);
  const T square = dot(n, n), q = square / (dot(E, E) * dot(F, F) * threshold);
  const T s = -dot(cross(r, f), n) / square, t = -dot(cross(r, e), n) / square;
  return select(q < 1, T(q * q * (6 - q * (8 - 3 * q))), T(1.0)) * detail::fade_to_ends(s) * detail::fade_to_ends(t);
}

/// Its derivatives by r, e and f for constant E and F, written by hand because duals of duals would be slow here. Derivatives of s
/// and t follow from w·e = w·f = 0 for the vector w = r + s e − t f between the closest points. Returns the factor.
template <class T>
INVAR_INLINE T edge_edge_factor_gradient(const Vector<T, 3>& r, const Vector<T, 3>& e, const Vector<T, 3>& f,
                                         const Vector<T, 3>& E, const Vector<T, 3>& F, Vector<T, 3>& by_r,
                                         Vector<T, 3>& by_e, Vector<T, 3>& by_f) {
  const Vector<T, 3> n = cross(e, f);
  const T square = dot(n, n), inverse = 1 / square;
  const T threshold = dot(E, E) * dot(F, F) * (detail::sine_of_parallel * detail::sine_of_parallel);
  const T q = square / threshold;
  const T s = -dot(cross(r, f), n) * inverse, t = -dot(cross(r, e), n) * inverse;
  const T m = select(q < 1, T(q * q * (6 - q * (8 - 3 * q))), T(1.0)), fade_s = detail::fade_to_ends(s), fade_t = detail::fade_to_ends(t);
  const T by_square = select(q < 1, T(q * (1 - q) * (1 - q) * 24 / threshold), T(0.0)) * (fade_s * fade_t);
  const T by_s = m * fade_t * detail::fade_to_ends_slope(s), by_t = m * fade_s * detail::fade_to_ends_slope(t);
  const T ee = dot(e, e), ef = dot(e, f), ff = dot(f, f);
  const Vector<T, 3> w = r + e * s - f * t;
  const T along_e = (by_t * (-ef) - by_s * ff) * inverse;  // of by_s ∂s/∂r + by_t ∂t/∂r
  const T along_f = (by_s * ef + by_t * ee) * inverse;
  by_r = e * along_e + f * along_f;
  by_e = by_r * s + w * along_e + cross(f, n) * by_square;
  by_f = by_r * (-t) + w * along_f + cross(n, e) * by_square;
  return m * fade_s * fade_t;
}

}  // namespace invar
