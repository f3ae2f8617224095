#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

/// F = I + H. Small entries of H are lost in F: quantities that vanish with H are computed from H.
template <class T>
INVAR_INLINE Matrix<T, 3, 3> deformation_gradient(const Matrix<T, 3, 3>& H) {
  Matrix<T, 3, 3> F;
  INVAR_UNROLL
  for (int k = 0; k < 9; ++k) F.entries[k] = k % 4 == 0 ? T(H.entries[k] + 1.0) : H.entries[k];
  return F;
}

/// The displacement gradient of a plane body: the upper left 2 × 2 block of H, and H33.
template <class T>
Matrix<T, 3, 3> in_plane(const Matrix<T, 3, 3>& H, const T& H33) {
  Matrix<T, 3, 3> plane{};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) plane(i, j) = H(i, j);
  plane(2, 2) = H33;
  return plane;
}

/// H33 of an incompressible plane body from the in-plane entries of H. Small strains: −tr H.
template <class T>
T isochoric_thickness_strain(const T& h11, const T& h12, const T& h21, const T& h22, bool finite_strain) {
  if (!finite_strain) return -(h11 + h22);
  const T growth = h11 + h22 + (h11 * h22 - h12 * h21);  // relative change of area
  return -growth / (1.0 + growth);
}

}  // namespace invar
