#pragma once
#include "libfem/math/near_zero.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

/// Green's strain E = ½ (C − I) = sym H + ½ HᵀH by its six components, for laws in the principal stretches, and the chain
/// rule to H. C = FᵀF = I + 2E itself would lose small strains to rounding.
template <class T>
struct GreenStrain {
  static constexpr int size = 6;
  static constexpr bool finite_strain = true;

  T z[size]{};  // xx, yy, zz, xy, yz, xz

  INVAR_HD T& operator[](int a) { return z[a]; }
  INVAR_HD const T& operator[](int a) const { return z[a]; }

  INVAR_HD Matrix<T, 3, 3> matrix() const {
    return {z[0], z[3], z[5], z[3], z[1], z[4], z[5], z[4], z[2]};
  }
  INVAR_HD T trace() const { return z[0] + z[1] + z[2]; }
  /// E:E.
  INVAR_HD T squared_norm() const {
    return z[0] * z[0] + z[1] * z[1] + z[2] * z[2] + 2.0 * (z[3] * z[3] + z[4] * z[4] + z[5] * z[5]);
  }
  /// ½ ((tr E)² − tr E²).
  INVAR_HD T second_invariant() const {
    return z[0] * z[1] + z[1] * z[2] + z[2] * z[0] - (z[3] * z[3] + z[4] * z[4] + z[5] * z[5]);
  }
  INVAR_HD T determinant() const {
    return z[0] * (z[1] * z[2] - z[4] * z[4]) + z[3] * (z[4] * z[5] - z[3] * z[2]) +
           z[5] * (z[3] * z[4] - z[1] * z[5]);
  }
  /// J − 1, J = √det C.
  INVAR_HD T dilatation() const {
    const T x = 2.0 * trace() + (4.0 * second_invariant() + 8.0 * determinant());  // det C − 1
    return x / (1.0 + sqrt(T(1.0 + x)));
  }
  /// Of C̄ = J^(−2/3) C.
  INVAR_HD GreenStrain isochoric() const {
    const T t = cbrt1pm1(dilatation()), s = 1.0 + t, scale = 1.0 / (s * s), shift = 0.5 * t * (2.0 + t);
    return {{scale * (z[0] - shift), scale * (z[1] - shift), scale * (z[2] - shift), scale * z[3], scale * z[4],
             scale * z[5]}};
  }

  /// At the displacement gradient H (3 × 3).
  INVAR_HD static GreenStrain of(const Matrix<T, 3, 3>& H) {
    const auto half_product = [&](int i, int j) {
      return 0.5 * (H(0, i) * H(0, j) + H(1, i) * H(1, j) + H(2, i) * H(2, j));
    };
    return {{H(0, 0) + half_product(0, 0), H(1, 1) + half_product(1, 1), H(2, 2) + half_product(2, 2),
             0.5 * (H(0, 1) + H(1, 0)) + half_product(0, 1), 0.5 * (H(1, 2) + H(2, 1)) + half_product(1, 2),
             0.5 * (H(0, 2) + H(2, 0)) + half_product(0, 2)}};
  }
  /// P = F·S from w_a = ∂W/∂E_a, S = ∂W/∂E.
  INVAR_HD static void stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]) {
    const Matrix<T, 3, 3> S = second_piola(w), HS = H * S;
    for (int r = 0; r < 9; ++r) P[r] = S.entries[r] + HS.entries[r];
  }
  /// ∂²W/∂H∂H from w and ww_ab = ∂²W/∂E_a∂E_b.
  INVAR_HD static void tangent(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size], T (&A)[9][9]);

 private:
  INVAR_HD static Matrix<T, 3, 3> second_piola(const T (&w)[size]) {
    const T xy = 0.5 * w[3], yz = 0.5 * w[4], xz = 0.5 * w[5];
    return {w[0], xy, xz, xy, w[1], yz, xz, yz, w[2]};
  }
};

template <class T>
INVAR_HD void GreenStrain<T>::tangent(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size], T (&A)[9][9]) {
  const Matrix<T, 3, 3> S = second_piola(w);
  T D[size][9];  // ∂(F·S)/∂E_a at fixed F
  for (int a = 0; a < size; ++a) stress(H, ww[a], D[a]);
  for (int r = 0; r < 9; ++r) {
    const T column[size] = {D[0][r], D[1][r], D[2][r], D[3][r], D[4][r], D[5][r]};
    stress(H, column, A[r]);
    for (int l = 0; l < 3; ++l) A[r][3 * (r / 3) + l] += S(r % 3, l);
  }
}

#if !defined(__CUDACC__)
extern template struct GreenStrain<Pack>;
extern template struct GreenStrain<Dual<Pack, 1>>;
#endif

}  // namespace invar
