#pragma once
#include <algorithm>

#include "libfem/form/point_map.hpp"
#include "libfem/form/point_shape.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/math/static_for.hpp"

namespace invar {

/// Number of scalar bases among the unknown's components.
template <class Q>
inline constexpr int basis_count = 1 + *std::max_element(Q::basis.begin(), Q::basis.end());

/// Values and reference gradients at one point of a nodal field with N numbers per node: the unknown at the levels that Q reads
/// (trial), or a test function.
template <class Q, class B, int N = trial_count<Q>>
struct ReferenceValues {
  B value[N];
  B grad[N][Q::ref_dim > 0 ? Q::ref_dim : 1];
};

template <class Q, bool Derivative, int N>
constexpr bool is_read(int place) {
  for (const Slot& s : Q::slots)
    if (place_of<Q, N>(s) == place && (s.derivative >= 0) == Derivative) return true;
  return false;
}

/// Sums over the nodes of a cell: interpolation of nodal values to a point.
template <class Q, class B, int N>
class InterpolationSum {
 public:
  INVAR_HD InterpolationSum() {
    static_for<N>([&](auto c) {
      sum_.value[c] = B(0.0);
      for (B& d : sum_.grad[c]) d = B(0.0);
    });
  }
  /// Node with shape function N_a and derivatives dN [ref_dim] of scalar basis k, and nodal values row[component].
  template <int k, class Row>
  INVAR_INLINE void add(double N_a, const double* dN, const Row& row) {
    static_for<N>([&](auto c) {
      if constexpr (Q::basis[c % Q::n_components] == k) {
        if constexpr (is_read<Q, false, N>(c)) sum_.value[c] += N_a * row[c];
        if constexpr (is_read<Q, true, N>(c))
          for (int m = 0; m < Q::ref_dim; ++m) sum_.grad[c][m] += dN[m] * row[c];
      }
    });
  }
  INVAR_HD const ReferenceValues<Q, B, N>& values() const { return sum_; }

