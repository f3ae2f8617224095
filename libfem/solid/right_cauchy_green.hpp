#pragma once
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"
#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

/// C = FᵀF, F = I + H, by its six components, for laws in the principal stretches, and the chain
/// rule to H.
template <class T>
struct RightCauchyGreen {
  static constexpr int size = 6;
  static constexpr bool finite_strain = true;

  T z[size]{};  // xx, yy, zz, xy, yz, xz

  T& operator[](int a) { return z[a]; }
  const T& operator[](int a) const { return z[a]; }

  Matrix<T, 3, 3> matrix() const {
    Matrix<T, 3, 3> C;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) C(i, j) = z[component(i, j)];
    return C;
  }
  T determinant() const {
    return z[0] * (z[1] * z[2] - z[4] * z[4]) + z[3] * (z[4] * z[5] - z[3] * z[2]) +
           z[5] * (z[3] * z[4] - z[1] * z[5]);
  }
  /// J = √det C.
  T volume_ratio() const {
    return sqrt(determinant());
  }
  /// C̄ = J^(−2/3) C.
  RightCauchyGreen isochoric() const {
    const T s = pow(determinant(), -1.0 / 3);
    return {{s * z[0], s * z[1], s * z[2], s * z[3], s * z[4], s * z[5]}};
  }

  /// At the displacement gradient H (3 × 3).
  static RightCauchyGreen of(const Matrix<T, 3, 3>& H) {
    const Matrix<T, 3, 3> F = deformation_gradient(H);
    const Matrix<T, 3, 3> C = transpose(F) * F;
    return {{C(0, 0), C(1, 1), C(2, 2), C(0, 1), C(1, 2), C(0, 2)}};
  }
  /// P = F·S from w_a = ∂W/∂C_a, S = 2 ∂W/∂C.
  static void stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]) {
    const Matrix<T, 3, 3> FS = deformation_gradient(H) * second_piola(w);
    for (int r = 0; r < 9; ++r) P[r] = FS.entries[r];
  }
  /// ∂²W/∂H∂H from w and ww_ab = ∂²W/∂C_a∂C_b.
  static void tangent(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size],
                      T (&A)[9][9]);

 private:
  static constexpr int component(int i, int j) {
    constexpr int of_entry[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    return of_entry[i][j];
  }
  static Matrix<T, 3, 3> second_piola(const T (&w)[size]) {
    Matrix<T, 3, 3> S;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) S(i, j) = i == j ? 2.0 * w[i] : w[component(i, j)];
    return S;
  }
};

template <class T>
void RightCauchyGreen<T>::tangent(const Matrix<T, 3, 3>& H, const T (&w)[size],
                                  const T (&ww)[size][size], T (&A)[9][9]) {
  const Matrix<T, 3, 3> S = second_piola(w);
  T D[size][9];  // ∂(F·S)/∂C_a at fixed F
  for (int a = 0; a < size; ++a) stress(H, ww[a], D[a]);
  for (int r = 0; r < 9; ++r) {
    const T column[size] = {D[0][r], D[1][r], D[2][r], D[3][r], D[4][r], D[5][r]};
    stress(H, column, A[r]);
    for (int l = 0; l < 3; ++l) A[r][3 * (r / 3) + l] += S(r % 3, l);
  }
}

extern template struct RightCauchyGreen<Pack>;
extern template struct RightCauchyGreen<Dual<Pack, 1>>;

}  // namespace invar
