#pragma once
#include "libfem/mesh/cell_type.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Metric of the reference cell, diagonal·I + coupling·11ᵀ, in which its edges have length 2. With it the metric G of a
/// cell, 4 over a squared length, does not depend on the numbering of its vertices. For triangles and tetrahedra, whose
/// reference cells have a right angle, it is that of the regular simplex.
struct ReferenceMetric {
  double diagonal = 4, coupling = 0;

  static constexpr ReferenceMetric of(Shape shape) {
    const bool simplex = shape == Shape::triangle || shape == Shape::tetrahedron;
    return simplex ? ReferenceMetric{2, 2} : ReferenceMetric{4, 0};
  }
};

/// G_ij = Σ ∂ξ_m/∂x_i M_mn ∂ξ_n/∂x_j, 1/m²
template <class T, int Dim>
INVAR_HD Matrix<T, Dim, Dim> element_metric(const Matrix<T, Dim, Dim>& A, const ReferenceMetric& M) {
  const Matrix<T, Dim, Dim> B = inverse(A);
  Matrix<T, Dim, Dim> G = matmul(transpose(B), B) * M.diagonal;
  Vector<T, Dim> sum;  // over the reference directions
  for (int i = 0; i < Dim; ++i) {
    sum[i] = B(0, i);
    for (int m = 1; m < Dim; ++m) sum[i] += B(m, i);
  }
  G += outer(sum, sum) * M.coupling;
  return G;
}

/// What the residuals of momentum and mass are multiplied by in stabilised flow:
///   τ_M = (ρ² u·G u + C μ² G:G + α²)^(−1/2)   [m³ s/kg]
///   τ_C = 1/(τ_M tr G)                        [Pa s]
/// after Bazilevs, Calo, Cottrell, Hughes, Reali, Scovazzi, Comput. Methods Appl. Mech. Engrg. 197 (2007),
/// eqs. 63 and 64, both with the density (τ_M over ρ, τ_C times ρ), steady, with the Brinkman resistance
/// α as the reaction. C = 36 suits first order. Without convection u·G u is left out.
template <class R>
struct StabilisationParameters {
  R momentum, continuity;

  template <class T, class Tg, class Tr, class Tp, int Dim>
  INVAR_HD StabilisationParameters(const Vector<T, Dim>& u, const Matrix<Tg, Dim, Dim>& G, const Tp& density,
                                   const Tr& viscosity, const Tp& resistance, bool convection) {
    constexpr double inverse_constant = 36;  // C
    R sum = inverse_constant * (viscosity * viscosity) * inner(G, G) + resistance * resistance;
    if (convection) sum += density * density * dot(u, G * u);
    const R root = sqrt(sum);
    momentum = 1.0 / root;
    continuity = root / trace(G);
  }
};

}  // namespace invar
