#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"

namespace invar {

/// Quadrature points and positive weights on a reference cell; the sum of the weights is its measure.
struct Quadrature {
  std::vector<double> points;   // [n × dimension], reference coordinates
  std::vector<double> weights;  // [n]
  int count() const { return static_cast<int>(weights.size()); }
};

/// A rule that is exact for polynomials of total degree ≤ `degree` (on segments, quadrilaterals and hexahedra of that
/// degree per direction). Symmetric rules for triangles to degree 8 (Dunavant 1985) and tetrahedra to degree 6 (Hammer
/// and Stroud 1956; Witherden and Vincent 2015; Walkington 2000; degrees 4 and 6: Keast 1986); beyond, collapsed
/// Gauss–Jacobi rules of any degree (Stroud 1971). Points are inside the cell, except for degree 4 on tetrahedra, where
/// six of the 14 points are edge midpoints; this rule has smaller errors for hyperelastic solids than the 14 points of
/// degree 5. Throws std::invalid_argument for a negative degree.
Quadrature quadrature(Shape shape, int degree);

/// The nodes of a Lagrange element as points, with positive weights |cell| ∫ N_a² / Σ_b ∫ N_b²: a mass matrix with this rule is
/// diagonal. Exact for linear functions, on tensor elements for cubic ones in each direction where the order is 2 (E. Hinton, T. Rock,
/// O. C. Zienkiewicz, A note on mass lumping and related processes in the finite element method, Earthquake Eng. Struct. Dyn. 4, 1976).
Quadrature nodal_quadrature(CellType type);

}  // namespace invar
