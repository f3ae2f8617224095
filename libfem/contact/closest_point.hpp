#pragma once
#include "libfem/contact/active_pairs.hpp"
#include "libfem/contact/distance.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

constexpr int vertex_count(PairKind kind) {
  return kind == PairKind::point_point ? 2 : kind == PairKind::point_line ? 3 : 4;
}

/// Input of a contact law at two closest points x and y.
template <class T, int Dim>
struct ContactPoint {
  T distance;               // |x − y| > 0, m
  Vector<T, Dim> normal;    // (x − y)/|x − y|
  Vector<T, Dim> velocity;  // ẋ − ẏ of the material points, m/s
};

/// Distance, normal and coefficients c with x − y = Σ c_k z_k and ∂distance/∂z_k = c_k normal. z: positions of the vertices
/// relative to the base, concatenated. The closest point must be in the interior of the feature, so there are no branches. Base and
/// order of z: point–point: y | x; point–line: y_0 | x, y_1; point–plane: y_0 | x, y_1, y_2; edges a and b: b_0 | a_0, b_1, a_1.
template <PairKind Kind, class T, int Dim>
INVAR_HD void closest_points(const T* z, T& distance, Vector<T, Dim>& normal, T* c) {
  const auto dot = [](const T* a, const T* b) {
    T s = a[0] * b[0];
    for (int i = 1; i < Dim; ++i) s += a[i] * b[i];
    return s;
  };
  const auto cross = [](const T* a, const T* b, T* r) {
    for (int i = 0; i < 3; ++i) r[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  };
  c[0] = T(1.0);
  if constexpr (Kind == PairKind::point_point) {
    distance = sqrt(dot(z, z));
    for (int i = 0; i < Dim; ++i) normal[i] = z[i] / distance;
  } else if constexpr (Kind == PairKind::point_line && Dim == 2) {
    const T* e = z + Dim;
    const T square = dot(e, e), length = sqrt(square), height = (e[0] * z[1] - e[1] * z[0]) / length;
    const auto below = height < 0.0;
    c[1] = -(dot(z, e) / square);
    distance = select(below, T(-height), height);
    normal[0] = -(e[1] / length), normal[1] = e[0] / length;
    for (int i = 0; i < 2; ++i) normal[i] = select(below, T(-normal[i]), normal[i]);
  } else if constexpr (Kind == PairKind::point_line) {
    const T* e = z + Dim;
    const T square = dot(e, e);
    T across[3];  // component perpendicular to the line
    c[1] = -(dot(z, e) / square);
    for (int i = 0; i < 3; ++i) across[i] = z[i] + c[1] * e[i];
    distance = sqrt(dot(across, across));
    for (int i = 0; i < 3; ++i) normal[i] = across[i] / distance;
  } else {
    static_assert(Dim == 3);
    constexpr bool plane = Kind == PairKind::point_plane;
    const T *b = z + Dim, *last = z + 2 * Dim;  // y_1 and y_2, or b_1 and a_1
    T a[3], r[3];                               // edges that span the plane, or the directions of both edges
    for (int i = 0; i < 3; ++i) a[i] = plane ? last[i] : last[i] - z[i];
    cross(b, a, r);
    const T square = dot(r, r), length = sqrt(square), height = dot(z, r) / length;
    const auto below = height < 0.0;
    distance = select(below, T(-height), height);
    for (int i = 0; i < 3; ++i) normal[i] = select(below, T(-(r[i] / length)), T(r[i] / length));
    T q[3];
    if constexpr (plane) {
      cross(z, a, q);
      c[1] = -(dot(q, r) / square);  // of y_1
      cross(b, z, q);
      c[2] = -(dot(q, r) / square);
    } else {
      // z + α a − β b = ± distance · normal
      cross(z, b, q);
      const T along_a = dot(q, r) / square;
      cross(z, a, q);
      const T along_b = dot(q, r) / square;
      c[0] = 1.0 - along_a, c[1] = -along_b, c[2] = along_a;
    }
  }
}

}  // namespace invar
