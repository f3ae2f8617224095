#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

// Closest features of two segments, or of a point and a triangle, and the shortest vector between them (up to rounding). Degenerate
// segments and triangles are treated as points and segments.

/// The closest part of a segment: one of its ends, or its interior.
enum class OnSegment : signed char { start = 0, end = 1, inside = 2 };

/// Closest part of the segment y0 … y0 + e to the point x; r = x − y0. Within 10⁻¹² of its length from an end it is that end, so
/// that segments with a common end give the same result despite rounding.
template <int D>
INVAR_INLINE OnSegment closest_on_segment(const Vector<double, D>& r, const Vector<double, D>& e) {
  const double along = dot(r, e), square = dot(e, e), close = 1e-12 * square;
  if (!(along > close)) return OnSegment::start;
  return along < square - close ? OnSegment::inside : OnSegment::end;
}

/// w without its component along e. Taken twice, as the first difference leaves round-off of the size of w along e: if little else remains, it would turn
/// the result by a large angle.
template <int D>
INVAR_INLINE Vector<double, D> perpendicular_part(const Vector<double, D>& w, const Vector<double, D>& e) {
  const double square = dot(e, e);
  const Vector<double, D> once = w - e * (dot(w, e) / square);
  return once - e * (dot(once, e) / square);
}

/// Vector from the closest point of the segment y0 … y0 + e to the point x; r = x − y0.
template <int D>
INVAR_INLINE Vector<double, D> way_to_segment(const Vector<double, D>& r, const Vector<double, D>& e) {
  const double along = dot(r, e), square = dot(e, e);
  if (!(along > 0)) return r;
  return along < square ? perpendicular_part(r, e) : r - e;
}

/// Whether the foot of a point on the plane of a triangle y0, y0 + e, y0 + f lies strictly inside the triangle;
/// r = x − y0.
INVAR_INLINE bool foot_in_triangle(const Vector<double, 3>& r, const Vector<double, 3>& e, const Vector<double, 3>& f) {
  const Vector<double, 3> n = cross(e, f);
  const double square = dot(n, n), b0 = dot(cross(r, f), n), b1 = dot(cross(e, r), n);
  return b0 > 0 && b1 > 0 && b0 + b1 < square;
}

/// Vector from the closest point of the triangle y0, y0 + e, y0 + f to the point x; r = x − y0.
Vector<double, 3> way_to_triangle(const Vector<double, 3>& r, const Vector<double, 3>& e, const Vector<double, 3>& f);

/// Whether the closest points of two lines lie strictly inside both edges a0 … a0 + e, b0 … b0 + f; r = a0 − b0. False for edges that
/// are parallel to within 10⁻¹² rad: rounding, or a zero vector, takes the place of their normal, and `edge_edge_factor` is
/// below 10⁻²⁰ there.
INVAR_INLINE bool closest_inside_both(const Vector<double, 3>& r, const Vector<double, 3>& e,
                                      const Vector<double, 3>& f) {
  const Vector<double, 3> n = cross(e, f);
  const double square = dot(n, n), s = -dot(cross(r, f), n), t = -dot(cross(r, e), n);
  return square > 1e-24 * dot(e, e) * dot(f, f) && s > 0 && s < square && t > 0 && t < square;
}

/// Vector from the closest point of b0 … b0 + f to that of a0 … a0 + e; r = a0 − b0 (Ericson, Real-Time Collision Detection,
/// 5.1.9).
Vector<double, 3> way_between_edges(const Vector<double, 3>& r, const Vector<double, 3>& e, const Vector<double, 3>& f);

}  // namespace invar
