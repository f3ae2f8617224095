#pragma once
#include "libfem/form/point_shape.hpp"
#include "libfem/form/q_function.hpp"

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

/// Oriented normal of a facet times its area (length) element: ∂X/∂ξ₁ × ∂X/∂ξ₂ in 3-D, the tangent rotated clockwise by 90° in 2-D.
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

/// A⁻¹ on cells; facets use parametric slots and need none.
template <class T, int Dim, int RefDim>
INVAR_HD Matrix<T, RefDim, Dim> inverse_map(const Matrix<T, Dim, RefDim>& A) {
  if constexpr (Dim == RefDim) return inverse(A);
  else return Matrix<T, RefDim, Dim>{};
}

/// Sums over the nodes of a cell: geometry of a point from nodal coordinates; x only if Position.
template <class B, int Dim, int RefDim, bool Position>
class MapSum {
 public:
  INVAR_HD MapSum() {
    for (B& v : A_) v = B(0.0);
    for (B& v : x_) v = B(0.0);
  }
  /// Node with shape function N, derivatives dN [ref_dim] and coordinates X[direction].
  template <class Row>
  INVAR_INLINE void add(double N, const double* dN, const Row& X) {
    for (int i = 0; i < Dim; ++i) {
      for (int m = 0; m < RefDim; ++m) A_[i * RefDim + m] += dN[m] * X[i];
      if constexpr (Position) x_[i] += N * X[i];
    }
  }
  INVAR_HD PointGeometry<B, Dim, RefDim> geometry() const {
    PointGeometry<B, Dim, RefDim> p;
    for (int k = 0; k < Dim * RefDim; ++k) p.A.entries[k] = A_[k];
    for (int i = 0; i < Dim; ++i) p.x[i] = x_[i];
    p.measure = measure_of(p.A);
    return p;
  }

 private:
  B A_[Dim * RefDim + 1], x_[Dim];
};

/// Geometry of the point from nodal coordinates X[node][direction].
template <class B, int Dim, int RefDim, bool Position>
INVAR_SHARED PointGeometry<B, Dim, RefDim> map_point(const PointBasis& basis, const B (*X)[Dim]) {
  MapSum<B, Dim, RefDim, Position> sum;
  for (int a = 0; a < basis.n_nodes; ++a) sum.add(basis.N[a], basis.dN + a * RefDim, X[a]);
  return sum.geometry();
}

/// Adds the adjoints of A and x to coordinate i of node a.
template <class B, int Dim, int RefDim, bool Position>
INVAR_INLINE void add_geometry_share(const PointBasis& basis, int a, int i, const PointGeometry<B, Dim, RefDim>& g_bar, B& target) {
  for (int m = 0; m < RefDim; ++m) target += basis.dN[a * RefDim + m] * g_bar.A(i, m);
  if constexpr (Position) target += basis.N[a] * g_bar.x[i];
}

/// Transpose of `map_point`: distributes the adjoints of A and x to the nodes.
template <class B, int Dim, int RefDim, bool Position>
INVAR_SHARED void spread_point(const PointBasis& basis, const PointGeometry<B, Dim, RefDim>& g_bar, B (*X_bar)[Dim]) {
  for (int a = 0; a < basis.n_nodes; ++a)
    for (int i = 0; i < Dim; ++i) add_geometry_share<B, Dim, RefDim, Position>(basis, a, i, g_bar, X_bar[a][i]);
}

/// The geometry as independent variables, differentiated in the directions from number `first` on: entries of A, then of x; and the
/// dependent quantities.
template <class D, int Dim, int RefDim>
struct MovingPoint {
  PointGeometry<D, Dim, RefDim> geometry;
  Matrix<D, RefDim, Dim> Ainv;
};
template <class D, bool Position, class B, int Dim, int RefDim>
INVAR_SHARED MovingPoint<D, Dim, RefDim> move_point(const PointGeometry<B, Dim, RefDim>& g, int first) {
  MovingPoint<D, Dim, RefDim> p;
  for (int k = 0; k < Dim * RefDim; ++k) p.geometry.A.entries[k] = seeded<D>(g.A.entries[k], k, first);
  if constexpr (Position)
    for (int i = 0; i < Dim; ++i) p.geometry.x[i] = seeded<D>(g.x[i], Dim * RefDim + i, first);
  p.geometry.measure = measure_of(p.geometry.A);
  p.Ainv = inverse_map(p.geometry.A);
  return p;
}

/// Number of numbers that the geometry consists of: entries of A, then of x.
template <int Dim, int RefDim, bool Position>
inline constexpr int geometry_numbers = Dim * RefDim + (Position ? Dim : 0);
/// How many of them are differentiated by at once, in duals over B.
template <class B, int Dim, int RefDim, bool Position>
inline constexpr int geometry_directions = carries_tangent<B> ? 1 : directions_at_once<B>(geometry_numbers<Dim, RefDim, Position>);
template <class B, int Dim, int RefDim, bool Position>
using GeometryDual = Dual<B, geometry_directions<B, Dim, RefDim, Position>>;

// What cells and facets of all forms do alike is compiled once, in point_map.cpp.
#define INVAR_POINT_MAPS_OF(LINKAGE, B, DIM, REF_DIM, POSITION)                                                                         \
  LINKAGE template PointGeometry<B, DIM, REF_DIM> map_point<B, DIM, REF_DIM, POSITION>(const PointBasis&, const B(*)[DIM]);              \
  LINKAGE template void spread_point<B, DIM, REF_DIM, POSITION>(const PointBasis&, const PointGeometry<B, DIM, REF_DIM>&, B(*)[DIM]);    \
  LINKAGE template MovingPoint<GeometryDual<B, DIM, REF_DIM, POSITION>, DIM, REF_DIM>                                                   \
  move_point<GeometryDual<B, DIM, REF_DIM, POSITION>, POSITION, B, DIM, REF_DIM>(const PointGeometry<B, DIM, REF_DIM>&, int);
#define INVAR_POINT_MAPS_IN(LINKAGE, B, DIM, REF_DIM)          \
  INVAR_POINT_MAPS_OF(LINKAGE, B, DIM, REF_DIM, false)         \
  INVAR_POINT_MAPS_OF(LINKAGE, B, DIM, REF_DIM, true)
#define INVAR_POINT_MAPS(LINKAGE, B)                           \
  INVAR_POINT_MAPS_IN(LINKAGE, B, 3, 3)                        \
  INVAR_POINT_MAPS_IN(LINKAGE, B, 3, 2)                        \
  INVAR_POINT_MAPS_IN(LINKAGE, B, 2, 2)                        \
  INVAR_POINT_MAPS_IN(LINKAGE, B, 2, 1)
#if !defined(__CUDACC__)
using PackTangent = Dual<Pack, 1>;
INVAR_POINT_MAPS(extern, Pack)
INVAR_POINT_MAPS(extern, PackTangent)
#endif

}  // namespace invar
