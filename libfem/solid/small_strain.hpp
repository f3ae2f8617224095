#pragma once
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// ε = sym H by its six components, on which small-strain laws depend, and the chain rule to H.
template <class T>
struct SmallStrain {
  static constexpr int size = 6;
  static constexpr bool finite_strain = false;

  T xx{}, yy{}, zz{}, xy{}, yz{}, xz{};  // tensor components: ε_xy = ½ (H_xy + H_yx)

  INVAR_HD T& operator[](int a) {
    return a == 0 ? xx : a == 1 ? yy : a == 2 ? zz : a == 3 ? xy : a == 4 ? yz : xz;
  }
  INVAR_HD const T& operator[](int a) const {
    return a == 0 ? xx : a == 1 ? yy : a == 2 ? zz : a == 3 ? xy : a == 4 ? yz : xz;
  }

  INVAR_HD T trace() const { return xx + yy + zz; }
  /// ε:ε.
  INVAR_HD T squared_norm() const {
    return xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + xz * xz);
  }
  /// dev ε.
  INVAR_HD SmallStrain isochoric() const {
    const T mean = trace() / 3.0;
    return {xx - mean, yy - mean, zz - mean, xy, yz, xz};
  }

  /// At the displacement gradient H (3 × 3).
  INVAR_HD static SmallStrain of(const Matrix<T, 3, 3>& H) {
    return {H(0, 0), H(1, 1), H(2, 2), 0.5 * (H(0, 1) + H(1, 0)), 0.5 * (H(1, 2) + H(2, 1)),
            0.5 * (H(0, 2) + H(2, 0))};
  }
  /// σ = ∂W/∂H from w_a = ∂W/∂ε_a.
  INVAR_HD static void stress(const Matrix<T, 3, 3>&, const T (&w)[size], T (&P)[9]) {
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r) P[r] = weight(r) * w[component(r)];
  }
  /// ∂²W/∂H∂H from ww_ab = ∂²W/∂ε_a∂ε_b.
  INVAR_HD static void tangent(const Matrix<T, 3, 3>&, const T (&)[size], const T (&ww)[size][size],
                      T (&A)[9][9]) {
    INVAR_UNROLL
    for (int r = 0; r < 9; ++r)
      INVAR_UNROLL
      for (int s = 0; s < 9; ++s)
        A[r][s] = weight(r) * weight(s) * ww[component(r)][component(s)];
  }

 private:
  /// ε component that H(r / 3, r % 3) enters, and its factor there.
  INVAR_HD static constexpr int component(int r) {
    constexpr int of_entry[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    return of_entry[r];
  }
  INVAR_HD static constexpr double weight(int r) { return r % 4 == 0 ? 1.0 : 0.5; }
};

}  // namespace invar
