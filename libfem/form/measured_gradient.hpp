#pragma once
#include "libfem/form/point_kernel.hpp"

namespace invar {

/// Whether a component's derivatives are read in all directions or none.
template <class Q>
constexpr bool reads_whole_gradients() {
  for (const Slot& s : Q::slots) {
    if (s.derivative < 0) continue;
    int found = 0;
    for (const Slot& t : Q::slots) found += t.component == s.component && t.level == s.level && t.derivative >= 0;
    if (found != Q::dim) return false;
  }
  return true;
}

/// Forms on cells whose flux and density are proportional to the measure of the geometry and read nothing else of it declare
/// `scales_with_measure = true`.
template <class Q>
concept ScalesWithMeasure = requires { requires Q::scales_with_measure; } && !Q::uses_position && Q::dim == Q::ref_dim && reads_whole_gradients<Q>();

/// Their ∂s/∂A of s = point_scalar<S>, the same as `geometry_gradient` by one direction of duals instead of one per entry of A: with
/// Eshelby's tensor E,
///   ∂s/∂A = E A⁻ᵀ,   E_ij = s δ_ij − Σ_c z_ci ∂s/∂z_cj + y_ci ∂s/∂y_cj
/// over the components c of the gradients z of the unknown and y of the multiplier. For symmetric forms.
template <PointScalar S, class Q, class B, class P>
INVAR_HD PointGeometry<B, Q::dim, Q::dim> measured_gradient(const Q& q, const SlotArray<Q, B>& z, const SlotArray<Q, B>& y,
                                                            const PointGeometry<B, Q::dim, Q::dim>& g,
                                                            const Matrix<B, Q::dim, Q::dim>& Ainv, const P* p) {
  static_assert(ScalesWithMeasure<Q> && Q::symmetric);
  constexpr int dim = Q::dim, n = slot_count<Q>;
  B s(0.0);
  SlotArray<Q, B> z_bar, y_bar;
  if constexpr (S == PointScalar::density) {
    s = q.density(z, g, p);
    z_bar = point_flux<Q, B, B, P>(q, z, g, p);
  } else {  // (∂flux/∂z)ᵀ y = (∂flux/∂z) y, and s = flux · y
    SlotArray<Q, Dual<B, 1>> along;
    for (int i = 0; i < n; ++i) {
      along[i].value = z[i];
      along[i].grad[0] = y[i];
    }
    const auto f = point_flux<Q, Dual<B, 1>, B, P>(q, along, g, p);
    for (int i = 0; i < n; ++i) {
      z_bar[i] = f[i].grad[0];
      y_bar[i] = f[i].value;
      s += y_bar[i] * y[i];
    }
  }
  Matrix<B, dim, dim> E;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) E(i, j) = i == j ? s : B(0.0);
  static_for<n>([&](auto a) {
    static_for<n>([&](auto b) {
      constexpr Slot i = Q::slots[a], j = Q::slots[b];
      if constexpr (i.component == j.component && i.level == j.level && i.derivative >= 0 && j.derivative >= 0) {
        E(i.derivative, j.derivative) -= z[a] * z_bar[b];
        if constexpr (S == PointScalar::work) E(i.derivative, j.derivative) -= y[a] * y_bar[b];
      }
    });
  });
  PointGeometry<B, dim, dim> g_bar{};
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k) {
      B v = E(i, 0) * Ainv(k, 0);
      for (int j = 1; j < dim; ++j) v += E(i, j) * Ainv(k, j);
      g_bar.A(i, k) = v;
    }
  return g_bar;
}

}  // namespace invar
