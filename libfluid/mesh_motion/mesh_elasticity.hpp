#pragma once
#include "libfem/form/q_function.hpp"
#include "libfem/math/near_zero.hpp"

namespace invar {

/// Energy of an elastic mesh that follows its boundary, unknown w [m], the displacement of nodes:
///   Π(w) = ∫ c [½ (F:F − d) − ln J + ½ κ (ln J)²] dX,   F = I + ∂w/∂X,   J = det F
/// a neo-Hookean body (Bonet, Wood: Nonlinear Continuum Mechanics for Finite Element Analysis (2008), section 6.4.3).
/// It has no physical meaning; ln J keeps cells from inverting for any boundary motion. c is the relative stiffness of
/// each cell: stiffer small cells keep their shape (Stein, Tezduyar, Benney, J. Appl. Mech. 70, 2003). Coefficients: c,
/// κ.
/// With H = ∂w/∂X and j = J − 1, ½ (F:F − d) − ln J = ½ (F:F − d − 2 j) − (ln (1 + j) − j), where F:F − d − 2 j = 2 sym
/// H : sym H − (tr H)² − 2 det H (in 2-D without the last term, because − 2 det H is contained in the square).
template <int Dim>
struct MeshElasticity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = Dim;
  static constexpr std::array<int, Dim> basis{};
  static constexpr auto slots = gradient_slots<Dim, Dim>();
  static constexpr bool symmetric = true, uses_position = false;
  int n_coefficients() const { return 2; }

  template <class T, std::size_t N>
  INVAR_HD static Matrix<T, Dim, Dim> gradient(const std::array<T, N>& z) {
    Matrix<T, Dim, Dim> H;
    for (int k = 0; k < Dim * Dim; ++k) H.entries[k] = z[k];
    return H;
  }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim * Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const Matrix<Tz, Dim, Dim> H = gradient(z), e = sym(H);
    Tz strain = 2.0 * inner(e, e) - trace(e) * trace(e);
    if constexpr (Dim == 3) strain -= 2.0 * det(H);
    const Tz growth = det1pm1(H), log_j = log1p(growth);
    const R w = p[0] * (0.5 * strain - log1pmx(growth) + 0.5 * p[1] * (log_j * log_j));
    return R(w * g.measure);
  }

  template <class T>
  INVAR_HD T admissibility(const std::array<T, Dim * Dim>& z, const PointGeometry<T, Dim, Dim>&) const {
    return 1.0 + det1pm1(gradient(z));
  }
};

}  // namespace invar
