#pragma once
#include <memory>
#include <vector>

#include "libfem/design/geometry/airfoil_chord.hpp"
#include "libfem/design/boundary/linear_boundary_map.hpp"

namespace invar {

struct HicksHenneOptions {
  int upper_bumps = 8, lower_bumps = 8;  // peaks at k / (bumps + 1) of the chord, k = 1 …
  double width = 3;                      // the exponent t: larger is narrower
};

/// Bumps on the sides of an airfoil (R. M. Hicks and P. A. Henne, J. Aircraft 15, 1978):
///   w = θ_k sin^t(π ψ^m),   m = ln ½ / ln ψ_k,
/// along the chord's normal, positive upwards on both sides; θ_k is the displacement [m] at the peak ψ_k. Points at the
/// edges or beyond are fixed. The side of a point is that of the chord on which it lies. Names: upper_1 …, lower_1 …,
/// from the leading edge. points: [n × dim], m. Throws std::invalid_argument without bumps or for a width that is not
/// positive.
std::unique_ptr<LinearBoundaryMap> make_hicks_henne_map(const std::vector<double>& points, int dim,
                                                        const AirfoilChord& chord,
                                                        const HicksHenneOptions& options = {});

}  // namespace invar
