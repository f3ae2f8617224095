#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

/// C = V diag(λ) Vᵀ; column j of `vectors` belongs to values[j]. Not sorted.
template <class T>
struct SymmetricEigen {
  Vector<T, 3> values;
  Matrix<T, 3, 3> vectors;
};

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix of double or Pack, lane by lane, by cyclic Jacobi
/// rotations (Golub and Van Loan, Matrix Computations, 8.5). Reads the upper triangle only. Repeated eigenvalues are
/// handled without special treatment.
template <class T>
INVAR_OUTLINE SymmetricEigen<T> eigen_symmetric(const Matrix<T, 3, 3>& C) {
  Matrix<T, 3, 3> a = C;
  Matrix<T, 3, 3> v = identity<T, 3>();
  const auto rotate = [&](int p, int q, int r) {
    T& apq = p < q ? a(p, q) : a(q, p);
    T& arp = r < p ? a(r, p) : a(p, r);
    T& arq = r < q ? a(r, q) : a(q, r);
    const auto done = apq == 0.0;
    const T theta = (a(q, q) - a(p, p)) / select(done, T(1.0), T(2.0 * apq));
    const T size = 1.0 / (abs(theta) + sqrt(T(theta * theta + 1.0)));
    const T t = select(done, T(0.0), select(theta < 0.0, T(-size), size));
    const T c = 1.0 / sqrt(T(t * t + 1.0));
    const T s = t * c;
    a(p, p) -= t * apq;
    a(q, q) += t * apq;
    apq = T(0.0);
    const T old = arp;
    arp = c * old - s * arq;
    arq = s * old + c * arq;
    INVAR_UNROLL
    for (int i = 0; i < 3; ++i) {
      const T vip = v(i, p);
      v(i, p) = c * vip - s * v(i, q);
      v(i, q) = s * vip + c * v(i, q);
    }
  };
  const int max_sweeps = 10;  // quadratic convergence: five are typical
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const T off = abs(a(0, 1)) + abs(a(0, 2)) + abs(a(1, 2));
    const T size = abs(a(0, 0)) + abs(a(1, 1)) + abs(a(2, 2));
    if (!any(off > 1e-20 * size)) break;
    rotate(0, 1, 2);
    rotate(0, 2, 1);
    rotate(1, 2, 0);
  }
  return {{a(0, 0), a(1, 1), a(2, 2)}, v};
}

}  // namespace invar
