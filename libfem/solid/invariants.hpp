#pragma once
#include "libfem/math/dual.hpp"
#include "libfem/math/near_zero.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"
#include "libfem/solid/deformation_gradient.hpp"
#include "libfem/solid/green_strain.hpp"

namespace invar {

/// The invariants of C̄ = J^(−2/3) C, whose volume ratio is 1, minus their values at rest.
template <class T>
struct IsochoricInvariants {
  T d1;  // Ī1 − 3
  T d2;  // Ī2 − 3
};

/// The invariants I1 = tr C, I2 = ½ ((tr C)² − tr C²) and J = det F of C = FᵀF, F = I + H, for isotropic laws, and the
/// chain rule from them to H. A law is thus differentiated in three variables instead of nine.
/// Each invariant is taken relative to its value at rest, and I1 and I2 without their linear dependence on J, which
/// leaves terms of second order in H. Energies and stresses in terms of I1 − 3 and ln J would lose all digits at small
/// strains, where the linear parts of I1 and J cancel; here they are cancelled analytically.
template <class T>
struct Invariants {
  static constexpr int size = 3;
  static constexpr bool finite_strain = true;

  T k1{};  // I1 − 3 − 2 (J − 1)
  T k2{};  // I2 − 3 − 4 (J − 1)
  T j1{};  // J − 1

  INVAR_HD T& operator[](int a) { return a == 0 ? k1 : a == 1 ? k2 : j1; }
  INVAR_HD const T& operator[](int a) const { return a == 0 ? k1 : a == 1 ? k2 : j1; }

  /// At the displacement gradient H (3 × 3). With Green's strain E, I1 − 3 = 2 tr E, J² − 1 = 2 tr E + 4 I2(E) +
  /// 8 det E and I2 − 3 = 4 tr E + 4 I2(E).
  INVAR_HD static Invariants of(const Matrix<T, 3, 3>& H) {
    const auto E = GreenStrain<T>::of(H);
    const T j1 = det1pm1(H), second = 4.0 * E.second_invariant();
    const T k1 = j1 * j1 - second - 8.0 * E.determinant();
    return {k1, 2.0 * k1 + second, j1};
  }
  /// Of C̄. With s = J^(1/3) and t = s − 1: Ī1 − 3 = (k1 + t² (2 s + 1))/s², Ī2 − 3 = (k2 − t² (3 s² + 2 s + 1))/s⁴.
  INVAR_HD IsochoricInvariants<T> isochoric() const {
    const T t = cbrt1pm1(j1), s = 1.0 + t, t2 = t * t, scale = 1.0 / (s * s);
    return {scale * (k1 + t2 * (2.0 * s + 1.0)), scale * scale * (k2 - t2 * (s * (3.0 * s + 2.0) + 1.0))};
  }
  INVAR_HD const T& dilatation() const { return j1; }

  /// P = ∂W/∂H from w_a = ∂W/∂z_a, z = (k1, k2, j1).
  INVAR_HD static void stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]);
  /// ∂²W/∂H∂H from w and ww_ab = ∂²W/∂z_a∂z_b.
  INVAR_HD static void tangent(const Matrix<T, 3, 3>& H, const T (&w)[size],
                               const T (&ww)[size][size], T (&A)[9][9]);

 private:
  /// Z = F − cof F = ½ ∂k1/∂H, of first order in H: H + Hᵀ − tr H I − cof H.
  INVAR_HD static Matrix<T, 3, 3> half_gradient(const Matrix<T, 3, 3>& H) {
    const Matrix<T, 3, 3> cof = cofactor(H);
    const T sum = trace(H);
    Matrix<T, 3, 3> Z;
    INVAR_UNROLL
    for (int i = 0; i < 3; ++i)
      INVAR_UNROLL
      for (int j = 0; j < 3; ++j) {
        const T twice = H(i, j) + H(j, i);
        Z(i, j) = (i == j ? T(twice - sum) : twice) - cof(i, j);
      }
    return Z;
  }
  /// F (tr E I − E) = ¼ (∂k2/∂H − 2 ∂k1/∂H), of first order in H.
  INVAR_HD static Matrix<T, 3, 3> second_gradient(const Matrix<T, 3, 3>& H, const GreenStrain<T>& E) {
    Matrix<T, 3, 3> G = E.matrix();
    const T sum = E.trace();
    INVAR_UNROLL
    for (int k = 0; k < 9; ++k) G.entries[k] = k % 4 == 0 ? T(sum - G.entries[k]) : T(-G.entries[k]);
    return G + H * G;
  }
  /// Second = false: W does not depend on k2.
  template <bool Second>
  INVAR_HD static void add_up(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size], T (&A)[9][9]);
};

