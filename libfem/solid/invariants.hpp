#pragma once
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"
#include "libfem/solid/deformation_gradient.hpp"

namespace invar {

/// The invariants of C = FᵀF, F = I + H, on which isotropic laws depend, and the chain rule from
/// them to H. A law is differentiated in three variables instead of nine.
template <class T>
struct Invariants {
  static constexpr int size = 3;
  static constexpr bool finite_strain = true;

  T i1{};  // tr C
  T i2{};  // ½ ((tr C)² − tr C²)
  T j{};   // det F

  INVAR_HD T& operator[](int a) { return a == 0 ? i1 : a == 1 ? i2 : j; }
  INVAR_HD const T& operator[](int a) const { return a == 0 ? i1 : a == 1 ? i2 : j; }

  /// At the displacement gradient H (3 × 3).
  INVAR_HD static Invariants of(const Matrix<T, 3, 3>& H);
  /// Of C̄ = J^(−2/3) C, whose volume ratio is 1.
  INVAR_HD Invariants isochoric() const {
    const T s = pow(j, -2.0 / 3);
    return {s * i1, s * s * i2, T(1.0)};
  }
  INVAR_HD const T& volume_ratio() const { return j; }

  /// P = ∂W/∂H from w_a = ∂W/∂z_a, z = (i1, i2, j).
  INVAR_HD static void stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]);
  /// ∂²W/∂H∂H from w and ww_ab = ∂²W/∂z_a∂z_b.
  INVAR_HD static void tangent(const Matrix<T, 3, 3>& H, const T (&w)[size],
                               const T (&ww)[size][size], T (&A)[9][9]);

 private:
  /// g_a = ∂z_a/∂H; gives C.
  INVAR_HD static Matrix<T, 3, 3> gradients(const Matrix<T, 3, 3>& F, T (&g)[size][9]);
  /// Second = false: W does not depend on i2, whose terms are the most expensive.
  template <bool Second>
  INVAR_HD static void add_up(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size], T (&A)[9][9]);
};

template <class T>
INVAR_HD Invariants<T> Invariants<T>::of(const Matrix<T, 3, 3>& H) {
  const Matrix<T, 3, 3> F = deformation_gradient(H);
  const Matrix<T, 3, 3> C = transpose(F) * F;
  const T i1 = trace(C);
  return {i1, 0.5 * (i1 * i1 - inner(C, C)), det(F)};
}

template <class T>
INVAR_HD void Invariants<T>::stress(const Matrix<T, 3, 3>& H, const T (&w)[size], T (&P)[9]) {
  const Matrix<T, 3, 3> F = deformation_gradient(H);
  T g[size][9];
  gradients(F, g);
  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) P[r] = w[0] * g[0][r] + w[1] * g[1][r] + w[2] * g[2][r];
}

template <class T>
INVAR_HD void Invariants<T>::tangent(const Matrix<T, 3, 3>& H, const T (&w)[size],
                                     const T (&ww)[size][size], T (&A)[9][9]) {
  if constexpr (dual_depth_v<T> == 0)  // of duals the derivatives would have to vanish as well
    if (all(w[1] == 0.0) && all(ww[1][0] == 0.0) && all(ww[1][1] == 0.0) && all(ww[1][2] == 0.0))
      return add_up<false>(H, w, ww, A);
  add_up<true>(H, w, ww, A);
}

template <class T>
template <bool Second>
INVAR_HD void Invariants<T>::add_up(const Matrix<T, 3, 3>& H, const T (&w)[size], const T (&ww)[size][size],
                                    T (&A)[9][9]) {
  const Matrix<T, 3, 3> F = deformation_gradient(H);
  T g[size][9];
  Matrix<T, 3, 3> C, b;
  T w2, diagonal = 2.0 * w[0];
  if constexpr (Second) {
    C = gradients(F, g);
    b = F * transpose(F);
    w2 = 2.0 * w[1];
    diagonal += w2 * trace(C);
  } else {
    const Matrix<T, 3, 3> cof = cofactor(F);
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r) {
      g[0][r] = 2.0 * F.entries[r];
      g[2][r] = cof.entries[r];
    }
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
          v += w[2] * f;
        else
          v -= w[2] * f;
      }
      A[r][s] = A[s][r] = v;
    }
  }
}

template <class T>
INVAR_HD Matrix<T, 3, 3> Invariants<T>::gradients(const Matrix<T, 3, 3>& F, T (&g)[size][9]) {
  const Matrix<T, 3, 3> C = transpose(F) * F, FC = F * C, cof = cofactor(F);
  const T i1 = trace(C);
  INVAR_UNROLL
  for (int r = 0; r < 9; ++r) {
    g[0][r] = 2.0 * F.entries[r];
    g[1][r] = 2.0 * (i1 * F.entries[r] - FC.entries[r]);
    g[2][r] = cof.entries[r];
  }
  return C;
}

#if !defined(__CUDACC__)
extern template struct Invariants<Pack>;
extern template struct Invariants<Dual<Pack, 1>>;
#endif

}  // namespace invar
