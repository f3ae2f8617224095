#pragma once
#include "libfem/form/cell_batches.hpp"
#include "libfem/math/tensor.hpp"

namespace invar::bench {

inline constexpr double young = 10, poisson = 0.3;

/// K_ab of all node pairs a ≤ b, [a][b][3][3], from nodal coordinates and displacements [N][3]. The
/// tangent of P = μ (F − F⁻ᵀ) + λ ln(J) F⁻ᵀ is written out:
///   A_iJkL = μ δ_ik δ_JL + λ G_iJ G_kL + (μ − λ ln J) G_iL G_kJ,   G = F⁻ᵀ
/// Variant keeps apart what is compiled with different options.
template <int Variant, class T, int N>
void coded_by_hand(const BatchGroup& g, const T (*X)[3], const T (*U)[3], T (*K)[N][3][3]) {
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const int points = g.n_points();
  constexpr int max_points = 27;
  static T grad[max_points][N][3], A[max_points][9][9], DB[max_points][9][3];
  for (int q = 0; q < points; ++q) {
    const double* dN = &g.geometry.dN[q * N * 3];
    Matrix<T, 3, 3> M{}, H{};
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < 3; ++m) {
          M(i, m) += dN[3 * a + m] * X[a][i];
          H(i, m) += dN[3 * a + m] * U[a][i];
        }
    const Matrix<T, 3, 3> Minv = inverse(M);
    Matrix<T, 3, 3> F = H * Minv;
    for (int i = 0; i < 3; ++i) F(i, i) += 1.0;
    const T w = g.weights[q] * det(M), J = det(F), log_j = log(J);
    const Matrix<T, 3, 3> G = cofactor(F) * T(1.0 / J);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        grad[q][a][i] = dN[3 * a] * Minv(0, i) + dN[3 * a + 1] * Minv(1, i) + dN[3 * a + 2] * Minv(2, i);
    const T w_lambda = w * lambda, w_mu = w * mu, w_beta = w * (mu - lambda * log_j);
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r) {
      const int i = r / 3, j = r % 3;
      const T p = w_lambda * G.entries[r];
      INVAR_UNROLL
      for (int s = r; s < 9; ++s) {
        const int k = s / 3, l = s % 3;
        T v = p * G.entries[s] + w_beta * (G(i, l) * G(k, j));
        if (r == s) v += w_mu;
        A[q][r][s] = A[q][s][r] = v;
      }
    }
  }
  for (int b = 0; b < N; ++b) {
    for (int q = 0; q < points; ++q)
      for (int j = 0; j < 3; ++j)
        for (int r = 0; r < 9; ++r)
          DB[q][r][j] = A[q][r][3 * j] * grad[q][b][0] + A[q][r][3 * j + 1] * grad[q][b][1] +
                        A[q][r][3 * j + 2] * grad[q][b][2];
    // Two rows of blocks at a time: each entry of DB that is loaded serves twice.
    const auto rows = [&]<int R>(std::integral_constant<int, R>, int a) {
      T block[R][3][3];
      for (int r = 0; r < R; ++r)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) block[r][i][j] = T(0.0);
      for (int q = 0; q < points; ++q) {
        INVAR_UNROLL
        for (int s = 0; s < 9; ++s)
          INVAR_UNROLL
          for (int j = 0; j < 3; ++j)
            INVAR_UNROLL
            for (int r = 0; r < R; ++r) block[r][s / 3][j] += grad[q][a + r][s % 3] * DB[q][s][j];
      }
      for (int r = 0; r < R; ++r)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) K[a + r][b][i][j] = block[r][i][j];
    };
    int a = 0;
    for (; a + 1 <= b; a += 2) rows(std::integral_constant<int, 2>{}, a);
    if (a <= b) rows(std::integral_constant<int, 1>{}, a);
  }
}

/// The same in plain numbers, compiled without vector instructions.
template <int N>
void coded_in_numbers(const BatchGroup& g, const double (*X)[3], const double (*U)[3], double (*K)[N][3][3]);

}  // namespace invar::bench
