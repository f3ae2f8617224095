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

/// Bumps on an airfoil's sides (R. M. Hicks and P. A. Henne, J. Aircraft 15, 1978):
///   w = θ_k sin^t(π ψ^m), m = ln ½ / ln ψ_k,
/// along the chord's normal, positive up on both sides; the number is the displacement [m] at the
/// peak ψ_k. Points at the edges or beyond stay. A point's side is that of the chord on which it
/// lies. Names: upper_1 …, lower_1 …, from the leading edge on.
/// points: [n × dim], m. Throws std::invalid_argument without bumps or with a width that is not positive.
std::unique_ptr<LinearBoundaryMap> make_hicks_henne_map(const std::vector<double>& points, int dim,
                                                        const AirfoilChord& chord,
                                                        const HicksHenneOptions& options = {});

}  // namespace invar
