#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libfem/design/geometry/airfoil_chord.hpp"
#include "libfem/design/boundary/linear_boundary_map.hpp"

namespace invar {

struct CstOptions {
  int upper_coefficients = 6, lower_coefficients = 6;  // A₀ … A_n per side
  /// What the trailing edge does: it stays; it goes up and down as one; or its two corners go by
  /// themselves, which changes the thickness of a blunt edge.
  enum class TrailingEdge { fixed, moved, opened };
  TrailingEdge trailing_edge = TrailingEdge::fixed;
  /// Of an edge that opens: distances [m] of its lower and upper corner from the chord, along the
  /// normal. Points of the base between them move linearly from the one to the other.
  std::array<double, 2> base{};
};

/// Changes of an airfoil by class and shape functions (B. M. Kulfan, J. Aircraft 45, 2008):
///   w / c = √ψ (1 − ψ) Σ_i A_i S_i(ψ) + ψ ζ,   S_i Bernstein's polynomials, c the chord [m],
/// along the chord's normal, positive up on both sides. The numbers are changes of the coefficients
/// A_i and of the trailing edge ζ, without units. The leading edge stays, and without ζ the trailing
/// one. A point's side is that of the chord on which it lies.
/// Names: upper_0 …, lower_0 …, then trailing_edge, or upper_trailing_edge and lower_trailing_edge.
/// points: [n × dim], m. Throws std::invalid_argument without coefficients, or where an edge without
/// thickness shall open.
std::unique_ptr<LinearBoundaryMap> make_cst_map(const std::vector<double>& points, int dim, const AirfoilChord& chord,
                                                const CstOptions& options = {});

}  // namespace invar
