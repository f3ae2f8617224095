#pragma once
#include "libfem/form/q_function.hpp"

namespace invar {

/// The energy of a mesh that is drawn along by its boundary, unknown w [m], the displacement of nodes:
///   Π(w) = ∫ c [½ (F:F − d) − ln J + ½ κ (ln J)²] dX,   F = I + ∂w/∂X,   J = det F
/// a neo-Hookean body (Bonet, Wood: Nonlinear Continuum Mechanics for Finite Element Analysis (2008),
/// section 6.4.3). It has no unit and no meaning beyond the places of the nodes; ln J keeps cells from
/// turning inside out however far the boundary moves. c is the stiffness of each cell against the others:
/// small cells that are stiffer keep their shape (Stein, Tezduyar, Benney, J. Appl. Mech. 70, 2003).
/// Coefficients: c, κ.
template <int Dim>
struct MeshElasticity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = gradient_slots<Dim, Dim>();
  static constexpr bool symmetric = true, uses_position = false;
  int n_coefficients() const { return 2; }

  template <class T, std::size_t N>
  INVAR_HD static T volume_ratio(const std::array<T, N>& z) {
    Matrix<T, Dim, Dim> F;
    for (int k = 0; k < Dim * Dim; ++k) F.entries[k] = z[k];
    for (int i = 0; i < Dim; ++i) F(i, i) += 1.0;
    return det(F);
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim * Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    Tz strain(0.0);  // F:F − d = 2 tr H + H:H
    for (int i = 0; i < Dim; ++i) strain += 2.0 * z[i * Dim + i];
    for (int k = 0; k < Dim * Dim; ++k) strain += z[k] * z[k];
    const Tz log_j = log(volume_ratio(z));
    const R w = p[0] * (0.5 * strain - log_j + 0.5 * p[1] * (log_j * log_j));
    return R(w * g.measure);
  }

  template <class T>
  INVAR_HD T admissibility(const std::array<T, Dim * Dim>& z, const PointGeometry<T, Dim, Dim>&) const {
    return volume_ratio(z);
  }
};

}  // namespace invar