template <class T>
INVAR_HD void Invariants<T>::stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]) {
  const Matrix<T, 3, 3> F = deformation_gradient(H), Z = half_gradient(H);
  const T by_z = 2.0 * w[0] + 4.0 * w[1] - w[2];  // cof F = F − Z
  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) P[r] = by_z * Z.entries[r] + w[2] * F.entries[r];
  if (vanishes(w[1])) return;  // laws without k2 skip its terms, which are the most expensive
  const Matrix<T, 3, 3> G = second_gradient(H, GreenStrain<T>::of(H));
  const T by_g = 4.0 * w[1];
  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) P[r] += by_g * G.entries[r];
}

template <class T>
INVAR_HD void Invariants<T>::tangent(const Matrix<T, 3, 3>& H, const T (&w)[size],
                                     const T (&ww)[size][size], T (&A)[9][9]) {
  if (vanishes(w[1]) && vanishes(ww[1][0]) && vanishes(ww[1][1]) && vanishes(ww[1][2]))
    return add_up<false>(H, w, ww, A);
  add_up<true>(H, w, ww, A);
}

template <class T>
template <bool Second>
INVAR_HD void Invariants<T>::add_up(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size],
                                    T (&A)[9][9]) {
  const Matrix<T, 3, 3> F = deformation_gradient(H), Z = half_gradient(H);
  T g[size][9];  // ∂z/∂H
  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) {
    g[0][r] = 2.0 * Z.entries[r];
    g[2][r] = F.entries[r] - Z.entries[r];
  }
  // Second derivatives are those of I1, I2 and J: W = W(k1, k2, j1) has these derivatives by them.
  T by_j = w[2] - 2.0 * w[0], w2, diagonal = 2.0 * w[0];
  Matrix<T, 3, 3> C, b;
  if constexpr (Second) {
    const auto E = GreenStrain<T>::of(H);
    const Matrix<T, 3, 3> G = second_gradient(H, E);
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r) g[1][r] = 4.0 * (Z.entries[r] + G.entries[r]);
    C = deformation_gradient(2.0 * E.matrix());
    b = F * transpose(F);
    w2 = 2.0 * w[1];
    by_j -= 2.0 * w2;
    diagonal += w2 * trace(C);
  }

  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) {
    const int i = r / 3, j = r % 3;
    T h0 = ww[0][0] * g[0][r] + ww[0][2] * g[2][r], h2 = ww[2][0] * g[0][r] + ww[2][2] * g[2][r], h1;
    if constexpr (Second) {
      h0 += ww[0][1] * g[1][r];
      h1 = ww[1][0] * g[0][r] + ww[1][1] * g[1][r] + ww[1][2] * g[2][r];
      h2 += ww[2][1] * g[1][r];
    }
    INVAR_UNROLL
    for (int s = r; s < 9; ++s) {
      const int k = s / 3, l = s % 3;
      T v = h0 * g[0][s] + h2 * g[2][s];
      if constexpr (Second) {
        v += h1 * g[1][s] + w2 * (2.0 * F(i, j) * F(k, l) - F(i, l) * F(k, j));
        if (i == k) v -= w2 * C(j, l);
        if (j == l) v -= w2 * b(i, k);
      }
      if (r == s) v += diagonal;
      if (i != k && j != l) {  // ∂ cof F_ij / ∂F_kl = ± the entry in the third row and column
        const T& f = F(3 - i - k, 3 - j - l);
        if ((k - i + 3) % 3 == (l - j + 3) % 3)
          v += by_j * f;
        else
          v -= by_j * f;
      }
      A[r][s] = A[s][r] = v;
    }
  }
}

#if !defined(__CUDACC__)
extern template struct Invariants<Pack>;
extern template struct Invariants<Dual<Pack, 1>>;
#endif

}  // namespace invar
