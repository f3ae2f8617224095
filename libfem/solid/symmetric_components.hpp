#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

/// Components of a symmetric 3 × 3 tensor that can be nonzero for these kinematics: 11, 22, 33, 12 and in 3-D 23, 13.
template <class K>
struct SymmetricComponents {
  static constexpr int count = K::dim == 3 ? 6 : 4;
  static constexpr int row(int k) { return k < 3 ? k : k == 4 ? 1 : 0; }
  static constexpr int column(int k) { return k < 3 ? k : k == 3 ? 1 : 2; }
  /// Number of entries of the tensor with this component.
  static constexpr double weight(int k) { return k < 3 ? 1.0 : 2.0; }

  /// a:b of two tensors.
  template <class A, class B>
  INVAR_HD static auto contract(const A& a, const B& b) {
    auto sum = a[0] * b[0];
    for (int k = 1; k < count; ++k) sum += weight(k) * (a[k] * b[k]);
    return sum;
  }
  /// The whole tensor.
  template <class T>
  INVAR_HD static Matrix<T, 3, 3> full(const T* s) {
    Matrix<T, 3, 3> m;
    for (T& e : m.entries) e = T(0.0);
    for (int k = 0; k < count; ++k) m(row(k), column(k)) = m(column(k), row(k)) = s[k];
    return m;
  }
};

}  // namespace invar
