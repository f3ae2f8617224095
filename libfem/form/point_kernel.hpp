#pragma once
#include <algorithm>

#include "libfem/form/point_shape.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/math/static_for.hpp"

namespace invar {

/// Length, area or volume element of the map ξ ↦ X with Jacobian A.
template <class T, int Dim, int RefDim>
INVAR_HD T measure_of(const Matrix<T, Dim, RefDim>& A) {
  if constexpr (Dim == RefDim) {
    return det(A);
  } else if constexpr (RefDim == 0) {
    return T(1.0);
  } else if constexpr (RefDim == 1) {
    T s(0.0);
    for (int i = 0; i < Dim; ++i) s += A(i, 0) * A(i, 0);
    return sqrt(s);
  } else {
    const Vector<T, 3> n = area_vector(A);
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
}

/// Oriented normal times the area (length) element of a facet: ∂X/∂ξ₁ × ∂X/∂ξ₂ in space, the tangent
/// turned clockwise by 90° in the plane.
template <class T, int Dim>
INVAR_HD Vector<T, Dim> area_vector(const Matrix<T, Dim, Dim - 1>& A) {
  Vector<T, Dim> n;
  if constexpr (Dim == 2) {
    n[0] = A(1, 0);
    n[1] = -A(0, 0);
  } else {
    n[0] = A(1, 0) * A(2, 1) - A(2, 0) * A(1, 1);
    n[1] = A(2, 0) * A(0, 1) - A(0, 0) * A(2, 1);
    n[2] = A(0, 0) * A(1, 1) - A(1, 0) * A(0, 1);
  }
  return n;
}

/// Number of scalar bases among the unknown's components.
template <class Q>
inline constexpr int basis_count = 1 + *std::max_element(Q::basis.begin(), Q::basis.end());

/// Values and reference gradients at one point of a nodal field of N numbers per node: the unknown's at the
/// levels that Q reads (trial), or a test function's.
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

/// Interpolates `nodal` [node][N] to the point.
template <class Q, class B, int N>
INVAR_HD ReferenceValues<Q, B, N> interpolate(const PointShape& shape, const B (*nodal)[N]) {
  ReferenceValues<Q, B, N> r;
  static_for<N>([&](auto c) {
    r.value[c] = B(0.0);
    for (B& d : r.grad[c]) d = B(0.0);
  });
  static_for<basis_count<Q>>([&](auto k) {
    const PointBasis& basis = shape.unknown[k];
    for (int a = 0; a < basis.n_nodes; ++a) {
      const double shape_value = basis.N[a];
      const double* dN = basis.dN + a * Q::ref_dim;
      static_for<N>([&](auto c) {
        if constexpr (Q::basis[c % Q::n_components] == k) {
          if constexpr (is_read<Q, false, N>(c)) r.value[c] += shape_value * nodal[a][c];
          if constexpr (is_read<Q, true, N>(c))
            for (int m = 0; m < Q::ref_dim; ++m) r.grad[c][m] += dN[m] * nodal[a][c];
        }
      });
    }
  });
  return r;
}

/// nodal[a][c] += adjoints of reference values spread over the nodes: the transpose of `interpolate`.
template <class Q, class B, int N>
INVAR_HD void spread(const PointShape& shape, const ReferenceValues<Q, B, N>& r, B (*nodal)[N]) {
  static_for<N>([&](auto c) {
    constexpr int k = Q::basis[c % Q::n_components];
    const PointBasis& basis = shape.unknown[k];
    for (int a = 0; a < basis.n_nodes; ++a) {
      if constexpr (is_read<Q, false, N>(c)) nodal[a][c] += basis.N[a] * r.value[c];
      if constexpr (is_read<Q, true, N>(c))
        for (int m = 0; m < Q::ref_dim; ++m) nodal[a][c] += basis.dN[a * Q::ref_dim + m] * r.grad[c][m];
    }
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

/// The transpose of `slots_of`: adjoints of slots to adjoints of reference values.
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

/// A⁻¹ on cells; on facets slots are parametric and nothing is needed.
template <class T, int Dim, int RefDim>
INVAR_HD Matrix<T, RefDim, Dim> inverse_map(const Matrix<T, Dim, RefDim>& A) {
  if constexpr (Dim == RefDim) return inverse(A);
  else return Matrix<T, RefDim, Dim>{};
}

/// Geometry of the point from nodal coordinates [node][dim].
template <class Q, class B>
INVAR_HD PointGeometry<B, Q::dim, Q::ref_dim> geometry_of(const PointShape& shape, const B (*X)[Q::dim]) {
  PointGeometry<B, Q::dim, Q::ref_dim> p;
  for (B& v : p.A.entries) v = B(0.0);
  for (B& v : p.x.entries) v = B(0.0);
  const PointBasis& basis = shape.geometry;
  for (int a = 0; a < basis.n_nodes; ++a) {
    const double N = basis.N[a];
    const double* dN = basis.dN + a * Q::ref_dim;
    for (int i = 0; i < Q::dim; ++i) {
      for (int m = 0; m < Q::ref_dim; ++m) p.A(i, m) += dN[m] * X[a][i];
      if constexpr (Q::uses_position) p.x[i] += N * X[a][i];
    }
  }
  p.measure = measure_of(p.A);
  return p;
}

/// The transpose of `geometry_of`: X_bar[a][i] += the adjoints of A and x spread over the nodes.
template <class Q, class B>
INVAR_HD void spread_geometry(const PointShape& shape, const PointGeometry<B, Q::dim, Q::ref_dim>& g_bar,
                              B (*X_bar)[Q::dim]) {
  const PointBasis& basis = shape.geometry;
  for (int a = 0; a < basis.n_nodes; ++a)
    for (int i = 0; i < Q::dim; ++i) {
      for (int m = 0; m < Q::ref_dim; ++m) X_bar[a][i] += basis.dN[a * Q::ref_dim + m] * g_bar.A(i, m);
      if constexpr (Q::uses_position) X_bar[a][i] += basis.N[a] * g_bar.x[i];
    }
}

/// ∂s/∂A and ∂s/∂x of s = point_scalar<S>, by duals, with the nodal values of the unknown u and of
/// the multiplier l held; `measure` follows A and is zero in the result.
template <PointScalar S, class Q, class B>
INVAR_HD PointGeometry<B, Q::dim, Q::ref_dim> geometry_gradient(const Q& q, const ReferenceValues<Q, B>& u,
                                                                const ReferenceValues<Q, B, Q::n_components>& l,
                                                                const PointGeometry<B, Q::dim, Q::ref_dim>& g,
                                                                const B* p, const Pack* m = nullptr) {
  constexpr int dim = Q::dim, ref_dim = Q::ref_dim;
  constexpr int n = dim * ref_dim + (Q::uses_position ? dim : 0);
  PointGeometry<B, dim, ref_dim> g_bar{};
  if constexpr (n > 0) {
    using D = Dual<B, n>;
    PointGeometry<D, dim, ref_dim> gd;
    for (int i = 0; i < dim; ++i) {
      for (int m = 0; m < ref_dim; ++m) gd.A(i, m) = D::variable(g.A(i, m), i * ref_dim + m);
      if constexpr (Q::uses_position) gd.x[i] = D::variable(g.x[i], dim * ref_dim + i);
    }
    gd.measure = measure_of(gd.A);
    const auto Ainv = inverse_map(gd.A);
    const SlotArray<Q, D> z = slots_of<Q>(u, Ainv);
    SlotArray<Q, D> y{};
    if constexpr (S == PointScalar::work) y = slots_of<Q>(l, Ainv);
    const D s = point_scalar<S, Q, D, D, B>(q, z, y, gd, p, m);
    for (int i = 0; i < dim; ++i) {
      for (int m = 0; m < ref_dim; ++m) g_bar.A(i, m) = s.grad[i * ref_dim + m];
      if constexpr (Q::uses_position) g_bar.x[i] = s.grad[dim * ref_dim + i];
    }
  }
  return g_bar;
}

}  // namespace invar
