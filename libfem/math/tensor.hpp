#pragma once
#include "libfem/math/dual.hpp"

namespace invar {

/// N components of T; `Vector<double, 3>{1, 2, 3}`.
template <class T, int N>
struct Vector {
  T entries[N];

  INVAR_INLINE T& operator[](int i) { return entries[i]; }
  INVAR_INLINE const T& operator[](int i) const { return entries[i]; }
};

/// M × N entries of T, stored by rows; `Matrix<double, 2, 2>{1, 2, 3, 4}`.
template <class T, int M, int N>
struct Matrix {
  T entries[M * N];

  INVAR_INLINE T& operator()(int i, int j) { return entries[i * N + j]; }
  INVAR_INLINE const T& operator()(int i, int j) const { return entries[i * N + j]; }
};

/// Shape, entry type and number of entries of a Vector or Matrix.
template <class X>
struct tensor_traits {
  static constexpr int size = 0;
};
template <class T, int N>
struct tensor_traits<Vector<T, N>> {
  static constexpr int size = N;
  using Entry = T;
  template <class S>
  using With = Vector<S, N>;
};
template <class T, int M, int N>
struct tensor_traits<Matrix<T, M, N>> {
  static constexpr int size = M * N;
  using Entry = T;
  template <class S>
  using With = Matrix<S, M, N>;
};

template <class X>
concept Tensor = (tensor_traits<X>::size > 0);
template <class S>
concept Factor = !Tensor<S>;
template <Tensor A>
using EntryOf = typename tensor_traits<A>::Entry;
template <Tensor A, class S>
using TensorWith = typename tensor_traits<A>::template With<S>;
template <class A, class B>
concept SameShape = std::is_same_v<TensorWith<A, int>, TensorWith<B, int>>;
/// Type of the product of an A and a B: double with Dual gives Dual.
template <class A, class B>
using Promoted = decltype(std::declval<A>() * std::declval<B>());

// ---- sums and multiples; the entries may differ in type -----------------------------------------

template <Tensor A, Tensor B>
  requires SameShape<A, B>
INVAR_INLINE auto operator+(const A& a, const B& b) {
  TensorWith<A, Promoted<EntryOf<A>, EntryOf<B>>> r;
  INVAR_UNROLL
  for (int i = 0; i < tensor_traits<A>::size; ++i) r.entries[i] = a.entries[i] + b.entries[i];
  return r;
}
template <Tensor A, Tensor B>
  requires SameShape<A, B>
INVAR_INLINE auto operator-(const A& a, const B& b) {
  TensorWith<A, Promoted<EntryOf<A>, EntryOf<B>>> r;
  INVAR_UNROLL
  for (int i = 0; i < tensor_traits<A>::size; ++i) r.entries[i] = a.entries[i] - b.entries[i];
  return r;
}
template <Tensor A>
INVAR_INLINE A operator-(const A& a) {
  A r;
  INVAR_UNROLL
  for (int i = 0; i < tensor_traits<A>::size; ++i) r.entries[i] = -a.entries[i];
  return r;
}
template <Tensor A, Factor S>
INVAR_INLINE auto operator*(const A& a, const S& s) {
  TensorWith<A, Promoted<EntryOf<A>, S>> r;
  INVAR_UNROLL
  for (int i = 0; i < tensor_traits<A>::size; ++i) r.entries[i] = a.entries[i] * s;
  return r;
}
template <Factor S, Tensor A>
INVAR_INLINE auto operator*(const S& s, const A& a) {
  return a * s;
}
template <Tensor A, Factor S>
INVAR_INLINE auto operator/(const A& a, const S& s) {
  using R = Promoted<EntryOf<A>, S>;
  return a * (real_of_t<R>(1) / detail::passive<R>(s));
}
template <Tensor A, Tensor B>
INVAR_INLINE A& operator+=(A& a, const B& b) {
  return a = a + b;
}
template <Tensor A, Tensor B>
INVAR_INLINE A& operator-=(A& a, const B& b) {
  return a = a - b;
}
template <Tensor A, Factor S>
INVAR_INLINE A& operator*=(A& a, const S& s) {
  return a = a * s;
}
template <Tensor A, Factor S>
INVAR_INLINE A& operator/=(A& a, const S& s) {
  return a = a / s;
}

/// Entrywise value without derivatives.
template <Tensor A>
INVAR_INLINE auto value_of(const A& a) {
  TensorWith<A, scalar_of_t<EntryOf<A>>> r;
  INVAR_UNROLL
  for (int i = 0; i < tensor_traits<A>::size; ++i) r.entries[i] = value_of(a.entries[i]);
  return r;
}

// ---- products -----------------------------------------------------------------------------------

namespace detail {
/// Σ_k a_k b_k over the entries of two tensors of one shape.
template <Tensor A, Tensor B>
  requires SameShape<A, B>
INVAR_INLINE auto contract(const A& a, const B& b) {
  Promoted<EntryOf<A>, EntryOf<B>> r = a.entries[0] * b.entries[0];
  INVAR_UNROLL
  for (int i = 1; i < tensor_traits<A>::size; ++i) r += a.entries[i] * b.entries[i];
  return r;
}
}  // namespace detail

/// a·b, without complex conjugation.
template <class A, class B, int N>
INVAR_INLINE auto dot(const Vector<A, N>& a, const Vector<B, N>& b) {
  return detail::contract(a, b);
}
/// A:B = Σ_ij A_ij B_ij
template <class A, class B, int M, int N>
INVAR_INLINE auto inner(const Matrix<A, M, N>& a, const Matrix<B, M, N>& b) {
  return detail::contract(a, b);
}
/// √(a·a) or √(A:A); derivative 0, of every order, where the tensor is 0.
template <Tensor A>
INVAR_INLINE auto norm(const A& a) {
  using T = EntryOf<A>;
  const T square = detail::contract(a, a);
  const auto zero = key_of(square) == 0;
  return select(zero, T(real_of_t<T>(0)), T(sqrt(select(zero, T(real_of_t<T>(1)), square))));
}

template <class A, class B>
INVAR_INLINE auto cross(const Vector<A, 3>& a, const Vector<B, 3>& b) {
  return Vector<Promoted<A, B>, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                   a[0] * b[1] - a[1] * b[0]};
}
/// (a ⊗ b)_ij = a_i b_j
template <class A, class B, int M, int N>
INVAR_INLINE auto outer(const Vector<A, M>& a, const Vector<B, N>& b) {
  Matrix<Promoted<A, B>, M, N> r;
  INVAR_UNROLL
  for (int i = 0; i < M; ++i)
    INVAR_UNROLL
    for (int j = 0; j < N; ++j) r(i, j) = a[i] * b[j];
  return r;
}
template <class A, class B, int L, int M, int N>
INVAR_INLINE auto matmul(const Matrix<A, L, M>& a, const Matrix<B, M, N>& b) {
  Matrix<Promoted<A, B>, L, N> r;
  INVAR_UNROLL
  for (int i = 0; i < L; ++i)
    INVAR_UNROLL
    for (int j = 0; j < N; ++j) {
      auto s = a(i, 0) * b(0, j);
      INVAR_UNROLL
      for (int k = 1; k < M; ++k) s += a(i, k) * b(k, j);
      r(i, j) = s;
    }
  return r;
}
template <class A, class B, int M, int N>
INVAR_INLINE auto matmul(const Matrix<A, M, N>& a, const Vector<B, N>& b) {
  Vector<Promoted<A, B>, M> r;
  INVAR_UNROLL
  for (int i = 0; i < M; ++i) {
    auto s = a(i, 0) * b[0];
    INVAR_UNROLL
    for (int k = 1; k < N; ++k) s += a(i, k) * b[k];
    r[i] = s;
  }
  return r;
}
/// The matrix product, matmul(a, b).
template <class A, class B, int L, int M, int N>
INVAR_INLINE auto operator*(const Matrix<A, L, M>& a, const Matrix<B, M, N>& b) {
  return matmul(a, b);
}
template <class A, class B, int M, int N>
INVAR_INLINE auto operator*(const Matrix<A, M, N>& a, const Vector<B, N>& b) {
  return matmul(a, b);
}

