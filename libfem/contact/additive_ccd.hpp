#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

// Additive continuous collision detection (Li et al. 2021) with the motion bounded along the separating direction: if n is the
// shortest vector between two convex features, they cannot touch before the first root of the linear functions n·(a_i(t) − b_j(t))
// of their vertices. Steps of 0.9 of that time are repeated until they are shorter than 10⁻³ of the time reached. The result is
// never later than an impact, whatever the rounding of n. Points move on straight lines, x(t) = x + t v for 0 ≤ t ≤ until; x is
// relative to a nearby common origin, which preserves the precision of small gaps.
//
// Returns a time without impact, about 0.999 of the time of impact; `until` if there is no earlier impact; 0 if the features touch
// at the start.

/// Points {p; y0, y1}.
double point_segment_impact(const Vector<double, 2> (&x)[3], const Vector<double, 2> (&v)[3], double until);
/// Points {p; y0, y1, y2}.
double point_triangle_impact(const Vector<double, 3> (&x)[4], const Vector<double, 3> (&v)[4], double until);
/// Points {a0, a1; b0, b1}.
double edge_edge_impact(const Vector<double, 3> (&x)[4], const Vector<double, 3> (&v)[4], double until);

}  // namespace invar
