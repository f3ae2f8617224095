#pragma once
#include "libfem/math/tensor.hpp"

namespace invar {

/// exp(X) − I of a 3 × 3 matrix, accurate to round-off for |X| up to about 4: Taylor series of X/32, truncated below 1e-18 of the
/// sum, then five times e^(2x) − 1 = 2 (e^x − 1) + (e^x − 1)². T may be a Dual: derivatives are as accurate.
template <class T>
INVAR_HD Matrix<T, 3, 3> exponential_less_one(const Matrix<T, 3, 3>& X) {
  constexpr int halvings = 5, terms = 12;
  const Matrix<T, 3, 3> x = (1.0 / (1 << halvings)) * X;
  Matrix<T, 3, 3> sum = x;  // x (1 + x/2 (1 + x/3 (…)))
  for (int k = terms; k > 1; --k) sum = x + (1.0 / k) * (x * sum);
  for (int k = 0; k < halvings; ++k) sum = 2.0 * sum + sum * sum;
  return sum;
}

}  // namespace invar