// ---- matrices -----------------------------------------------------------------------------------

template <class T, int N>
INVAR_INLINE Matrix<T, N, N> identity() {
  Matrix<T, N, N> r{};
  INVAR_UNROLL
  for (int i = 0; i < N; ++i) r(i, i) = T(real_of_t<T>(1));
  return r;
}
template <class T, int M, int N>
INVAR_INLINE Matrix<T, N, M> transpose(const Matrix<T, M, N>& a) {
  Matrix<T, N, M> r;
  INVAR_UNROLL
  for (int i = 0; i < M; ++i)
    INVAR_UNROLL
    for (int j = 0; j < N; ++j) r(j, i) = a(i, j);
  return r;
}
template <class T, int N>
INVAR_INLINE T trace(const Matrix<T, N, N>& a) {
  T r = a(0, 0);
  INVAR_UNROLL
  for (int i = 1; i < N; ++i) r += a(i, i);
  return r;
}
/// (A + Aᵀ)/2
template <class T, int N>
INVAR_INLINE Matrix<T, N, N> sym(const Matrix<T, N, N>& a) {
  Matrix<T, N, N> r;
  INVAR_UNROLL
  for (int i = 0; i < N; ++i) {
    r(i, i) = a(i, i);
    for (int j = 0; j < i; ++j) r(i, j) = r(j, i) = (a(i, j) + a(j, i)) * real_of_t<T>(0.5);
  }
  return r;
}
/// A − (tr A / N) I
template <class T, int N>
INVAR_INLINE Matrix<T, N, N> dev(const Matrix<T, N, N>& a) {
  const T mean = trace(a) / real_of_t<T>(N);
  Matrix<T, N, N> r = a;
  INVAR_UNROLL
  for (int i = 0; i < N; ++i) r(i, i) = a(i, i) - mean;
  return r;
}
/// ∂ det A/∂A = det(A) A⁻ᵀ, also for a singular matrix; N = 1 … 3.
template <class T, int N>
INVAR_INLINE Matrix<T, N, N> cofactor(const Matrix<T, N, N>& a) {
  static_assert(N >= 1 && N <= 3);
  if constexpr (N == 1) {
    return identity<T, 1>();
  } else if constexpr (N == 2) {
    return {a(1, 1), -a(1, 0), -a(0, 1), a(0, 0)};
  } else {
    Matrix<T, 3, 3> r;
    INVAR_UNROLL
    for (int i = 0; i < 3; ++i)
      INVAR_UNROLL
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        r(i, j) = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1);
      }
    return r;
  }
}
/// N = 1 … 3.
template <class T, int N>
INVAR_INLINE T det(const Matrix<T, N, N>& a) {
  static_assert(N >= 1 && N <= 3);
  if constexpr (N == 1)
    return a(0, 0);
  else if constexpr (N == 2)
    return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  else
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) +
           a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}
/// A⁻¹, N = 1 … 3; infinities or NaN if det A = 0.
template <class T, int N>
INVAR_INLINE Matrix<T, N, N> inverse(const Matrix<T, N, N>& a) {
  const Matrix<T, N, N> c = cofactor(a);
  T d = a(0, 0) * c(0, 0);
  INVAR_UNROLL
  for (int j = 1; j < N; ++j) d += a(0, j) * c(0, j);
  return transpose(c) * T(real_of_t<T>(1) / d);
}

}  // namespace invar
