#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libfem/design/geometry/airfoil_chord.hpp"
#include "libfem/design/boundary/linear_boundary_map.hpp"

namespace invar {

struct CstOptions {
  int upper_coefficients = 6, lower_coefficients = 6;  // A₀ … A_n per side
  /// Motion of the trailing edge: none; of the whole edge along the normal; or of its two corners separately, which
  /// changes the thickness of a blunt edge.
  enum class TrailingEdge { fixed, moved, opened };
  TrailingEdge trailing_edge = TrailingEdge::fixed;
  /// For an opened edge: distances [m] of its lower and upper corner from the chord, along the normal. Points of the
  /// base in between move linearly.
  std::array<double, 2> base{};
};

/// Shape change of an airfoil by class and shape functions (B. M. Kulfan, J. Aircraft 45, 2008):
///   w / c = √ψ (1 − ψ) Σ_i A_i S_i(ψ) + ψ ζ,   S_i Bernstein polynomials, c the chord [m],
/// along the chord's normal, positive upwards on both sides. θ: dimensionless changes of the coefficients A_i and of
/// the trailing edge ζ. The leading edge is fixed, and without ζ the trailing edge. The side of a point is that of the
/// chord on which it lies. Names: upper_0 …, lower_0 …, then trailing_edge, or upper_trailing_edge and
/// lower_trailing_edge. points: [n × dim], m. Throws std::invalid_argument without coefficients, or if an edge without
/// thickness is to be opened.
std::unique_ptr<LinearBoundaryMap> make_cst_map(const std::vector<double>& points, int dim, const AirfoilChord& chord,
                                                const CstOptions& options = {});

}  // namespace invar