 private:
  ReferenceValues<Q, B, N> sum_;
};

/// Interpolates nodal[node][component] to the point.
template <class Q, class B, int N>
INVAR_SHARED ReferenceValues<Q, B, N> interpolate(const PointShape& shape, const B (*nodal)[N]) {
  InterpolationSum<Q, B, N> sum;
  static_for<basis_count<Q>>([&](auto k) {
    const PointBasis& basis = shape.unknown[k];
    for (int a = 0; a < basis.n_nodes; ++a) sum.template add<k>(basis.N[a], basis.dN + a * Q::ref_dim, nodal[a]);
  });
  return sum.values();
}

/// Adds the adjoint of reference values to component c of node a.
template <class Q, int c, class B, int N>
INVAR_INLINE void add_share(const PointBasis& basis, int a, const ReferenceValues<Q, B, N>& r, B& target) {
  if constexpr (is_read<Q, false, N>(c)) target += basis.N[a] * r.value[c];
  if constexpr (is_read<Q, true, N>(c))
    for (int m = 0; m < Q::ref_dim; ++m) target += basis.dN[a * Q::ref_dim + m] * r.grad[c][m];
}

/// Transpose of `interpolate`: distributes adjoints of reference values to the nodes.
template <class Q, class B, int N>
INVAR_SHARED void spread(const PointShape& shape, const ReferenceValues<Q, B, N>& r, B (*nodal)[N]) {
  static_for<N>([&](auto c) {
    const PointBasis& basis = shape.unknown[Q::basis[c % Q::n_components]];
    for (int a = 0; a < basis.n_nodes; ++a) add_share<Q, c>(basis, a, r, nodal[a][c]);
  });
}

/// Slot values from reference values; on cells gradients are mapped by A⁻¹.
template <class Q, class B, int N, class T>
INVAR_HD SlotArray<Q, PromotedOf<B, T>> slots_of(const ReferenceValues<Q, B, N>& r,
                                                 const Matrix<T, Q::ref_dim, Q::dim>& Ainv) {
  SlotArray<Q, PromotedOf<B, T>> z;
  static_for<slot_count<Q>>([&](auto s) {
    constexpr Slot slot = Q::slots[s];
    constexpr int c = place_of<Q, N>(slot);
    if constexpr (slot.derivative < 0) {
      z[s] = r.value[c];
    } else if constexpr (Q::ref_dim != Q::dim) {
      z[s] = r.grad[c][slot.derivative];
    } else {
      PromotedOf<B, T> sum = r.grad[c][0] * Ainv(0, slot.derivative);
      for (int m = 1; m < Q::ref_dim; ++m) sum += r.grad[c][m] * Ainv(m, slot.derivative);
      z[s] = sum;
    }
  });
  return z;
}

/// Transpose of `slots_of`: adjoints of slots to adjoints of reference values.
template <class Q, class B, int N = Q::n_components>
INVAR_HD ReferenceValues<Q, B, N> pull_back(const SlotArray<Q, B>& z_bar,
                                            const Matrix<B, Q::ref_dim, Q::dim>& Ainv) {
  ReferenceValues<Q, B, N> r;
  for (int c = 0; c < N; ++c) {
    r.value[c] = B(0.0);
    for (int m = 0; m < Q::ref_dim; ++m) r.grad[c][m] = B(0.0);
  }
  static_for<slot_count<Q>>([&](auto s) {
    constexpr Slot slot = Q::slots[s];
    constexpr int c = place_of<Q, N>(slot);
    if constexpr (slot.derivative < 0) r.value[c] += z_bar[s];
    else if constexpr (Q::ref_dim != Q::dim) r.grad[c][slot.derivative] += z_bar[s];
    else
      for (int m = 0; m < Q::ref_dim; ++m) r.grad[c][m] += z_bar[s] * Ainv(m, slot.derivative);
  });
  return r;
}

/// Geometry of the point from nodal coordinates; x only if Q uses it. And the transpose.
template <class Q, class B>
INVAR_HD PointGeometry<B, Q::dim, Q::ref_dim> geometry_of(const PointShape& shape, const B (*X)[Q::dim]) {
  return map_point<B, Q::dim, Q::ref_dim, Q::uses_position>(shape.geometry, X);
}

template <class Q, class B>
INVAR_HD void spread_geometry(const PointShape& shape, const PointGeometry<B, Q::dim, Q::ref_dim>& g_bar,
                              B (*X_bar)[Q::dim]) {
  spread_point<B, Q::dim, Q::ref_dim, Q::uses_position>(shape.geometry, g_bar, X_bar);
}

/// Data at a quadrature point.
template <class Q, class B>
struct PointState {
  PointGeometry<B, Q::dim, Q::ref_dim> geometry;
  Matrix<B, Q::ref_dim, Q::dim> Ainv;
  ReferenceValues<Q, B> u;
  SlotArray<Q, B> z;
};

/// Computes them from nodal coordinates [node][dim] and unknowns [node][trial_count].
template <class Q, class B>
INVAR_SHARED PointState<Q, B> point_state(const PointShape& shape, const B (*X)[Q::dim],
                                          const B (*U)[trial_count<Q>]) {
  PointState<Q, B> s;
  s.geometry = geometry_of<Q, B>(shape, X);
  s.Ainv = inverse_map(s.geometry.A);
  s.u = interpolate<Q>(shape, U);
  s.z = slots_of<Q>(s.u, s.Ainv);
  return s;
}

/// Flux and s = point_scalar<S> with duals for the unknown and the geometry. One compiled instance serves the second derivatives
/// with respect to both; separate instances would be a fifth of all code. For material laws, which are costly, the coefficients are
/// differentiated separately; otherwise they are duals here too.
template <class Q>
concept HasMaterial = requires(const Q& q) { q.material; };
template <class Q, class B>
inline constexpr bool is_one_for_all = carries_tangent<B> && !HasMaterial<Q>;
template <class Q, class D, class P>
INVAR_SHARED SlotArray<Q, D> flux_of_duals(const Q& q, const SlotArray<Q, D>& z,
                                           const PointGeometry<D, Q::dim, Q::ref_dim>& g, const P* p) {
  return q.flux(z, g, p);
}
template <PointScalar S, class Q, class D, class P>
INVAR_SHARED D scalar_of_duals(const Q& q, const SlotArray<Q, D>& z, const SlotArray<Q, D>& y,
                               const PointGeometry<D, Q::dim, Q::ref_dim>& g, const P* p, const scalar_of_t<D>* m) {
  if constexpr (S == PointScalar::work && HasFlux<Q>) {
    const auto f = flux_of_duals<Q, D, P>(q, z, g, p);
    D sum(0.0);
    for (int i = 0; i < slot_count<Q>; ++i) sum += f[i] * y[i];
    return sum;
  } else {
    return D(point_scalar<S, Q, D, D, D, P>(q, z, y, g, p, m));
  }
}
template <class D, class B, int Dim, int RefDim>
INVAR_HD PointGeometry<D, Dim, RefDim> passive(const PointGeometry<B, Dim, RefDim>& g) {
  PointGeometry<D, Dim, RefDim> r;
  for (int k = 0; k < Dim * RefDim; ++k) r.A.entries[k] = D(g.A.entries[k]);
  for (int i = 0; i < Dim; ++i) r.x[i] = D(g.x[i]);
  r.measure = D(g.measure);
  return r;
}

/// ∂s/∂z of s = point_scalar<S>, with y the slots of the multiplier.
template <PointScalar S, class Q, class B, class P>
INVAR_SHARED SlotArray<Q, B> slot_gradient(const Q& q, const SlotArray<Q, B>& z, const SlotArray<Q, B>& y,
                                           const PointGeometry<B, Q::dim, Q::ref_dim>& g, const P* p,
                                           const scalar_of_t<B>* m = nullptr) {
  constexpr int n = slot_count<Q>;
  constexpr bool directional = S == PointScalar::work && Q::symmetric && HasFlux<Q>;  // (∂flux/∂z)ᵀ y = (∂flux/∂z) y
  SlotArray<Q, B> z_bar;
  if constexpr (carries_tangent<B>) {
    using D = Dual<B, 1>;
    const auto gd = passive<D>(g);
    SlotArray<Q, D> zd;
    for (int s = 0; s < n; ++s) zd[s] = D(z[s]);
    if constexpr (directional) {
      for (int s = 0; s < n; ++s) zd[s].grad[0] = y[s];
      const auto f = flux_of_duals<Q, D, P>(q, zd, gd, p);
      for (int s = 0; s < n; ++s) z_bar[s] = f[s].grad[0];
    } else {
      SlotArray<Q, D> yd;
      for (int s = 0; s < n; ++s) yd[s] = D(y[s]);
      for (int s = 0; s < n; ++s) {
        zd[s].grad[0] = B(1.0);
        z_bar[s] = scalar_of_duals<S, Q, D, P>(q, zd, yd, gd, p, m).grad[0];
        zd[s].grad[0] = B(0.0);
      }
    }
  } else if constexpr (S == PointScalar::density) {
    z_bar = point_flux<Q, B, B, B>(q, z, g, p);
  } else if constexpr (directional) {
    using D = Dual<B, 1>;
    SlotArray<Q, D> zd;
    for (int s = 0; s < n; ++s) {
      zd[s].value = z[s];
      zd[s].grad[0] = y[s];
    }
    const auto f = point_flux<Q, D, B, B>(q, zd, g, p);
    for (int s = 0; s < n; ++s) z_bar[s] = f[s].grad[0];
  } else {
    constexpr int width = directions_at_once<B>(n);
    using D = Dual<B, width>;
    for (int first = 0; first < n; first += width) {
      SlotArray<Q, D> zd;
      for (int s = 0; s < n; ++s) zd[s] = seeded<D>(z[s], s, first);
      const D scalar = point_scalar<S, Q, D, B, B, B>(q, zd, y, g, p, m);
      for (int k = 0; k < width && first + k < n; ++k) z_bar[first + k] = scalar.grad[k];
    }
  }
  return z_bar;
}

/// ∂s/∂A and ∂s/∂x of s = point_scalar<S>, by duals, at constant nodal values of the unknown u and the multiplier l; `measure`
/// depends on A, and is zero in the result. Width: number of simultaneous directions, 0: chosen automatically. See also
/// `measured_gradient.hpp`.
template <PointScalar S, class Q, class B, class P, int Width = 0>
INVAR_SHARED PointGeometry<B, Q::dim, Q::ref_dim> geometry_gradient(const Q& q, const ReferenceValues<Q, B>& u,
                                                                    const ReferenceValues<Q, B, Q::n_components>& l,
                                                                    const PointGeometry<B, Q::dim, Q::ref_dim>& g,
                                                                    const P* p, const scalar_of_t<B>* m = nullptr) {
  constexpr int dim = Q::dim, ref_dim = Q::ref_dim;
  constexpr int n = geometry_numbers<dim, ref_dim, Q::uses_position>;
  PointGeometry<B, dim, ref_dim> g_bar{};
  if constexpr (n > 0) {
    constexpr int width = Width > 0 ? Width : geometry_directions<B, dim, ref_dim, Q::uses_position>;
    using D = Dual<B, width>;
    for (int first = 0; first < n; first += width) {
      const auto moving = move_point<D, Q::uses_position>(g, first);
      const SlotArray<Q, D> z = slots_of<Q>(u, moving.Ainv);
      SlotArray<Q, D> y{};
      if constexpr (S == PointScalar::work) y = slots_of<Q>(l, moving.Ainv);
      D s;
      if constexpr (carries_tangent<B>) s = scalar_of_duals<S, Q, D, P>(q, z, y, moving.geometry, p, m);
      else s = point_scalar<S, Q, D, D, D, B>(q, z, y, moving.geometry, p, m);
      for (int k = 0; k < width; ++k) {
        const int i = first + k;
        if (i < dim * ref_dim) g_bar.A.entries[i] = s.grad[k];
        else if (Q::uses_position && i < n) g_bar.x[i - dim * ref_dim] = s.grad[k];
      }
    }
  }
  return g_bar;
}

/// ∂s/∂p[k] of s = point_scalar<S>. p1: the coefficients without derivatives; unchanged on return.
template <PointScalar S, class Q, class B>
INVAR_SHARED B coefficient_gradient(const Q& q, const SlotArray<Q, B>& z, const SlotArray<Q, B>& y,
                                    const PointGeometry<B, Q::dim, Q::ref_dim>& g, Dual<B, 1>* p1, int k,
                                    const scalar_of_t<B>* m = nullptr) {
  using D = Dual<B, 1>;
  p1[k].grad[0] = B(1.0);
  D s;
  if constexpr (is_one_for_all<Q, B>) {
    SlotArray<Q, D> zd, yd;
    for (int i = 0; i < slot_count<Q>; ++i) zd[i] = D(z[i]), yd[i] = D(y[i]);
    s = scalar_of_duals<S, Q, D, D>(q, zd, yd, passive<D>(g), p1, m);
  } else {
    s = D(point_scalar<S, Q, B, B, B, D>(q, z, y, g, p1, m));
  }
  p1[k].grad[0] = B(0.0);
  return s.grad[0];
}

}  // namespace invar
